//! Reads the hunks of one file whose paths are known: a forge can return the files of a diff one by one.

use super::{ChangedFile, ChangesError, ChangesParser};

impl ChangedFile {
    /// Reads the hunks of a file, with their lines. Leading lines `---` and `+++` are skipped. The paths become
    /// [`Self::old_path`] and [`Self::path`].
    ///
    /// # Errors
    ///
    /// If a line does not belong to a hunk, if a hunk ends early, or if a path is not inside the repository.
    pub fn read(
        old_path: Option<&str>,
        path: Option<&str>,
        hunks: &[u8],
    ) -> Result<Self, ChangesError> {
        let mut parser = ChangesParser::of_file(old_path, path);
        parser.feed(without_names(hunks))?;
        let mut files = parser.finish()?.files;
        let expected =
            |file: &Self| file.old_path.as_deref() == old_path && file.path.as_deref() == path;
        match files.pop() {
            Some(file) if files.is_empty() && expected(&file) => Ok(file),
            _ => Err(ChangesError {
                line: 1,
                problem: "expected the hunks of one file".to_owned(),
            }),
        }
    }
}

/// Returns the text after leading lines `---` and `+++`.
fn without_names(mut hunks: &[u8]) -> &[u8] {
    for name in [b"--- ", b"+++ "] {
        if hunks.starts_with(name) {
            let end = memchr::memchr(b'\n', hunks);
            hunks = end.map_or(&[], |end| &hunks[end + 1..]);
        }
    }
    hunks
}
