//! Runs long computations on threads that may block.

use super::StoreError;
use lines::{DecodeError, Limits, Lines, TestSets};
use tokio::task;

pub(crate) async fn blocking<T: Send + 'static>(
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    task::spawn_blocking(compute)
        .await
        .map_err(StoreError::Stopped)
}

/// Like [`blocking`], for lines or changes of a record, which may be damaged.
pub(crate) async fn decoding<T: Send + 'static>(
    record: i64,
    decode: impl FnOnce() -> Result<T, DecodeError> + Send + 'static,
) -> Result<T, StoreError> {
    let decoded = blocking(decode).await?;
    decoded.map_err(|source| StoreError::Lines { record, source })
}

pub(crate) async fn lines(record: i64, encoded: Vec<u8>) -> Result<Lines, StoreError> {
    decoding(record, move || Lines::decode(&encoded, &Limits::default())).await
}

/// The tests of lines; empty without a blob.
pub(crate) async fn tests(record: i64, encoded: Option<Vec<u8>>) -> Result<TestSets, StoreError> {
    match encoded {
        Some(blob) => decoding(record, move || TestSets::decode(&blob, &Limits::default())).await,
        None => Ok(TestSets::default()),
    }
}
