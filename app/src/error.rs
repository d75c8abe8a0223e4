//! What a page can fail with.

use domain::Repository;
use http::StatusCode;
use thiserror::Error;

/// Why a page cannot be shown, in words for the person who wanted it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AppError {
    /// There is no such thing.
    #[error("{0}")]
    NotFound(String),
    /// There is no such repository.
    #[error("No coverage was uploaded for {name}.")]
    NoRepository {
        /// What was asked for.
        name: String,
        /// Repositories that may have been meant.
        alike: Vec<Repository>,
    },
    /// Only whoever administers may see it.
    #[error("Only administrators can see this page. Log in with an admin token.")]
    AdminOnly,
    /// The server cannot answer now.
    #[error("The dashboard cannot read its database right now. Try again in a few seconds.")]
    Unavailable,
    /// The server reads as much as it may already.
    #[error("The dashboard is busy with other pages of this kind. Try again in a few seconds.")]
    Busy,
}

impl AppError {
    /// The status that the page is answered with.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NotFound(_) | Self::NoRepository { .. } => StatusCode::NOT_FOUND,
            Self::AdminOnly => StatusCode::FORBIDDEN,
            Self::Unavailable | Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}
