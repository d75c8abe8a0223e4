//! The read model of the pages, on the store.

use app::{AppError, ReadModel};
use async_trait::async_trait;
use domain::{
    Arrivals, AuditPage, AuditQuery, AuditScope, AuthorDetail, AuthorQuery, CommitAuthor, Compare,
    CompareQuery, FlickerList, LedgerPage, LedgerQuery, OrgHistory, OrgQuery, Overview,
    OverviewQuery, Percentage, RecordDetail, RecordQuery, Repository, RepositoryDetail,
    RepositoryQuery, SourceDetail, SourceQuery, TokenList, text::chain,
};
use store::{Reader, Store, StoreError};

/// The data that a page may read.
pub(super) struct StoreModel {
    /// `None` if too many reads are in progress.
    pub(super) reader: Option<Reader>,
    /// For the pages of admins, within the scope of the admin's token.
    pub(super) store: Store,
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
        self.reader()?
            .overview(query, target)
            .await
            .map_err(unavailable)
    }

    async fn org(&self, query: &OrgQuery) -> Result<Option<OrgHistory>, AppError> {
        self.reader()?.org(query).await.map_err(unavailable)
    }

    async fn repository(
        &self,
        repository: &Repository,
        query: &RepositoryQuery,
    ) -> Result<Option<RepositoryDetail>, AppError> {
        self.reader()?
            .repository(repository, query)
            .await
            .map_err(unavailable)
    }

    async fn record(&self, query: &RecordQuery) -> Result<Option<RecordDetail>, AppError> {
        self.reader()?.record_page(query).await.map_err(unavailable)
    }

    async fn source(&self, query: &SourceQuery) -> Result<Option<SourceDetail>, AppError> {
        self.reader()?.source(query).await.map_err(unavailable)
    }

    async fn flicker(&self, repository: &Repository) -> Result<Option<FlickerList>, AppError> {
        self.reader()?
            .flicker(repository)
            .await
            .map_err(unavailable)
    }

    async fn compare(&self, query: &CompareQuery) -> Result<Compare, AppError> {
        self.reader()?.compare(query).await.map_err(unavailable)
    }

    async fn author(&self, query: &AuthorQuery) -> Result<Option<AuthorDetail>, AppError> {
        self.reader()?.author(query).await.map_err(unavailable)
    }

    async fn ledger_page(&self, query: &LedgerQuery) -> Result<LedgerPage, AppError> {
        self.reader()?.ledger_page(query).await.map_err(unavailable)
    }

    async fn audit_page(
        &self,
        query: &AuditQuery,
        scope: &AuditScope,
    ) -> Result<AuditPage, AppError> {
        self.reader()?;
        self.store
            .operator()
            .audit_page(query, scope)
            .await
            .map_err(unavailable)
    }

    async fn tokens(&self, scope: &AuditScope) -> Result<TokenList, AppError> {
        self.reader()?;
        self.store
            .operator()
            .token_list(scope)
            .await
            .map_err(unavailable)
    }

    async fn arrivals(&self, repository: Option<&Repository>) -> Result<Arrivals, AppError> {
        self.reader()?
            .arrivals(repository)
            .await
            .map_err(unavailable)
    }

    async fn repositories_like(&self, name: &str) -> Result<Vec<Repository>, AppError> {
        self.reader()?
            .repositories_like(name)
            .await
            .map_err(unavailable)
    }

    async fn authors_like(&self, name: &str) -> Result<Vec<CommitAuthor>, AppError> {
        self.reader()?
            .authors_found(name)
            .await
            .map_err(unavailable)
    }
}

fn unavailable(error: StoreError) -> AppError {
    tracing::error!(
        cause = chain(&error),
        "a page could not be read from the database"
    );
    AppError::Unavailable
}
