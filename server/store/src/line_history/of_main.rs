//! The new code of the current records of main branches, kept in the summary table.
//!
//! A count is valid for its day, because an age slides. What changes a record, its chain or the settings removes the counts: the
//! summary's rows are written again, or [`Store::forget_new_code`] is called. Then the service counts again.

use super::base::VERSION;
use crate::{Store, StoreError, Writer, run::Run, time::now};
use domain::{Day, NewCount};

const PAGE: i64 = 200;

/// The records after `$2` that were not counted on the day `$1`.
const WAITING: &str = "
    select s.record_id from main_records s
    where (s.new_day is null or s.new_day < $1) and s.record_id > $2
    order by s.record_id limit $3";

/// The current records of the main branch of a record's repository that were not counted on the day `$2`.
const WAITING_BESIDE: &str = "
    select s.record_id from main_records s
    where s.repository_id = (select r.repository_id from records r where r.id = $1) and (s.new_day is null or s.new_day < $2)
    order by s.record_id";

/// Nothing is stored if the record's history has changed since it was counted.
const KEEP: &str = "
    update main_records set new_day = $2, new_covered = $3, new_total = $4, new_unknown = $5
    where record_id = $1 and repository_id = (select r.repository_id from records r where r.id = $1)
      and (select h.version from record_histories h
           join records r on r.id = h.record_id and r.revision = h.revision
           where h.record_id = $1) is not distinct from $6";

/// Removes the counts of the repository of a record.
pub(crate) const FORGET_NEW_CODE: &str = "
    update main_records set new_day = null, new_covered = null, new_total = null, new_unknown = null
    where repository_id = (select r.repository_id from records r where r.id = $1)";

impl Writer<'_> {
    /// Counts the new code of all current records of main branches that were not counted today. Returns their number.
    ///
    /// # Errors
    ///
    /// If the database fails, for one record or for all. Pages show no number for records that were not counted.
    pub async fn count_new_code(self) -> Result<u32, StoreError> {
        let today = i64::from(Day::of(now()).0);
        let (mut after, mut counted, mut failed) = (0, 0, None);
        loop {
            let page: Vec<i64> = self.store.values(WAITING, (today, after, PAGE)).await?;
            let Some(&last) = page.last() else {
                return failed.map_or(Ok(counted), Err);
            };
            after = last;
            for record_id in page {
                // One damaged record must not keep the others from being counted.
                match self.store.keep_new_code(record_id).await {
                    Ok(()) => counted += 1,
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
        }
    }

    /// Like [`Self::count_new_code`], for the repository of a record.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn count_new_code_beside(self, record_id: i64) -> Result<(), StoreError> {
        let today = i64::from(Day::of(now()).0);
        let waiting: Vec<i64> = self
            .store
            .values(WAITING_BESIDE, (record_id, today))
            .await?;
        for record_id in waiting {
            self.store.keep_new_code(record_id).await?;
        }
        Ok(())
    }
}

impl Store {
    /// Removes the counts of the repository of a record, because the history of the record has changed.
    pub(crate) async fn forget_new_code(&self, record_id: i64) -> Result<(), StoreError> {
        self.write(|pool| pool.run(FORGET_NEW_CODE, [record_id]))
            .await
    }

    async fn keep_new_code(&self, record_id: i64) -> Result<(), StoreError> {
        // The version before the counts: if the history changes between, nothing is stored.
        let version: Option<i64> = self.first_value(VERSION, [record_id]).await?;
        let (since, now) = (self.new_since_of(record_id).await?, now());
        let new = self.new_by_file(record_id, &since, now).await?;
        let new = new.and_then(|new| new.sum(None));
        let number =
            |of: fn(NewCount) -> u64| new.map(|new| i64::try_from(of(new)).unwrap_or(i64::MAX));
        let values = (
            record_id,
            i64::from(Day::of(now).0),
            number(|new| new.lines.covered),
            number(|new| new.lines.total),
            number(|new| new.unknown),
            version,
        );
        self.write(|pool| pool.run(KEEP, values)).await
    }
}
