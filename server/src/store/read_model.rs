//! Implements the read model of the pages on the store.

use super::{Store, StoreError};
use app::{AppError, ReadModel};
use async_trait::async_trait;
use domain::{
    Arrivals, AuditPage, AuditQuery, AuditScope, AuthorDetail, AuthorQuery, CommitAuthor, Compare,
    CompareQuery, FlickerList, LedgerPage, LedgerQuery, OrgHistory, OrgQuery, Overview,
    OverviewQuery, Percentage, RecordDetail, RecordQuery, Repository, RepositoryDetail,
    RepositoryQuery, SourceDetail, SourceQuery, TokenList,
};

#[async_trait]
impl ReadModel for Store {
    async fn overview(
        &self,
        query: OverviewQuery,
        target: Percentage,
    ) -> Result<Overview, AppError> {
        self.overview(query, target).await.map_err(unavailable)
    }

    async fn org(&self, query: &OrgQuery) -> Result<Option<OrgHistory>, AppError> {
        self.org(query).await.map_err(unavailable)
    }

    async fn repository(
        &self,
        repository: &Repository,
        query: &RepositoryQuery,
    ) -> Result<Option<RepositoryDetail>, AppError> {
        self.repository(repository, query)
            .await
            .map_err(unavailable)
    }

    async fn record(&self, query: &RecordQuery) -> Result<Option<RecordDetail>, AppError> {
        self.record_page(query).await.map_err(unavailable)
    }

    async fn source(&self, query: &SourceQuery) -> Result<Option<SourceDetail>, AppError> {
        self.source(query).await.map_err(unavailable)
    }

    async fn flicker(&self, repository: &Repository) -> Result<Option<FlickerList>, AppError> {
        self.flicker(repository).await.map_err(unavailable)
    }

    async fn compare(&self, query: &CompareQuery) -> Result<Compare, AppError> {
        self.compare(query).await.map_err(unavailable)
    }

    async fn author(&self, query: &AuthorQuery) -> Result<Option<AuthorDetail>, AppError> {
        self.author(query).await.map_err(unavailable)
    }

    async fn ledger_page(&self, query: &LedgerQuery) -> Result<LedgerPage, AppError> {
        self.ledger_page(query).await.map_err(unavailable)
    }

    async fn audit_page(
        &self,
        query: &AuditQuery,
        scope: &AuditScope,
    ) -> Result<AuditPage, AppError> {
        self.audit_page(query, scope).await.map_err(unavailable)
    }

    async fn tokens(&self, scope: &AuditScope) -> Result<TokenList, AppError> {
        self.token_list(scope).await.map_err(unavailable)
    }

    async fn arrivals(&self, repository: Option<&Repository>) -> Result<Arrivals, AppError> {
        self.arrivals(repository).await.map_err(unavailable)
    }

    async fn repositories_like(&self, name: &str) -> Result<Vec<Repository>, AppError> {
        self.repositories_like(name).await.map_err(unavailable)
    }

    async fn authors_like(&self, name: &str) -> Result<Vec<CommitAuthor>, AppError> {
        self.authors_found(name).await.map_err(unavailable)
    }
}

fn unavailable(error: StoreError) -> AppError {
    tracing::error!(
        cause = crate::text::chain(&error),
        "a page could not be read from the database"
    );
    AppError::Unavailable
}
