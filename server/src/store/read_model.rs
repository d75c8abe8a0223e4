//! The store as the pages see it.

use super::{Store, StoreError};
use app::{
    AppError, ReadModel,
    domain::{Overview, OverviewQuery, Repository, RepositoryDetail, RepositoryQuery},
};
use async_trait::async_trait;

#[async_trait]
impl ReadModel for Store {
    async fn overview(&self, query: OverviewQuery) -> Result<Overview, AppError> {
        self.overview(query).await.map_err(unavailable)
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
}

fn unavailable(error: StoreError) -> AppError {
    tracing::error!(
        cause = crate::error::chain(&error),
        "a page could not be read from the database"
    );
    AppError::Unavailable
}
