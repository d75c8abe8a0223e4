//! The storage for readers of some orgs only: its numbers are about the whole service.

use app::{AppError, StorageModel};
use async_trait::async_trait;
use domain::Storage;
use std::sync::Arc;

pub(super) struct NotOfSomeOrgs;

#[async_trait]
impl StorageModel for NotOfSomeOrgs {
    async fn storage(&self) -> Result<Arc<Storage>, AppError> {
        Err(AppError::WholeService)
    }
}
