//! The pull requests of a repository that were uploaded in the last days.

use crate::{Store, StoreError, run::Run};
use domain::{DAY, PullRequestRow, RunUrl, Timestamp};
use std::collections::HashSet;

const MOST: i64 = 50;

/// The records of pull requests that are current on their branches, or wait for parts.
pub(crate) const PULL_REQUESTS: &str = "
    select c.pull_request, b.name as branch, r.language, r.commit_hash, r.id as record_id,
           r.percentage_basis_points as percentage, a.changed_covered as lines_covered, a.changed_coverable as lines_total,
           r.updated_at,
           case when exists (select 1 from record_completions w where w.record_id = r.id and w.waits_until is not null)
                then 'incomplete' else a.verdict end as verdict
    from (
        select h.id from records h
        where h.repository_id = $1 and h.superseded_at is null and h.updated_at >= $2
        union
        select h.id from record_completions w
        join records h on h.id = w.record_id
        where w.waits_until is not null and h.repository_id = $1 and h.updated_at >= $2
    ) found
    join records r on r.id = found.id
    join record_changes c on c.record_id = r.id
    join branches b on b.id = r.branch_id
    left join record_analyses a on a.record_id = r.id
    where c.pull_request is not null
    order by r.updated_at desc, r.id desc
    limit $3";

const RUN_URL: &str = "
    select run_url from uploads where record_id = $1 and run_url is not null order by id desc limit 1";

impl Store {
    /// Returns the page of the CI run that uploaded a record last, if the upload stated it.
    pub(super) async fn run_url(&self, record_id: i64) -> Result<Option<RunUrl>, StoreError> {
        let url: Option<String> = self.first_value(RUN_URL, [record_id]).await?;
        Ok(url.and_then(|url| url.parse().ok()))
    }

    /// Returns the newest record of each pull request and language that was uploaded in the last days, the newest first.
    pub(super) async fn pull_requests(
        &self,
        repository_id: i64,
        now: Timestamp,
    ) -> Result<Vec<PullRequestRow>, StoreError> {
        let values = (repository_id, now.0 - PullRequestRow::DAYS * DAY, MOST);
        let mut rows: Vec<PullRequestRow> = self.all(PULL_REQUESTS, values).await?;
        let mut seen = HashSet::new();
        rows.retain(|row| seen.insert((row.number.clone(), row.language.clone())));
        Ok(rows)
    }
}
