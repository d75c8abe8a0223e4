//! Differences between the lines of two records, and flickering lines.

mod causes;
mod flicker;
mod model;
mod sums;

use lines::{Cause, Changes, ChangesParser, Difference, FileLines, Line, Lines};

/// A file whose lines ran (`+`), ran in part (`~`) or did not run (`-`), from line 1 on. Other lines are not coverable.
fn file(states: &str) -> FileLines {
    let lines = (1..).zip(states.chars()).filter_map(|(number, state)| {
        let line = match state {
            '+' => Line::new(number, 1, false),
            '~' => Line::new(number, 1, true),
            '-' => Line::new(number, 0, false),
            _ => return None,
        };
        Some((line, None))
    });
    lines.collect()
}

fn record(files: &[(&str, &str)]) -> Lines {
    let mut lines = Lines::default();
    for (path, states) in files {
        lines.add(*path, file(states));
    }
    lines
}

fn changes(diff: &str) -> Changes {
    let mut parser = ChangesParser::default();
    parser.feed(diff.as_bytes()).expect("a diff");
    parser.finish().expect("a diff")
}

/// The diff of an edited file.
fn edit(path: &str, hunks: &str) -> String {
    format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n{hunks}")
}

/// The groups of a difference: cause, path, covered and coverable lines.
fn groups<'a>(difference: &Difference<'a>) -> Vec<(Cause, &'a str, i64, i64)> {
    let groups = difference.groups.iter();
    groups
        .map(|group| {
            let effect = group.effect;
            (group.cause, group.path, effect.covered, effect.coverable)
        })
        .collect()
}
