//! Reading `git diff`.

mod changed;
mod formats;
mod git;
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
