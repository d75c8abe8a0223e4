//! The lines that the rows of a list had in an earlier record.

use super::{DecodeError, StoredFiles, left_out};
use domain::{Count, FileRow};

/// Adds to each row of `head` its lines in `base`. Leaves them unknown if the two records count different things.
pub(crate) fn add_before(
    rows: &mut [FileRow],
    head: &StoredFiles,
    base: &StoredFiles,
) -> Result<(), DecodeError> {
    if base.counter != head.counter {
        return Ok(());
    }
    let (of_head, of_base) = (left_out(head, base), left_out(base, head));
    let Some(mut files) = base.read(of_base)? else {
        return Ok(());
    };
    let mut rows: Vec<_> = rows
        .iter_mut()
        .map(|row| (format!("{of_head}{}", row.path), row))
        .collect();
    for (_, row) in &mut rows {
        row.before = Some(Count::default());
    }
    while files.advance()? {
        let (path, lines) = (files.path(), files.counts().lines);
        for (name, row) in &mut rows {
            let is_in = match path.strip_prefix(name.as_str()) {
                Some("") => row.files.is_none(),
                Some(rest) => row.files.is_some() && rest.starts_with('/'),
                None => false,
            };
            if is_in {
                row.before = row.before.map(|before| before.plus(lines));
            }
        }
    }
    Ok(())
}
