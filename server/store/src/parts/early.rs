//! Skipped parts: of a record, or of a commit whose first part has not arrived yet.

use super::{Announced, completion};
use crate::{RecordKey, StoreError, Writer, run::Run, time::now};
use domain::{DAY, PartName, PartSet, Timestamp};
use sqlx::AnyConnection;

/// How long a skipped part is stored before the first part of its commit arrives.
const KEPT: i64 = 7 * DAY;

/// The maximum number of stored skipped parts of a commit.
const MOST: i64 = domain::PartSet::MAX as i64;

/// The statements about a commit before its first part arrived.
#[derive(Default)]
pub(crate) struct EarlySkips {
    pub(crate) skipped: Vec<(PartName, String, Timestamp)>,
    pub(crate) expected: PartSet,
    pub(crate) only_here: PartSet,
}

impl Writer<'_> {
    /// Deletes old skipped parts whose commits never had another part.
    pub async fn forget_early_skips(self) -> Result<(), StoreError> {
        const DELETE: &str = "delete from early_skips where skipped_at < $1";
        let old = [oldest_skip()];
        self.store.write(|pool| pool.run(DELETE, old)).await
    }
}

/// Skipped parts from before this time, in microseconds, no longer count.
pub(super) fn oldest_skip() -> i64 {
    now().0 - KEPT
}

/// Stores a skipped part until the first part of its commit arrives.
pub(crate) async fn remember_skip(
    connection: &mut AnyConnection,
    key: RecordKey<'_>,
    (part, reason): (&PartName, &str),
    announced: &Announced,
) -> Result<(), StoreError> {
    const COUNT: &str = "
        select count(*) from early_skips
        where repository_key = $1 and branch_name = $2 and language = $3 and commit_hash = $4 and part <> $5";
    const REMEMBER: &str = "
        insert into early_skips (
            repository_key, branch_name, language, commit_hash, part, reason, expected, skipped_at
        ) values ($1, $2, $3, $4, $5, $6, $7, $8)
        on conflict (repository_key, branch_name, language, commit_hash, part) do update set
            reason = excluded.reason, expected = excluded.expected, skipped_at = excluded.skipped_at";
    let now = now();
    let others: i64 = connection.value(COUNT, (key, part)).await?;
    if others >= MOST {
        return Err(StoreError::TooManyParts);
    }
    let expected = completion::listed(&announced.expected, &announced.only_here);
    connection
        .run(REMEMBER, (key, part, reason, expected, now))
        .await
}

/// Returns and deletes the skipped parts of a commit that gets its record.
pub(crate) async fn take_early_skips(
    connection: &mut AnyConnection,
    key: RecordKey<'_>,
) -> Result<EarlySkips, StoreError> {
    const TAKE: &str = "
        delete from early_skips
        where repository_key = $1 and branch_name = $2 and language = $3 and commit_hash = $4
        returning part, reason, expected, skipped_at";
    let rows: Vec<(PartName, String, String, Timestamp)> = connection.all(TAKE, [key]).await?;
    let mut early = EarlySkips::default();
    let oldest = Timestamp(oldest_skip());
    for (part, reason, expected, at) in rows.into_iter().filter(|row| row.3 >= oldest) {
        let (expected, only_here) = completion::names(&expected);
        early.expected.extend(expected.names());
        early.only_here.extend(only_here.names());
        early.skipped.push((part, reason, at));
    }
    Ok(early)
}

/// Stores a skipped part of a record, unless the part was measured.
pub(crate) async fn skip(
    connection: &mut AnyConnection,
    record_id: i64,
    part: &PartName,
    reason: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    const SKIP: &str = "
        insert into record_parts (record_id, part, arrived_at, skip_reason) values ($1, $2, $3, $4)
        on conflict (record_id, part) do update set
            arrived_at = excluded.arrived_at, skip_reason = excluded.skip_reason
        where record_parts.skip_reason is not null";
    connection.run(SKIP, (record_id, part, at, reason)).await
}
