//! A storage model that refuses every read.

use app::{AppError, StorageModel};
use async_trait::async_trait;
use domain::Storage;
use std::sync::Arc;

pub(super) struct Refused(pub(super) AppError);

#[async_trait]
impl StorageModel for Refused {
    async fn storage(&self) -> Result<Arc<Storage>, AppError> {
        Err(self.0.clone())
    }
}
