//! What a page can fail with.

use crate::api::JsonText;
use leptos::prelude::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a page cannot be shown, in words for the person who wanted it.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum AppError {
    /// There is no such thing.
    #[error("{0}")]
    NotFound(String),
    /// The server cannot answer now.
    #[error("The dashboard cannot read its database right now. Reload the page in a few seconds.")]
    Unavailable,
    /// The server was not reached, or not understood.
    #[error("The server did not answer. Check your connection and reload the page.")]
    Unreachable,
}

impl FromServerFnError for AppError {
    type Encoder = JsonText;

    fn from_server_fn_error(_: ServerFnErrorErr) -> Self {
        Self::Unreachable
    }
}
