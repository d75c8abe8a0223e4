//! A read model that answers every query with "busy", used when too many reads are under way.

use app::{AppError, ReadModel, StorageModel};
use async_trait::async_trait;
use domain::{
    Arrivals, AuditPage, AuditQuery, AuditScope, AuthorDetail, AuthorQuery, CommitAuthor, Compare,
    CompareQuery, FlickerList, LedgerPage, LedgerQuery, OrgHistory, OrgQuery, Overview,
    OverviewQuery, Percentage, RecordDetail, RecordQuery, Repository, RepositoryDetail,
    RepositoryQuery, SourceDetail, SourceQuery, Storage, TokenList,
};
use std::sync::Arc;

/// Marks a request that must not read the store now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Busy;

#[async_trait]
impl ReadModel for Busy {
    async fn overview(&self, _: OverviewQuery, _: Percentage) -> Result<Overview, AppError> {
        Err(AppError::Busy)
    }

    async fn org(&self, _: &OrgQuery) -> Result<Option<OrgHistory>, AppError> {
        Err(AppError::Busy)
    }

    async fn repository(
        &self,
        _: &Repository,
        _: &RepositoryQuery,
    ) -> Result<Option<RepositoryDetail>, AppError> {
        Err(AppError::Busy)
    }

    async fn record(&self, _: &RecordQuery) -> Result<Option<RecordDetail>, AppError> {
        Err(AppError::Busy)
    }

    async fn source(&self, _: &SourceQuery) -> Result<Option<SourceDetail>, AppError> {
        Err(AppError::Busy)
    }

    async fn flicker(&self, _: &Repository) -> Result<Option<FlickerList>, AppError> {
        Err(AppError::Busy)
    }

    async fn compare(&self, _: &CompareQuery) -> Result<Compare, AppError> {
        Err(AppError::Busy)
    }

    async fn author(&self, _: &AuthorQuery) -> Result<Option<AuthorDetail>, AppError> {
        Err(AppError::Busy)
    }

    async fn ledger_page(&self, _: &LedgerQuery) -> Result<LedgerPage, AppError> {
        Err(AppError::Busy)
    }

    async fn arrivals(&self, _: Option<&Repository>) -> Result<Arrivals, AppError> {
        Err(AppError::Busy)
    }

    async fn audit_page(&self, _: &AuditQuery, _: &AuditScope) -> Result<AuditPage, AppError> {
        Err(AppError::Busy)
    }

    async fn tokens(&self, _: &AuditScope) -> Result<TokenList, AppError> {
        Err(AppError::Busy)
    }

    async fn authors_like(&self, _: &str) -> Result<Vec<CommitAuthor>, AppError> {
        Err(AppError::Busy)
    }

    async fn repositories_like(&self, _: &str) -> Result<Vec<Repository>, AppError> {
        Err(AppError::Busy)
    }
}

#[async_trait]
impl StorageModel for Busy {
    async fn storage(&self) -> Result<Arc<Storage>, AppError> {
        Err(AppError::Busy)
    }
}
