//! The pull requests of a repository, a part at a time.

use super::Main;
use crate::{Reader, Store, StoreError, run::Run, time::now};
use domain::{PullRequestList, PullRequestRow, Repository, RunUrl, Verdict};
use sqlx::FromRow;

const MOST: usize = 50;

/// How many records are searched for one part of the list, a window at a time until a window has a pull request.
const WINDOW: i64 = 2_000;
const WINDOWS: u32 = 5;

/// Reads [`PullRequestRow`]s. `$ids` finds the records of one page, and only these are compared with their bases.
macro_rules! pull_request_rows {
    ($ids:expr, $order:literal) => {
        concat!(
            "select c.pull_request, b.name as branch, r.language, r.commit_hash, r.commit_author, r.id as record_id, r.place,
               r.percentage_basis_points as percentage, a.changed_covered as lines_covered, a.changed_coverable as lines_total,
               r.updated_at,
               case when w.waits_until is not null then 'incomplete' else a.verdict end as verdict,
               case when coalesce(w.waits_until, w.closed_at) is not null
                      and r.percentage_basis_points < base.percentage_basis_points
                    then null else r.percentage_basis_points - base.percentage_basis_points end as change
             from (",
            $ids,
            ") page
             join records r on r.id = page.id
             join record_changes c on c.record_id = r.id
             join branches b on b.id = r.branch_id
             join repositories p on p.id = r.repository_id
             left join record_analyses a on a.record_id = r.id
             left join record_completions w on w.record_id = r.id
             left join records base on base.id = ",
            $crate::base::base_id!("p.main_branch_id"),
            " order by ",
            $order
        )
    };
}

pub(super) use pull_request_rows;

/// The newest record of each pull request and language among the records of a repository from the place `$3` on, before the place
/// `$2`. The `||` operator keeps SQLite from reading the pull requests of all repositories.
pub(crate) const OLDER: &str = pull_request_rows!(
    "select r.id from (
        select h.id from records h
        where h.repository_id = $1 and h.place < $2 and h.place >= $3
    ) found
    join records r on r.id = found.id
    join record_changes c on c.record_id = r.id
    where c.pull_request is not null and not exists (
        select 1 from records n
        join record_changes m on m.record_id = n.id
        where n.branch_id = r.branch_id and n.language = r.language and n.updated_at > r.updated_at
          and m.pull_request || '' = c.pull_request)
    order by r.place desc
    limit $4",
    "r.place desc"
);

pub(crate) const NEWEST_PLACE: &str = "
    select place from records where repository_id = $1 order by place desc limit 1";

const RUN_URL: &str = "
    select run_url from uploads where record_id = $1 and run_url is not null order by id desc limit 1";

#[derive(FromRow)]
struct Placed {
    place: i64,
    #[sqlx(flatten)]
    row: PullRequestRow,
}

impl Reader {
    /// Returns pull requests of a repository, the newest first, before the place of a record if one is given; `None` if the
    /// repository has no uploads. A part of the list may be short although there are more.
    pub async fn pull_request_list(
        &self,
        repository: &Repository,
        before: Option<i64>,
    ) -> Result<Option<PullRequestList>, StoreError> {
        let Some((store, main)) = self.main_of(repository).await? else {
            return Ok(None);
        };
        let (mut rows, before) = store.older(main.repository_id, before).await?;
        let rules = store.writer().gate_rules(&main.repository).await?;
        let rules = rules.unwrap_or_default();
        for row in &mut rows {
            if row.verdict == Some(Verdict::Failed) {
                row.reasons = store.reasons(row.record_id, &rules).await?;
            }
        }
        let newest = rows.first().map(|row| row.record_id);
        let run_url = store.run_url_beside(&main, newest).await?;
        Ok(Some(PullRequestList {
            now: now(),
            repository: main.repository,
            forge: main.forge,
            run_url,
            rows,
            before,
        }))
    }
}

impl Store {
    /// Returns the page of the CI run that uploaded a record last, if the upload stated it.
    async fn run_url(&self, record_id: i64) -> Result<Option<RunUrl>, StoreError> {
        let url: Option<String> = self.first_value(RUN_URL, [record_id]).await?;
        Ok(url.and_then(|url| url.parse().ok()))
    }

    /// Returns the page of the job of a record, if no upload named the forge.
    pub(super) async fn run_url_beside(
        &self,
        main: &Main,
        record_id: Option<i64>,
    ) -> Result<Option<RunUrl>, StoreError> {
        match record_id.filter(|_| main.forge.is_none()) {
            Some(record_id) => self.run_url(record_id).await,
            None => Ok(None),
        }
    }

    /// Returns the next pull requests before a place, and the place where the list continues.
    pub(crate) async fn older(
        &self,
        repository_id: i64,
        before: Option<i64>,
    ) -> Result<(Vec<PullRequestRow>, Option<i64>), StoreError> {
        let newest: Option<i64> = self.first_value(NEWEST_PLACE, [repository_id]).await?;
        let end = newest.unwrap_or(0).saturating_add(1);
        let mut end = before.unwrap_or(end).clamp(0, end);
        for _ in 0..WINDOWS {
            let start = end.saturating_sub(WINDOW);
            let values = (repository_id, end, start, MOST as i64 + 1);
            let mut found: Vec<Placed> = self.all(OLDER, values).await?;
            let is_cut = found.len() > MOST;
            found.truncate(MOST);
            end = match found.last() {
                Some(last) if is_cut => last.place,
                _ => start,
            };
            if !found.is_empty() || end <= 1 {
                let rows = found.into_iter().map(|placed| placed.row).collect();
                return Ok((rows, (end > 1).then_some(end)));
            }
        }
        Ok((Vec::new(), Some(end)))
    }
}
