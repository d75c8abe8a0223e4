//! What the rows of the summary were a week ago, so that lists of changes need not read the history.
//!
//! A row stores the percentage together with the moments for which it is right: until the next record becomes a week
//! old. A query for another moment reads the history. The service renews rows that have expired.

use crate::{
    Store, StoreError, names,
    time::now,
    write::{begin, settle},
};
use domain::{DAY, DROP_DAYS, Timestamp};
use sqlx::AnyConnection;

/// Repositories found at a time.
const PAGE: i64 = 200;

/// What the branch of a row had at a moment: the last record until then, else the first other record.
macro_rules! percentage_at {
    ($row:literal, $moment:literal) => {
        concat!(
            "coalesce(
                 (select h.percentage_basis_points from records h
                  where h.branch_id = ",
            $row,
            ".branch_id and h.language = ",
            $row,
            ".language
                    and h.unconfirmed_at is null and h.updated_at <= ",
            $moment,
            " order by h.updated_at desc limit 1),
                 (select h.percentage_basis_points from records h
                  where h.branch_id = ",
            $row,
            ".branch_id and h.language = ",
            $row,
            ".language
                    and h.unconfirmed_at is null and h.id <> ",
            $row,
            ".record_id
                  order by h.updated_at limit 1))"
        )
    };
}

/// The time of the last record until a moment; 0 if there is none.
macro_rules! last_until {
    ($row:literal, $moment:literal) => {
        concat!(
            "coalesce((select max(h.updated_at) from records h where h.branch_id = ",
            $row,
            ".branch_id and h.language = ",
            $row,
            ".language and h.unconfirmed_at is null and h.updated_at <= ",
            $moment,
            "), 0)"
        )
    };
}

/// The time of the first record after a moment; that of the row's record if there is none.
macro_rules! first_after {
    ($row:literal, $moment:literal) => {
        concat!(
            "coalesce((select min(h.updated_at) from records h where h.branch_id = ",
            $row,
            ".branch_id and h.language = ",
            $row,
            ".language and h.unconfirmed_at is null and h.updated_at > ",
            $moment,
            "), ",
            $row,
            ".updated_at)"
        )
    };
}

/// Whether a row `s` contradicts the records: between its moments the same values hold for each.
macro_rules! is_wrong {
    () => {
        concat!(
            "s.week_ago_from < s.week_ago_until and (s.percentage_week_ago is distinct from ",
            $crate::main_records::week_ago::percentage_at!("s", "s.week_ago_from"),
            " or s.week_ago_from <> ",
            $crate::main_records::week_ago::last_until!("s", "s.week_ago_from"),
            " or s.week_ago_until <> ",
            $crate::main_records::week_ago::first_after!("s", "s.week_ago_from"),
            ")"
        )
    };
}

pub(crate) use {first_after, is_wrong, last_until, percentage_at};

/// The columns of the rows `s` of repository `$1`, for the moment `$2`.
pub(crate) const RENEW: &str = concat!(
    "update main_records as s set percentage_week_ago = ",
    percentage_at!("s", "$2"),
    ", week_ago_from = ",
    last_until!("s", "$2"),
    ", week_ago_until = ",
    first_after!("s", "$2"),
    " where s.repository_id = $1"
);

/// Repositories after `$2` with rows that are not right at the moment `$1`. A row without an upload since then has not changed.
const EXPIRED: &str = "
    select distinct s.repository_id from main_records s
    where s.updated_at > $1 and (s.week_ago_until <= $1 or s.week_ago_from > $1) and s.repository_id > $2
    order by s.repository_id limit $3";

/// A week ago.
pub(super) fn moment() -> Timestamp {
    Timestamp(now().0 - DROP_DAYS * DAY)
}

impl Store {
    /// Renews the rows of the summary whose value of a week ago has expired. Returns the number of their repositories.
    ///
    /// # Errors
    ///
    /// When the database fails, for one repository or for all. Queries read the history for rows that were not renewed.
    pub async fn renew_week_ago(&self) -> Result<u32, StoreError> {
        let (moment, mut after, mut renewed, mut failed) = (moment(), 0, 0, None);
        loop {
            let page: Vec<i64> = sqlx::query_scalar(EXPIRED)
                .bind(moment.0)
                .bind(after)
                .bind(PAGE)
                .fetch_all(&self.readers)
                .await?;
            let Some(&last) = page.last() else {
                return failed.map_or(Ok(renewed), Err);
            };
            after = last;
            for repository_id in page {
                let mut connection = self.writer.acquire().await?;
                let done = renew_alone(&mut connection, repository_id, moment).await;
                // A long import may hold one repository; the others do not wait for it.
                match settle(connection, done).await {
                    Ok(()) => renewed += 1,
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
        }
    }
}

async fn renew_alone(
    connection: &mut AnyConnection,
    repository_id: i64,
    moment: Timestamp,
) -> Result<(), StoreError> {
    let mut transaction = begin(connection).await?;
    names::hold_id(&mut transaction, repository_id).await?;
    renew(&mut transaction, repository_id, moment).await?;
    transaction.commit().await?;
    Ok(())
}

/// Renews the rows of a repository.
pub(super) async fn renew(
    connection: &mut AnyConnection,
    repository_id: i64,
    moment: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query(RENEW)
        .bind(repository_id)
        .bind(moment.0)
        .execute(&mut *connection)
        .await?;
    Ok(())
}
