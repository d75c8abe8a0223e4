//! The questions that pages ask, and what else of the server they may know.

use crate::{
    AppError,
    domain::{
        BranchName, OrgHistory, OrgQuery, Overview, OverviewQuery, Percentage, RecordDetail,
        RecordQuery, Repository, RepositoryDetail,
    },
};
use async_trait::async_trait;
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

    /// A repository with the trend of `branch`, or of its main branch; none where nothing was ever uploaded.
    async fn repository(
        &self,
        repository: &Repository,
        branch: Option<&BranchName>,
    ) -> Result<Option<RepositoryDetail>, AppError>;

    /// A record with what its page shows; none where there is no such record.
    async fn record(&self, query: &RecordQuery) -> Result<Option<RecordDetail>, AppError>;
}

/// The read model as pages find it in their context.
pub type SharedReadModel = Arc<dyn ReadModel>;

/// The coverage that repositories should have at least, as the operator sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target(pub Percentage);

/// The address that people and CI jobs reach the service by, without a trailing `/`.
#[derive(Clone, Debug)]
pub struct PublicUrl(pub Arc<str>);
