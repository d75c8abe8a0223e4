//! Reads the ledger for its page: filtered, starting at any row.

use super::super::{
    Reader, StoreError, Unsigned,
    paging::cut,
    sql::ScopedText,
    text::{containing, storable},
    time::now,
};
use crate::sql::readable;
use domain::{LastDay, LedgerPage, LedgerQuery, Outcome, Sender, Timestamp, UploadAttempt};

pub(crate) const PAGE_SIZE: usize = 25;

/// The maximum number of rows counted for the last 24 hours.
pub(crate) const COUNTED: i64 = 10_000;

const DAY: i64 = 86_400_000_000;

/// The columns of an [`UploadAttempt`]. A record may have been deleted since the attempt, or moved to a repository that the reader
/// may not see.
macro_rules! attempt_columns {
    () => {
        concat!("u.id, u.received_at, u.milliseconds, nullif(u.request_id, '') as request_id, u.org_name, u.repo_name, u.branch_name, u.commit_hash, u.language, u.part,
         case when u.token_name is null then 0 else 1 end as is_known, u.token_name, u.status, u.code, u.detail,
         (select r.id from records r where r.id = u.record_id and ", $crate::sql::readable_record!("r"), ") as record_id,
         u.report_format, u.bytes, u.run_url, u.client,
         (select a.changed_covered from record_analyses a join records r on r.id = a.record_id
          where a.record_id = u.record_id and ", $crate::sql::readable_record!("r"), ") as lines_covered,
         (select a.changed_coverable from record_analyses a join records r on r.id = a.record_id
          where a.record_id = u.record_id and ", $crate::sql::readable_record!("r"), ") as lines_total")
    };
}

pub(super) use attempt_columns;

/// The last row that a page with a filter searches, and the row after it.
pub(crate) const WINDOW_END: &str =
    "select id from uploads where id < $1 order by id desc limit 2 offset $2";

pub(crate) const LAST_DAY: ScopedText = ScopedText::new(concat!(
    "select count(*) as attempts,
           coalesce(sum(case when w.status >= 400 then 1 else 0 end), 0) as refused,
           coalesce(sum(case when w.token_name is null then 1 else 0 end), 0) as unknown
    from (select u.received_at, u.status, u.token_name from uploads u where ",
    readable!("u"),
    " and u.id >= $3 order by u.id desc limit $1) w
    where w.received_at >= $2"
));

impl Reader {
    /// Returns one page of the ledger.
    pub async fn ledger_page(&self, query: &LedgerQuery) -> Result<LedgerPage, StoreError> {
        let now = now();
        let before = query.before.unwrap_or(i64::MAX);
        let is_part = query.has_filter() || !self.scope().is_all();
        let window_end = match is_part {
            true => self.within_found().window_end(WINDOW_END, before).await?,
            false => None,
        };
        let mut attempts = self.attempts(query, before, window_end).await?;
        let next = match cut(&mut attempts, PAGE_SIZE) {
            true => attempts.last().map(|last| last.id),
            false => window_end,
        };
        Ok(LedgerPage {
            now,
            query: query.clone(),
            last_day: self.last_day(now).await?,
            attempts,
            next,
        })
    }

    async fn attempts(
        &self,
        filter: &LedgerQuery,
        before: i64,
        window_end: Option<i64>,
    ) -> Result<Vec<UploadAttempt>, StoreError> {
        const ATTEMPTS: ScopedText = ScopedText::new(concat!(
            "select ",
            attempt_columns!(),
            " from uploads u where ",
            readable!("u"),
            " and u.id < "
        ));
        let mut query = ATTEMPTS.with(());
        query.push_bind(before);
        query
            .push(" and u.id >= ")
            .push_bind(window_end.unwrap_or(0));
        query.push(match filter.outcome {
            None => "",
            Some(Outcome::Taken) => " and u.status < 400",
            Some(Outcome::Refused) => " and u.status >= 400",
        });
        query.push(match filter.sender {
            None => "",
            Some(Sender::Known) => " and u.token_name is not null",
            Some(Sender::Unknown) => " and u.token_name is null",
        });
        if !filter.code.is_empty() {
            query
                .push(" and u.code = ")
                .push_bind(storable(&filter.code));
        }
        if !filter.repository.is_empty() {
            query.push(" and ").push_like(
                "lower(coalesce(u.org_name, '') || '/' || coalesce(u.repo_name, ''))",
                &containing(&filter.repository),
            );
        }
        query
            .push(" order by u.id desc limit ")
            .push_bind(Unsigned::from(PAGE_SIZE + 1));
        Ok(self.shown_attempts(self.all(query).await?))
    }

    /// The first row to search for a reader of some orgs. Without this limit, the search would read many rows of other orgs.
    pub(super) async fn first_searched(&self) -> Result<i64, StoreError> {
        if self.scope().is_all() {
            return Ok(0);
        }
        let window_end = self.within_found().window_end(WINDOW_END, i64::MAX);
        Ok(window_end.await?.unwrap_or(0))
    }

    /// Removes the details that the reader may not see.
    pub(super) fn shown_attempts(&self, mut attempts: Vec<UploadAttempt>) -> Vec<UploadAttempt> {
        for attempt in &mut attempts {
            if self.is_about_others(attempt) {
                attempt.detail = None;
            }
        }
        attempts
    }

    /// Whether the reason of a refusal may contain data that the reader may not see: the purpose of a token, or that a containing
    /// org has no room left.
    fn is_about_others(&self, attempt: &UploadAttempt) -> bool {
        if attempt.code != "quota_exceeded" {
            return !self.scope().is_all() && [401, 403].contains(&attempt.status);
        }
        let org = attempt.org.as_deref().unwrap_or_default();
        let topmost = org.split('/').next().unwrap_or_default().parse();
        !topmost.is_ok_and(|org| self.scope().covers_org(&org))
    }

    async fn last_day(&self, now: Timestamp) -> Result<LastDay, StoreError> {
        let values = [COUNTED, now.0 - DAY, self.first_searched().await?];
        let last_day: LastDay = self.one(LAST_DAY.with(values)).await?;
        Ok(LastDay {
            is_cut: i64::from(last_day.attempts) >= COUNTED,
            ..last_day
        })
    }
}
