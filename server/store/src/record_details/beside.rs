//! The files beside a source file, for going from one to the other.

use super::{DecodeError, StoredFiles};
use domain::{FileRow, SourceFiles};

/// All files of a record; if they are many, only the files of the folder that has `path`.
pub(crate) fn beside(stored: &StoredFiles, path: &str) -> Result<SourceFiles, DecodeError> {
    let folder = |path: &str| path.rfind('/').map_or(0, |at| at + 1);
    let own = &path[..folder(path)];
    let are_all = stored.count as usize <= SourceFiles::MOST;
    let mut rows = Vec::new();
    stored.each(|other, counts| {
        let is_beside = || folder(other) == own.len() && other.starts_with(own);
        if (are_all || is_beside()) && rows.len() < SourceFiles::MOST {
            rows.push(FileRow {
                path: other.to_owned(),
                lines: counts.lines,
                ..FileRow::default()
            });
        }
    })?;
    Ok(SourceFiles {
        rows,
        count: stored.count,
    })
}
