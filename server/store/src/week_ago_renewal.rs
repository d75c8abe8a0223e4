//! Renews the values of the summary's rows from a week ago, once they have expired.

use super::{StoreError, Writer, holding, main_records::week_ago, run::Run, write::Writing};
use domain::Timestamp;

const PAGE: i64 = 200;

/// Repositories after `$2` with rows that are invalid at the moment `$1`. A row without an upload since then has not changed.
const EXPIRED: &str = "
    select distinct s.repository_id from main_records s
    where s.updated_at > $1 and (s.week_ago_until <= $1 or s.week_ago_from > $1) and s.repository_id > $2
    order by s.repository_id limit $3";

impl Writer<'_> {
    /// Renews the rows of the summary whose value of a week ago has expired. Returns the number of their repositories.
    ///
    /// # Errors
    ///
    /// If the database fails, for one repository or for all. Queries read the history for rows that were not renewed.
    pub async fn renew_week_ago(self) -> Result<u32, StoreError> {
        let (moment, mut after, mut renewed, mut failed) = (week_ago::moment(), 0, 0, None);
        loop {
            let page: Vec<i64> = self.store.values(EXPIRED, (moment.0, after, PAGE)).await?;
            let Some(&last) = page.last() else {
                return failed.map_or(Ok(renewed), Err);
            };
            after = last;
            for repository_id in page {
                let transaction = self.store.begin().await?;
                // A long import may lock one repository; the others do not wait for it.
                match renew_alone(transaction, repository_id, moment).await {
                    Ok(()) => renewed += 1,
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
        }
    }
}

async fn renew_alone(
    mut transaction: Writing,
    repository_id: i64,
    moment: Timestamp,
) -> Result<(), StoreError> {
    holding::hold_id(&mut transaction, repository_id).await?;
    week_ago::renew(&mut transaction, repository_id, moment).await?;
    transaction.commit().await
}
