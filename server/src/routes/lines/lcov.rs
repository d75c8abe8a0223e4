//! Writes lines as LCOV.
//!
//! Source: the section "FILES" of `geninfo(1)`, <https://github.com/linux-test-project/lcov>.

use super::pieces::{Pieces, by_lines};
use lines::{FileLines, Line, Lines, State};
use std::{fmt::Write, iter::once, sync::Arc};

/// More branches of a line are counted, but not written one by one: a damaged coverage file may state thousands for each line.
const MOST_BRANCHES: u32 = 64;

pub(super) fn pieces(lines: Lines) -> Pieces {
    Pieces::of(lines.into_files().flat_map(|(path, file)| {
        let file = Arc::new(file);
        // A line break in a path would begin another field.
        let path = path.replace(char::is_control, "\u{fffd}");
        once(format!("TN:\nSF:{path}\n"))
            .chain(by_lines(file.clone(), branches))
            .chain(once(totals_of_branches(&file)))
            .chain(by_lines(file.clone(), hits))
            .chain(once(end(&file)))
    }))
}

fn branches(file: &FileLines, lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines.iter().filter(|line| line.state() == State::Partial) {
        let (taken, all) = branches_of(file, line.number());
        for branch in 0..all.min(MOST_BRANCHES) {
            let is_taken = u8::from(branch < taken);
            // Writing to a string does not fail.
            let _ = writeln!(text, "BRDA:{},0,{branch},{is_taken}", line.number());
        }
    }
    text
}

/// The branches of a partial line: taken, and all. If their number is not known, at least one was missed.
pub(super) fn branches_of(file: &FileLines, line: u32) -> (u32, u32) {
    let branches = file.branches(line);
    branches.map_or((0, 1), |branches| (branches.taken(), branches.total()))
}

/// The branches of the partial lines of a file: taken, and all.
pub(super) fn all_branches(file: &FileLines) -> (u64, u64) {
    let partial = file.lines().iter();
    let partial = partial.filter(|line| line.state() == State::Partial);
    partial.fold((0, 0), |(taken, all), line| {
        let (of_line, all_of_line) = branches_of(file, line.number());
        (taken + u64::from(of_line), all + u64::from(all_of_line))
    })
}

fn totals_of_branches(file: &FileLines) -> String {
    match all_branches(file) {
        (_, 0) => String::new(),
        (taken, all) => format!("BRF:{all}\nBRH:{taken}\n"),
    }
}

/// Without `write!`, which takes ten times as long.
fn hits(_: &FileLines, lines: &[Line]) -> String {
    let (mut text, mut digits) = (String::with_capacity(lines.len() * 12), itoa::Buffer::new());
    for line in lines {
        text.push_str("DA:");
        text.push_str(digits.format(line.number()));
        text.push(',');
        text.push_str(digits.format(line.hits()));
        text.push('\n');
    }
    text
}

fn end(file: &FileLines) -> String {
    let counts = file.counts();
    format!(
        "LF:{}\nLH:{}\nend_of_record\n",
        counts.coverable(),
        counts.covered()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use lines::{Branches, Line};

    fn written(lines: Lines) -> String {
        pieces(lines).into_text()
    }

    #[test]
    fn a_file_has_its_lines_and_the_branches_of_partial_ones() {
        let mut lines = Lines::default();
        let file = [
            (Line::new(1, 3, false), None),
            (Line::new(2, 0, false), None),
            (Line::new(5, 1, true), Branches::unnamed(1, 2)),
            (Line::new(6, 1, true), None),
        ];
        lines.add("src/a.c", file.into_iter().collect());
        let expected = "TN:\nSF:src/a.c\nBRDA:5,0,0,1\nBRDA:5,0,1,0\nBRDA:6,0,0,0\nBRF:3\nBRH:1\n\
            DA:1,3\nDA:2,0\nDA:5,1\nDA:6,1\nLF:4\nLH:3\nend_of_record\n";
        assert_eq!(written(lines), expected);
    }

    #[test]
    fn a_path_cannot_begin_another_field() {
        let mut lines = Lines::default();
        lines.add(
            "a\nSF:b\r\nDA:9,9",
            FileLines::from_iter([(Line::new(1, 1, false), None)]),
        );
        let text = written(lines);
        assert_eq!(
            text.lines().filter(|line| line.starts_with("SF:")).count(),
            1
        );
        assert!(!text.contains("\nDA:9,9"));
    }
}
