//! A repository's page: its branches, their trend, and the history of the selected branch.

mod branches;
mod files;
mod history;
mod pull_request;
mod pull_requests;
#[cfg(test)]
mod tests;
mod trend;

pub(super) use trend::{LAST, MOST_LANGUAGES, POINTS, recount_spans, trend_spans};
#[cfg(test)]
pub(super) use {
    branches::{BRANCH_COUNT, BRANCH_ROWS, CHOICES, CURRENT_ROWS, sorted_by},
    history::{HISTORY, HISTORY_COUNT, HISTORY_OF_LANGUAGE, NEWER_HISTORY},
    pull_request::{NEWEST_COMMIT, OF_PULL_REQUEST},
    pull_requests::{NEWEST_PLACE, OLDER},
    trend::{BUCKETS, FIRST, KEPT, LANGUAGES, NEXT},
};

use super::{
    Reader, Store, StoreError, Unsigned, main_branch::shown_branch_id, provisional::is_provisional,
    run::Run, time::now,
};
use domain::{
    BranchName, BranchPage, HISTORY_PAGE, History, HistoryPosition, Language, Repository,
    RepositoryDetail, RepositoryQuery, RepositoryTab, Timestamp, Trend,
};
use sqlx::FromRow;
use std::ops::Range;

pub(super) const MAIN_BRANCH: &str = concat!(
    "select p.id, p.org_name, p.repo_name, coalesce(p.forge, p.reporting_forge) as forge, b.id as branch_id, b.name from repositories p
    join branches b on b.id = ",
    shown_branch_id!(),
    " where p.name_key = $1"
);

pub(super) const BRANCH: &str = concat!(
    "select b.id, b.record_count + (select count(*) from records r
                                    where r.branch_id = b.id and r.unconfirmed_at is not null and not ",
    is_provisional!("r.id"),
    ") as record_count
     from branches b where b.repository_id = $1 and b.name = $2"
);

#[derive(FromRow)]
pub(super) struct Main {
    #[sqlx(rename = "id")]
    pub(super) repository_id: i64,
    /// In the stored spelling.
    #[sqlx(flatten)]
    pub(super) repository: Repository,
    forge: Option<String>,
    pub(super) branch_id: i64,
    #[sqlx(rename = "name")]
    pub(super) branch: BranchName,
}

#[derive(FromRow)]
struct Branch {
    id: i64,
    record_count: Unsigned,
}

/// The range of times of a chart's records, in microseconds.
pub(super) fn times(query: &RepositoryQuery, now: Timestamp) -> Range<i64> {
    let micros = |time: Option<Timestamp>, none| time.map_or(none, |time| time.0);
    micros(query.since(now), i64::MIN)..micros(query.end(now), i64::MAX)
}

/// The maximum number of languages whose new code is counted.
const MAX_NEW_CODE: usize = 8;

impl Reader {
    /// Returns a repository as `query` selects it; `None` if it has no uploads. A branch without uploads has no languages.
    pub async fn repository(
        &self,
        repository: &Repository,
        query: &RepositoryQuery,
    ) -> Result<Option<RepositoryDetail>, StoreError> {
        let Some((store, main)) = self.main_of(repository).await? else {
            return Ok(None);
        };
        let now = now();
        let chosen = query.branch.as_ref().unwrap_or(&main.branch);
        let branch = store.branch_of(main.repository_id, chosen).await?;
        let mut detail = RepositoryDetail {
            now,
            repository: main.repository.clone(),
            forge: main.forge.clone(),
            branch: chosen.clone(),
            languages: Vec::new(),
            current: Vec::new(),
            new_code: Vec::new(),
            choices: store.branch_choices(&main).await?,
            run_url: None,
            files: None,
            branches: BranchPage::default(),
            trend: Trend::default(),
            history: History::default(),
            main_branch: main.branch.clone(),
        };
        if query.tab == RepositoryTab::Branches {
            detail.branches = store.branch_page(&main, query).await?;
        }
        let Some(branch) = branch else {
            return Ok(Some(detail));
        };
        detail.languages = store.languages(branch.id).await?;
        if detail.languages.is_empty() {
            // None of its records was ever current: the page names them.
            detail.history = store.history_of(&branch, query, i64::MIN..i64::MAX).await?;
            return Ok(Some(detail));
        }
        detail.current = store.current_rows(branch.id, &main).await?;
        let newest = detail.current.first().map(|row| row.record.record_id);
        detail.run_url = store.run_url_beside(&main, newest).await?;
        let since = match &query.since {
            Some(since) => since.clone(),
            None => store.new_since(&main.repository).await?,
        };
        for row in detail.current.iter().take(MAX_NEW_CODE) {
            let new = store.new_totals(row.record.record_id, &since, now, None);
            let new = new.await?;
            detail.new_code.extend(new);
        }
        match query.tab {
            RepositoryTab::Files => {
                let shown = detail.shown(query.language.as_ref()).next();
                let shown = shown.map(|row| row.record.clone());
                if let Some(record) = shown {
                    let files = store.files_of_record(branch.id, &record, query).await?;
                    detail.files = Some(files);
                }
                detail.trend = self.shown_trend(&main.repository, query).await?;
            }
            RepositoryTab::History => {
                detail.history = store.history_of(&branch, query, times(query, now)).await?;
            }
            RepositoryTab::Branches | RepositoryTab::Badge => {}
        }
        Ok(Some(detail))
    }

    /// Returns the name of a branch, by default the main branch, and its trend with the trends of the compared branches; `None`
    /// if the repository has no uploads.
    pub async fn trend(
        &self,
        repository: &Repository,
        query: &RepositoryQuery,
    ) -> Result<Option<(BranchName, Trend)>, StoreError> {
        let Some((store, main)) = self.main_of(repository).await? else {
            return Ok(None);
        };
        let name = query.branch.as_ref().unwrap_or(&main.branch).clone();
        let Some(branch) = store.branch_of(main.repository_id, &name).await? else {
            return Ok(None);
        };
        let lines = store.lines(&main, branch.id, &name, query).await?;
        let trend = store
            .trend_of(&lines, query.language.as_ref(), &times(query, now()))
            .await?;
        Ok(Some((name, trend)))
    }

    pub(super) async fn main_of(
        &self,
        repository: &Repository,
    ) -> Result<Option<(&Store, Main)>, StoreError> {
        let Some(store) = self.sees(repository) else {
            return Ok(None);
        };
        let found: Option<Main> = store.first(MAIN_BRANCH, [repository.key()]).await?;
        Ok(found.map(|main| (store, main)))
    }
}

impl Store {
    async fn history_of(
        &self,
        branch: &Branch,
        query: &RepositoryQuery,
        times: Range<i64>,
    ) -> Result<History, StoreError> {
        let language = query.language.as_ref();
        let records = match (branch.record_count, language) {
            (Unsigned(records), None) if times == (i64::MIN..i64::MAX) => records,
            _ => self.history_count(branch.id, language, &times).await?,
        };
        let place = match query.place {
            HistoryPosition::Sorted(_) if records <= HISTORY_PAGE => HistoryPosition::Newest,
            place => place,
        };
        Ok(History {
            records,
            ..self.history(branch.id, language, &times, place).await?
        })
    }

    /// The chosen branch and the branches that it is compared with.
    pub(super) async fn lines(
        &self,
        main: &Main,
        branch_id: i64,
        chosen: &BranchName,
        query: &RepositoryQuery,
    ) -> Result<Vec<(i64, BranchName)>, StoreError> {
        let mut lines = vec![(branch_id, chosen.clone())];
        for branch in query.compared_branches(chosen, &main.branch) {
            if let Some(found) = self.branch_of(main.repository_id, &branch).await? {
                lines.push((found.id, branch));
            }
        }
        Ok(lines)
    }

    /// The id of a branch.
    pub(super) async fn branch_id(
        &self,
        repository_id: i64,
        branch: &BranchName,
    ) -> Result<Option<i64>, StoreError> {
        let found = self.branch_of(repository_id, branch).await?;
        Ok(found.map(|branch| branch.id))
    }

    async fn branch_of(
        &self,
        repository_id: i64,
        branch: &BranchName,
    ) -> Result<Option<Branch>, StoreError> {
        self.first(BRANCH, (repository_id, branch)).await
    }

    pub(super) async fn languages(&self, branch_id: i64) -> Result<Vec<Language>, StoreError> {
        self.values(trend::LANGUAGES, (branch_id, trend::MOST_LANGUAGES))
            .await
    }
}
