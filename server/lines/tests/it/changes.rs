//! Reading `git diff`.

mod changed;
mod formats;
pub(crate) mod git;
mod patch;
mod refused;

use lines::{ChangedFile, Changes, ChangesError, ChangesParser};

/// Reads a diff in one piece.
fn read(diff: impl AsRef<[u8]>) -> Result<Changes, ChangesError> {
    let mut parser = ChangesParser::default();
    parser.feed(diff.as_ref())?;
    parser.finish()
}

fn files(diff: impl AsRef<[u8]>) -> Vec<ChangedFile> {
    read(diff).expect("a diff").files().to_vec()
}

/// The line in the base of an unchanged line in the measured tree. `None` if the line is new.
fn old_line(file: &ChangedFile, line: u32) -> Option<u32> {
    let before = file.hunks.partition_point(|hunk| hunk.new.first <= line);
    let Some(last) = before.checked_sub(1).map(|index| file.hunks[index]) else {
        return Some(line);
    };
    if line < last.new.end() {
        return None;
    }
    Some((line - last.new.end()).saturating_add(last.old.end()))
}

/// The numbers of a file's hunks: first line and lines of the base, first line and lines of the measured tree.
fn numbers(file: &ChangedFile) -> Vec<[u32; 4]> {
    let hunks = file.hunks.iter();
    hunks
        .map(|hunk| {
            [
                hunk.old.first,
                hunk.old.lines,
                hunk.new.first,
                hunk.new.lines,
            ]
        })
        .collect()
}

/// Both paths of a file; empty for no path.
fn paths(file: &ChangedFile) -> (&str, &str) {
    (
        file.old_path.as_deref().unwrap_or_default(),
        file.path.as_deref().unwrap_or_default(),
    )
}
