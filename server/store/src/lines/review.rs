//! Deletes old lines: on the main branch, lines are kept forever, on other branches for some days.

use crate::{StoreError, Writer, revision, run::Run, time::now};
use domain::{DAY, Timestamp};
use sqlx::{AnyConnection, FromRow};

const PAGE: i64 = 200;

/// The time after which a record of a main branch is reviewed again: another branch may have become the main branch.
const MAIN_REVIEW: i64 = 30 * DAY;

/// The result of a review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reviewed {
    /// Records whose lines stay.
    pub kept: u64,
    /// Records whose lines were deleted.
    pub deleted: u64,
}

pub(crate) const TO_REVIEW: &str = "
    select l.record_id, r.updated_at, case when r.branch_id = p.main_branch_id then 1 else 0 end as is_main
    from record_lines l
    join records r on r.id = l.record_id
    join repositories p on p.id = r.repository_id
    where l.review_at <= $1
    order by l.review_at limit $2";

const KEEP: &str =
    "update record_lines set review_at = $1 where record_id = $2 and review_at <= $3";

const DELETE: &str = "delete from record_lines where record_id = $1 and review_at <= $2";

const OF_PARTS: [&str; 2] = [
    "update record_parts set lines = null, branches = null, tests = null where record_id = $1",
    "update carried_parts set lines = null where record_id = $1",
];

#[derive(FromRow)]
struct Row {
    record_id: i64,
    updated_at: i64,
    is_main: i64,
}

impl Writer<'_> {
    /// Deletes the lines of records that were last uploaded `days` ago or earlier, except on main branches. A record is reviewed
    /// when it is new, and again when its lines may have expired.
    ///
    /// # Errors
    ///
    /// If the database fails. Lines that were reviewed before stay reviewed.
    pub async fn review_lines(self, days: u32) -> Result<Reviewed, StoreError> {
        let (now, mut reviewed) = (now(), Reviewed::default());
        loop {
            // Usually nothing is due; then no other writer has to wait.
            let due: Vec<Row> = self.store.all(TO_REVIEW, (now, PAGE)).await?;
            if due.is_empty() {
                return Ok(reviewed);
            }
            let keep = i64::from(days) * DAY;
            let mut transaction = self.store.begin().await?;
            let due: Vec<Row> = transaction.all(TO_REVIEW, (now, PAGE)).await?;
            for row in due {
                match review(&mut transaction, &row, now, keep).await? {
                    true => reviewed.kept += 1,
                    false => reviewed.deleted += 1,
                }
            }
            transaction.commit().await?;
        }
    }
}

/// Whether the lines stay.
async fn review(
    connection: &mut AnyConnection,
    row: &Row,
    now: Timestamp,
    keep: i64,
) -> Result<bool, StoreError> {
    let next = match row.is_main {
        0 => row.updated_at.saturating_add(keep),
        _ => now.0 + MAIN_REVIEW,
    };
    // An upload of the same commit may have stored newer lines meanwhile.
    if next > now.0 {
        connection.run(KEEP, (next, row.record_id, now)).await?;
        return Ok(true);
    }
    if connection.changed(DELETE, (row.record_id, now)).await? > 0 {
        for statement in OF_PARTS {
            connection.run(statement, [row.record_id]).await?;
        }
        revision::measure(connection, row.record_id).await?;
    }
    Ok(false)
}
