//! The states of the lines of changed files, with the numbers that they have in the working tree.

use crate::git::NewFile;
use domain::LineRange;
use lines::{Changes, FileLines, Lines, Moves, State, extension};
use serde::Serialize;
use std::collections::HashSet;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct ChangedFile {
    pub(super) path: String,
    /// Unchanged lines that ran, including partially covered ones.
    pub(super) covered: Vec<LineRange>,
    /// Unchanged lines that did not run.
    pub(super) missed: Vec<LineRange>,
    /// Changed lines: no record has measured them.
    pub(super) not_measured: Vec<LineRange>,
}

/// Returns the changed files by path. `known` are the lines at the commit that the changes start from. Files in languages that no
/// record has are left out.
pub(super) fn changed_files(known: Lines, changes: &Changes, new: &[NewFile]) -> Vec<ChangedFile> {
    let extensions: HashSet<String> = known
        .files()
        .filter_map(|(path, _)| extension(path).map(str::to_owned))
        .collect();
    let is_source = |path: &str| extension(path).is_some_and(|own| extensions.contains(own));
    let measured: HashSet<String> = known.files().map(|(path, _)| path.to_owned()).collect();
    let carried = known.moved(&Moves::of(changes));
    let changed = changes.files().iter().filter_map(|file| {
        let path = file.path.as_deref()?;
        let was_measured = file
            .old_path
            .as_deref()
            .is_some_and(|old| measured.contains(old));
        if file.hunks.is_empty() || !(was_measured || is_source(path)) {
            return None;
        }
        let spans = file.hunks.iter().map(|hunk| hunk.new);
        let spans = spans.filter(|span| span.lines > 0);
        Some(ChangedFile {
            not_measured: spans.map(|span| (span.first, span.end() - 1)).collect(),
            ..unchanged(path, carried.get(path))
        })
    });
    let created = new
        .iter()
        .filter(|file| file.lines > 0 && is_source(&file.path));
    let created = created.map(|file| ChangedFile {
        path: file.path.clone(),
        not_measured: vec![(1, file.lines)],
        ..ChangedFile::default()
    });
    let mut files: Vec<_> = changed.chain(created).collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn unchanged(path: &str, lines: Option<&FileLines>) -> ChangedFile {
    let mut file = ChangedFile {
        path: path.to_owned(),
        ..ChangedFile::default()
    };
    for line in lines.iter().flat_map(|lines| lines.lines()) {
        let ranges = match line.state() {
            State::Hit | State::Partial => &mut file.covered,
            State::Missed => &mut file.missed,
        };
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(line.number()) => *last = line.number(),
            _ => ranges.push((line.number(), line.number())),
        }
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use lines::ChangesParser;

    fn known(lcov: &str) -> Lines {
        let report = formats::read_with_lines(lcov.as_bytes(), &formats::Limits::default());
        let mut lines = Lines::default();
        for (path, states) in ingest::source_lines(report.expect("LCOV")) {
            lines.add(path, states);
        }
        lines
    }

    fn changes(diff: &str) -> Changes {
        let mut parser = ChangesParser::default();
        parser.feed(diff.as_bytes()).expect("a diff");
        parser.finish().expect("a diff")
    }

    #[test]
    fn unchanged_lines_keep_their_states_and_move_with_the_changes() {
        let known = known(
            "SF:a.c\nDA:1,1\nDA:2,0\nDA:3,1\nDA:5,0\nend_of_record\nSF:b.c\nDA:1,1\nend_of_record\n",
        );
        let changes = changes(
            "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -2 +2,3 @@\n\
             diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n\
             diff --git a/b.c b/b.c\ndeleted file mode 100644\n--- a/b.c\n+++ /dev/null\n@@ -1 +0,0 @@\n",
        );
        let new = ["new.c", "notes.txt", ".c"].map(|path| NewFile {
            path: path.to_owned(),
            lines: 7,
        });
        let files = changed_files(known, &changes, &new);
        let expected = [
            ChangedFile {
                path: "a.c".to_owned(),
                covered: vec![(1, 1), (5, 5)],
                missed: vec![(7, 7)],
                not_measured: vec![(2, 4)],
            },
            ChangedFile {
                path: "new.c".to_owned(),
                not_measured: vec![(1, 7)],
                ..ChangedFile::default()
            },
        ];
        assert_eq!(files, expected);
    }
}
