//! Deletes old lines: on the main branch, lines are kept forever, on other branches for some days.

use crate::{
    StoreError, Writer, revision,
    time::now,
    write::{begin, settle},
};
use domain::{DAY, Timestamp};
use sqlx::{Any, AnyConnection, Executor, FromRow};

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

const OF_PARTS: [&str; 2] = [
    "update record_parts set lines = null where record_id = $1",
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
            if due(&self.store.read_pool, now).await?.is_empty() {
                return Ok(reviewed);
            }
            let mut connection = self.store.write_pool.acquire().await?;
            let page = review(&mut connection, now, i64::from(days) * DAY).await;
            let page = settle(connection, page).await?;
            reviewed.kept += page.kept;
            reviewed.deleted += page.deleted;
        }
    }
}

/// The first records whose lines are due for a review.
async fn due(
    executor: impl Executor<'_, Database = Any>,
    now: Timestamp,
) -> Result<Vec<Row>, StoreError> {
    let rows = sqlx::query_as(TO_REVIEW).bind(now.0).bind(PAGE);
    Ok(rows.fetch_all(executor).await?)
}

async fn review(
    connection: &mut AnyConnection,
    now: Timestamp,
    keep: i64,
) -> Result<Reviewed, StoreError> {
    let mut transaction = begin(connection).await?;
    let mut reviewed = Reviewed::default();
    for row in due(&mut *transaction, now).await? {
        let expires_at = row.updated_at.saturating_add(keep);
        let next = match row.is_main {
            0 => expires_at,
            _ => now.0 + MAIN_REVIEW,
        };
        // An upload of the same commit may have stored newer lines meanwhile.
        if next > now.0 {
            sqlx::query(
                "update record_lines set review_at = $1 where record_id = $2 and review_at <= $3",
            )
            .bind(next)
            .bind(row.record_id)
            .bind(now.0)
            .execute(&mut *transaction)
            .await?;
            reviewed.kept += 1;
        } else {
            let deleted =
                sqlx::query("delete from record_lines where record_id = $1 and review_at <= $2")
                    .bind(row.record_id)
                    .bind(now.0)
                    .execute(&mut *transaction)
                    .await?;
            if deleted.rows_affected() > 0 {
                for statement in OF_PARTS {
                    sqlx::query(statement)
                        .bind(row.record_id)
                        .execute(&mut *transaction)
                        .await?;
                }
                revision::measure(&mut transaction, row.record_id).await?;
            }
            reviewed.deleted += 1;
        }
    }
    transaction.commit().await?;
    Ok(reviewed)
}
