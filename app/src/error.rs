//! The errors of pages.

use domain::{CommitAuthor, Repository};
use http::StatusCode;
use thiserror::Error;

/// Why a page cannot be shown, in words for the reader.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AppError {
    /// The requested thing does not exist.
    #[error("{0}")]
    NotFound(String),
    /// The repository does not exist.
    #[error("No coverage was uploaded for {name}.")]
    NoRepository {
        /// The requested name.
        name: String,
        /// Repositories with similar names.
        similar: Vec<Repository>,
    },
    /// No record has the author.
    #[error(
        "No record has the author “{name}”. The name must be exactly as CI jobs sent it, including capitals and spaces."
    )]
    NoAuthor {
        /// The requested name.
        name: String,
        /// Authors with similar names.
        similar: Vec<CommitAuthor>,
    },
    /// Only administrators may see the page.
    #[error("Only administrators can see this page. Log in with an admin token.")]
    AdminOnly,
    /// The page is about the whole service, and the reader may see some orgs only.
    #[error("This page covers all orgs of the service, and you may read only some of them.")]
    WholeService,
    /// The server cannot read its database now.
    #[error("The dashboard cannot read its database right now. Try again in a few seconds.")]
    Unavailable,
    /// Too many pages of this kind are being read already.
    #[error("The dashboard is busy with other pages of this kind. Try again in a few seconds.")]
    Busy,
}

impl AppError {
    /// The HTTP status of the page.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NotFound(_) | Self::NoRepository { .. } | Self::NoAuthor { .. } => {
                StatusCode::NOT_FOUND
            }
            Self::AdminOnly | Self::WholeService => StatusCode::FORBIDDEN,
            Self::Unavailable | Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}
