//! The refusal of a tool: one sentence that states what to do.

use crate::http::error::ApiError;
use store::StoreError;

/// A sentence for the agent. Names in it are delimited.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) String);

impl Refusal {
    pub(super) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self(ApiError::from(error).detail().to_owned())
    }
}
