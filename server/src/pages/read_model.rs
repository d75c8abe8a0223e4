//! The read model of the pages, on the store.

use super::overviews::Overviews;
use app::{AppError, ReadModel, StorageModel};
use async_trait::async_trait;
use domain::{
    Arrivals, AuditPage, AuditQuery, AuthorDetail, AuthorQuery, ColdList, ColdQuery, CommitAuthor,
    Compare, CompareQuery, Day, Deletable, Excerpt, FlickerList, GateHistory, GatePreview,
    GateRules, GatesQuery, LedgerPage, LedgerQuery, OrgHistory, OrgName, OrgOwners, OrgQuery,
    Overview, OverviewQuery, Percentage, PeriodReport, PullRequest, PullRequestDetail,
    PullRequestList, RecordDetail, RecordQuery, RecordTestsDetail, ReportPeriodError, ReportQuery,
    Repository, RepositoryDetail, RepositoryQuery, Scope, SourceDetail, SourceQuery, Storage,
    TestsQuery, TokenList, Views, ViewsQuery, WantedLines, text::chain,
};
use std::sync::Arc;
use store::{Deletion, Reader, Store, StoreError, Trends, now};

pub(super) struct StoreModel {
    /// `None` if too many reads are in progress.
    pub(super) reader: Option<Reader>,
    /// For the pages of admins, within the scopes of the admin.
    pub(super) store: Store,
    pub(super) overviews: Arc<Overviews>,
}

impl StoreModel {
    fn reader(&self) -> Result<&Reader, AppError> {
        self.reader.as_ref().ok_or(AppError::Busy)
    }
}

#[async_trait]
impl ReadModel for StoreModel {
    async fn overview(
        &self,
        query: OverviewQuery,
        target: Percentage,
    ) -> Result<Overview, AppError> {
        answered(self.overviews.get(self.reader()?, query, target).await)
    }

    async fn org(
        &self,
        query: &OrgQuery,
        target: Percentage,
    ) -> Result<Option<OrgHistory>, AppError> {
        let reader = self.reader()?;
        answered(match query.org {
            Some(_) => reader.org(query).await,
            // Its page has no movements.
            None => reader.org_groups(query, target).await,
        })
    }

    async fn repositories_of(&self, org: &OrgName) -> Result<Vec<Repository>, AppError> {
        answered(self.reader()?.repositories_of(org).await)
    }

    async fn repository(
        &self,
        repository: &Repository,
        query: &RepositoryQuery,
    ) -> Result<Option<RepositoryDetail>, AppError> {
        answered(self.reader()?.repository(repository, query).await)
    }

    async fn pull_request(
        &self,
        repository: &Repository,
        number: &PullRequest,
        page: u32,
    ) -> Result<Option<PullRequestDetail>, AppError> {
        answered(self.reader()?.pull_request(repository, number, page).await)
    }

    async fn pull_requests(
        &self,
        repository: &Repository,
        before: Option<i64>,
    ) -> Result<Option<PullRequestList>, AppError> {
        let reader = self.reader()?;
        answered(reader.pull_request_list(repository, before).await)
    }

    async fn record(&self, query: &RecordQuery) -> Result<Option<RecordDetail>, AppError> {
        answered(self.reader()?.record_page(query).await)
    }

    async fn excerpts(&self, wanted: Vec<WantedLines>) -> Result<Vec<Excerpt>, AppError> {
        answered(self.reader()?.excerpts(wanted).await)
    }

    async fn source(&self, query: &SourceQuery) -> Result<Option<SourceDetail>, AppError> {
        answered(self.reader()?.source(query).await)
    }

    async fn tests(&self, query: &TestsQuery) -> Result<Option<RecordTestsDetail>, AppError> {
        answered(self.reader()?.tests_page(query).await)
    }

    async fn flicker(&self, repository: &Repository) -> Result<Option<FlickerList>, AppError> {
        answered(self.reader()?.flicker(repository).await)
    }

    async fn cold(
        &self,
        repository: &Repository,
        query: &ColdQuery,
    ) -> Result<Option<ColdList>, AppError> {
        answered(self.reader()?.cold_list(repository, query).await)
    }

    async fn views(
        &self,
        repository: &Repository,
        query: &ViewsQuery,
    ) -> Result<Option<Views>, AppError> {
        answered(
            self.reader()?
                .views(repository, query, Trends::Wanted)
                .await,
        )
    }

    async fn owners(
        &self,
        org: &OrgName,
        period: &ViewsQuery,
    ) -> Result<Option<OrgOwners>, AppError> {
        answered(self.reader()?.owners(org, period).await)
    }

    async fn gates(&self, query: &GatesQuery) -> Result<Option<GateHistory>, AppError> {
        answered(self.reader()?.gate_history(query).await)
    }

    async fn report(
        &self,
        query: &ReportQuery,
    ) -> Result<Option<(PeriodReport, Option<ReportPeriodError>)>, AppError> {
        let Some(org) = &query.org else {
            return Ok(None);
        };
        let today = Day::of(now());
        let (period, wrong) = match query.period(today) {
            Ok(period) => (period, None),
            Err(wrong) => {
                let [(_, default), ..] = ReportQuery::choices(today);
                (default, Some(wrong))
            }
        };
        let owner = Some(query.owner.as_str()).filter(|owner| !owner.is_empty());
        let report = answered(self.reader()?.period_report(org, period, owner).await)?;
        Ok(report.map(|report| (report, wrong)))
    }

    async fn compare(&self, query: &CompareQuery) -> Result<Compare, AppError> {
        answered(self.reader()?.compare(query).await)
    }

    async fn author(&self, query: &AuthorQuery) -> Result<Option<AuthorDetail>, AppError> {
        answered(self.reader()?.author(query).await)
    }

    async fn ledger_page(&self, query: &LedgerQuery) -> Result<LedgerPage, AppError> {
        answered(self.reader()?.ledger_page(query).await)
    }

    async fn audit_page(
        &self,
        query: &AuditQuery,
        scopes: &[Scope],
    ) -> Result<AuditPage, AppError> {
        self.reader()?;
        answered(self.store.operator().audit_page(query, scopes).await)
    }

    async fn tokens(&self, scopes: &[Scope]) -> Result<TokenList, AppError> {
        self.reader()?;
        answered(self.store.operator().token_list(scopes).await)
    }

    async fn gate_preview(
        &self,
        repository: &Repository,
        rules: &GateRules,
    ) -> Result<Option<GatePreview>, AppError> {
        answered(self.reader()?.gate_preview(repository, rules).await)
    }

    async fn deletable(&self, record: i64) -> Result<Option<Deletable>, AppError> {
        if !answered(self.reader()?.shows_record(record).await)? {
            return Ok(None);
        }
        let what = Deletion::Record(record);
        answered(self.store.operator().deletable(&what).await)
    }

    async fn arrivals(&self, repository: Option<&Repository>) -> Result<Arrivals, AppError> {
        answered(self.reader()?.arrivals(repository).await)
    }

    async fn repositories_like(&self, name: &str) -> Result<Vec<Repository>, AppError> {
        answered(self.reader()?.repositories_like(name).await)
    }

    async fn authors_like(&self, name: &str) -> Result<Vec<CommitAuthor>, AppError> {
        answered(self.reader()?.authors_found(name).await)
    }
}

fn answered<T>(read: Result<T, StoreError>) -> Result<T, AppError> {
    read.map_err(|error| {
        let cause = chain(&error);
        tracing::error!(cause, "a page could not be read from the database");
        AppError::Unavailable
    })
}

/// A storage model that refuses every read.
pub(super) struct Refused(pub(super) AppError);

#[async_trait]
impl StorageModel for Refused {
    async fn storage(&self) -> Result<Arc<Storage>, AppError> {
        Err(self.0.clone())
    }
}
