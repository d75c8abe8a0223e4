//! Writes lines as Cobertura XML.
//!
//! Source: <https://cobertura.sourceforge.net/xml/coverage-04.dtd>.

use super::{
    lcov::{all_branches, branches_of},
    pieces::{Pieces, by_lines},
};
use lines::{Counts, FileLines, Line, Lines, State};
use quick_xml::escape::escape;
use std::{collections::BTreeMap, fmt::Write, iter::once, sync::Arc};

/// Numbers of branches: taken, and all.
type Taken = (u64, u64);

/// The file in pieces: a package for each folder, and a class for each source file.
pub(super) fn pieces(lines: Lines) -> Pieces {
    let mut packages: BTreeMap<String, Vec<(Box<str>, FileLines)>> = BTreeMap::new();
    let (mut counts, mut branches) = (Counts::default(), (0, 0));
    for (path, file) in lines.into_files() {
        counts += file.counts();
        branches = plus(branches, all_branches(&file));
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        packages
            .entry(folder.to_owned())
            .or_default()
            .push((path, file));
    }
    let head = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n\
         <coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" branches-valid=\"{}\" \
         complexity=\"0\" timestamp=\"0\" version=\"1\">\n<sources><source>.</source></sources>\n<packages>\n",
        rates(counts, branches),
        counts.covered(),
        counts.coverable(),
        branches.0,
        branches.1,
    );
    let packages = packages.into_iter().flat_map(|(folder, files)| {
        let of_all = files.iter().map(|(_, file)| file.counts());
        let counts: Counts = of_all.sum();
        let branches = files
            .iter()
            .map(|(_, file)| all_branches(file))
            .fold((0, 0), plus);
        let name = text(&folder);
        let head = format!(
            "<package name=\"{name}\" {} complexity=\"0\"><classes>\n",
            rates(counts, branches)
        );
        let classes = files
            .into_iter()
            .flat_map(|(path, file)| class(&path, file));
        let tail = "</classes></package>\n".to_owned();
        [head].into_iter().chain(classes).chain([tail])
    });
    let tail = "</packages>\n</coverage>\n".to_owned();
    Pieces::of([head].into_iter().chain(packages).chain([tail]))
}

fn class(path: &str, file: FileLines) -> impl Iterator<Item = String> + use<> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let head = format!(
        "<class name=\"{}\" filename=\"{}\" {} complexity=\"0\"><methods/><lines>\n",
        text(name),
        text(path),
        rates(file.counts(), all_branches(&file)),
    );
    let tail = "</lines></class>\n".to_owned();
    once(head)
        .chain(by_lines(Arc::new(file), elements))
        .chain(once(tail))
}

fn elements(file: &FileLines, lines: &[Line]) -> String {
    let (mut xml, mut digits) = (String::with_capacity(lines.len() * 32), itoa::Buffer::new());
    for line in lines {
        xml.push_str("<line number=\"");
        xml.push_str(digits.format(line.number()));
        xml.push_str("\" hits=\"");
        xml.push_str(digits.format(line.hits()));
        if line.state() == State::Partial {
            let (taken, all) = branches_of(file, line.number());
            let percent = u64::from(taken) * 100 / u64::from(all.max(1));
            // Writing to a string does not fail.
            let _ = write!(
                xml,
                "\" branch=\"true\" condition-coverage=\"{percent}% ({taken}/{all})"
            );
        }
        xml.push_str("\"/>\n");
    }
    xml
}

fn plus(one: Taken, other: Taken) -> Taken {
    (one.0 + other.0, one.1 + other.1)
}

fn rates(counts: Counts, branches: Taken) -> String {
    let rate = |covered: u64, all: u64| match all {
        0 => 1.0,
        _ => covered as f64 / all as f64,
    };
    format!(
        "line-rate=\"{:.4}\" branch-rate=\"{:.4}\"",
        rate(counts.covered(), counts.coverable()),
        rate(branches.0, branches.1)
    )
}

/// Text of an attribute, without the characters that XML 1.0 does not have.
fn text(text: &str) -> String {
    let is_foreign = |char: char| char.is_control() || matches!(char, '\u{fffe}' | '\u{ffff}');
    escape(text.replace(is_foreign, "\u{fffd}").as_str()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lines::{Branches, Line};

    fn sample() -> Lines {
        let mut lines = Lines::default();
        let file = [
            (Line::new(1, 3, false), None),
            (Line::new(2, 0, false), None),
            (Line::new(5, 1, true), Branches::unnamed(3, 4)),
        ];
        lines.add("src/a & \"b\".c", file.into_iter().collect());
        lines.add(
            "top.c",
            FileLines::from_iter([(Line::new(1, 0, false), None)]),
        );
        lines
    }

    #[test]
    fn it_is_read_as_the_same_lines() {
        let xml = pieces(sample()).into_text();
        let report = formats::read_with_lines(xml.as_bytes(), &formats::Limits::default());
        let report = report.expect("a coverage file");
        assert_eq!(report.total.basis_points(), 5_000);
        let paths: Vec<_> = report.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["top.c", "src/a & \"b\".c"]);
        let file = &report.files[1];
        let hits: Vec<_> = file
            .lines
            .iter()
            .map(|line| (line.line, line.hits))
            .collect();
        assert_eq!(hits, [(1, 3), (2, 0), (5, 1)]);
        let partial = &file.partial[0];
        assert_eq!((partial.line, partial.taken, partial.total), (5, 3, 4));
    }

    #[test]
    fn a_path_cannot_end_its_attribute() {
        let mut lines = Lines::default();
        lines.add(
            "a\"/><x y=\"\u{1}",
            FileLines::from_iter([(Line::new(1, 1, false), None)]),
        );
        let xml = pieces(lines).into_text();
        assert!(!xml.contains("<x") && !xml.contains('\u{1}'), "{xml}");
    }
}
