//! The state of every line of a record, stored beside it, so that a listing never reads it.

mod branch_names;
mod excerpts;
mod review;
mod source;
#[cfg(test)]
pub(super) mod tests;

pub use review::Reviewed;

use super::{Reader, StoreError, Unsigned, blocking::decoding, revision, run::Run};
use domain::{Timestamp, text::hexadecimal};
use lines::{Limits, Lines};
use sha2::{Digest, Sha256};
use sqlx::AnyConnection;

/// The lines of a new record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLines {
    /// Lines that ran.
    pub covered: u64,
    /// All coverable lines.
    pub coverable: u64,
    /// The lines, as [`Lines::encode`] writes them.
    pub encoded: Vec<u8>,
    /// The branches, as [`NamedBranches::encode`](lines::NamedBranches::encode) writes them; `None` for a union, and if the
    /// coverage file does not name all of them.
    pub branches: Option<Vec<u8>>,
    /// The tests that ran the lines, as [`TestSets::encode`](lines::TestSets::encode) writes them; `None` if the coverage file does
    /// not name them.
    pub tests: Option<Vec<u8>>,
}

/// The stored lines of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordLines {
    /// The lines are stored.
    Kept {
        /// The lines.
        lines: Box<Lines>,
        /// Identifies exactly these lines.
        digest: String,
    },
    /// The coverage file has no lines, or they have expired, or the record is older than the storage of lines.
    NotKept,
}

const UPSERT: &str = "
    insert into record_lines (record_id, covered, coverable, review_at, lines, branches, tests)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (record_id) do update set
        covered = excluded.covered,
        coverable = excluded.coverable,
        review_at = excluded.review_at,
        lines = excluded.lines,
        branches = excluded.branches,
        tests = excluded.tests";

/// Stores the lines of a record, instead of the lines of an earlier upload of its commit, within the transaction that publishes
/// it.
pub(super) async fn store(
    connection: &mut AnyConnection,
    record_id: i64,
    new: Option<&NewLines>,
    at: Timestamp,
) -> Result<(), StoreError> {
    const DELETE: &str = "delete from record_lines where record_id = $1";
    let Some(new) = new else {
        connection.run(DELETE, [record_id]).await?;
        return revision::next(connection, record_id).await;
    };
    let values = (
        record_id,
        Unsigned(new.covered),
        Unsigned(new.coverable),
        at,
        &new.encoded,
        &new.branches,
        &new.tests,
    );
    connection.run(UPSERT, values).await?;
    revision::next(connection, record_id).await
}

/// Whether a record has exactly these lines.
pub(super) async fn are_stored(
    connection: &mut AnyConnection,
    record_id: i64,
    new: Option<&NewLines>,
) -> Result<bool, StoreError> {
    const STORED: &str = "select lines from record_lines where record_id = $1";
    let stored: Option<Vec<u8>> = connection.first_value(STORED, [record_id]).await?;
    Ok(stored.as_deref() == new.map(|new| new.encoded.as_slice()))
}

pub(super) const LINES: &str = "
    select l.lines from records r
    left join record_lines l on l.record_id = r.id
    where r.id = $1";

impl Reader {
    /// Returns the lines of a record; `None` if the record does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if the lines are damaged.
    pub async fn record_lines(&self, id: i64) -> Result<Option<RecordLines>, StoreError> {
        let Some(store) = self.sees_record(id).await? else {
            return Ok(None);
        };
        let row: Option<Option<Vec<u8>>> = store.first_value(LINES, [id]).await?;
        let Some(row) = row else { return Ok(None) };
        let Some(blob) = row else {
            return Ok(Some(RecordLines::NotKept));
        };
        let read = move || {
            let digest = hexadecimal(&Sha256::digest(&blob)[..16]);
            Ok((digest, Lines::decode(&blob, &Limits::default())?))
        };
        let (digest, lines) = decoding(id, read).await?;
        Ok(Some(RecordLines::Kept {
            lines: Box::new(lines),
            digest,
        }))
    }
}
