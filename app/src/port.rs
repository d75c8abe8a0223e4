//! The questions that pages ask, and what else of the server they may know.

use crate::AppError;
use async_trait::async_trait;
use domain::{
    Arrivals, AuditPage, AuditQuery, AuditScope, AuthorDetail, AuthorQuery, Compare, CompareQuery,
    LedgerPage, LedgerQuery, OrgHistory, OrgQuery, Overview, OverviewQuery, Percentage,
    RecordDetail, RecordQuery, Repository, RepositoryDetail, RepositoryQuery,
};
use std::sync::Arc;

/// What can be read; the server's store answers.
#[async_trait]
pub trait ReadModel: Send + Sync {
    /// One page of repositories; a page past the end is the last one. What has less coverage than `target` needs
    /// attention.
    async fn overview(
        &self,
        query: OverviewQuery,
        target: Percentage,
    ) -> Result<Overview, AppError>;

    /// An organisation with the values of its repositories in a period; none where nothing was ever uploaded.
    async fn org(&self, query: &OrgQuery) -> Result<Option<OrgHistory>, AppError>;

    /// A repository as `query` looks at it; none where nothing was ever uploaded to it. Of a branch that was never uploaded
    /// there are no languages.
    async fn repository(
        &self,
        repository: &Repository,
        query: &RepositoryQuery,
    ) -> Result<Option<RepositoryDetail>, AppError>;

    /// A record with what its page shows; none where there is no such record.
    async fn record(&self, query: &RecordQuery) -> Result<Option<RecordDetail>, AppError>;

    /// Two records side by side, as far as they are asked for and are there.
    async fn compare(&self, query: &CompareQuery) -> Result<Compare, AppError>;

    /// An author with one page of records; none whom no record names.
    async fn author(&self, query: &AuthorQuery) -> Result<Option<AuthorDetail>, AppError>;

    /// One page of the ledger of uploads.
    async fn ledger_page(&self, query: &LedgerQuery) -> Result<LedgerPage, AppError>;

    /// One page of the audit log, of the rows in `scope`.
    async fn audit_page(
        &self,
        query: &AuditQuery,
        scope: &AuditScope,
    ) -> Result<AuditPage, AppError>;

    /// What has come in for a repository, or for all of them in the last hour.
    async fn arrivals(&self, repository: Option<&Repository>) -> Result<Arrivals, AppError>;

    /// A few repositories whose names are like `name`, the most alike first.
    async fn repositories_like(&self, name: &str) -> Result<Vec<Repository>, AppError>;
}

/// The read model as pages find it in their context.
pub type SharedReadModel = Arc<dyn ReadModel>;

/// The rows of the audit log that whoever asks may read; none without an admin token. The server sets it, once it has seen
/// the token.
#[derive(Clone, Debug, Default)]
pub struct AuditAccess(pub Option<AuditScope>);

/// The coverage that repositories should have at least, as the operator sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target(pub Percentage);

/// The address that people and CI jobs reach the service by, without a trailing `/`.
#[derive(Clone, Debug)]
pub struct PublicUrl(pub Arc<str>);

/// What the operator has set up, as far as it matters to those who upload and who look after that.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceFacts {
    /// Whether pages are for readers only.
    pub is_reading_protected: bool,
    /// The issuers whose identities may upload.
    pub issuers: Arc<[Listed]>,
    /// The APIs of forges whose tokens may upload.
    pub apis: Arc<[Listed]>,
}

/// An issuer or an API that the operator lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its kind, as it is listed: `github`, `gitlab`, `gitea` or `other`.
    pub kind: &'static str,
    /// Its address.
    pub address: String,
}
