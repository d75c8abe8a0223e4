//! Refusals of this crate.

use forges::{ForgeRefusal, ForgeRefusalKind};
use std::error::Error;
use store::StoreError;
use tokio::task::JoinError;

/// A refusal: the kind, and one sentence with the next step.
#[derive(Debug)]
pub struct AccessError {
    /// The kind of refusal.
    pub kind: Kind,
    /// The sentence for the client.
    pub detail: String,
    /// Seconds after which the same request may succeed. `None` if it never succeeds.
    pub retry_after_seconds: Option<u64>,
    /// The log message that replaces `detail`, if `detail` names people or their groups.
    pub logged_as: Option<&'static str>,
    /// The error that caused the refusal, if the service failed.
    pub cause: Option<Cause>,
}

/// A kind of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No token was sent.
    MissingToken,
    /// The token is unknown, damaged, expired, revoked or refused.
    InvalidToken,
    /// The token is valid, but not for this repository, branch or commit.
    NotForRepository,
    /// The token is valid, but is not an admin token.
    AdminTokenRequired,
    /// The person has logged in, but may read no org.
    NotAReader,
    /// The operator does not list this forge API.
    UnlistedApi,
    /// The commit is not a full identifier.
    ShortCommit,
    /// Too many tokens were refused or are being checked.
    TooMany,
    /// The forge, or the issuer of the identity, did not answer correctly.
    ForgeUnreachable,
    /// The issuer at which people log in did not answer correctly.
    LoginIssuerUnreachable,
    /// The service failed.
    Failed,
}

/// The error behind [`Kind::Failed`].
#[derive(Debug)]
pub enum Cause {
    /// An error of the database.
    Store(StoreError),
    /// A task that panicked or was cancelled.
    Task(JoinError),
}

impl AccessError {
    pub(crate) fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            retry_after_seconds: None,
            logged_as: None,
            cause: None,
        }
    }

    pub(crate) fn invalid_token(detail: impl Into<String>) -> Self {
        Self::new(Kind::InvalidToken, detail)
    }

    pub(crate) fn not_for_repository(detail: impl Into<String>) -> Self {
        Self::new(Kind::NotForRepository, detail)
    }

    pub(crate) fn admin_token_required() -> Self {
        Self::new(
            Kind::AdminTokenRequired,
            "This needs an admin token; the operator creates one with `coverage-dashboard token create --for admin`.",
        )
    }

    pub(crate) fn too_many(seconds: u64, detail: impl Into<String>) -> Self {
        Self::new(Kind::TooMany, detail).retry_after(seconds)
    }

    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_seconds = Some(seconds);
        self
    }

    pub(crate) fn logged_as(mut self, text: &'static str) -> Self {
        self.logged_as = Some(text);
        self
    }

    /// Marks the refusal as final: a retry would fail again.
    pub(crate) fn not_repeated(mut self) -> Self {
        self.retry_after_seconds = None;
        self
    }

    /// Returns whether the client has not proved who it is.
    pub(crate) fn is_unauthorized(&self) -> bool {
        matches!(self.kind, Kind::MissingToken | Kind::InvalidToken)
    }

    fn failed(cause: Cause) -> Self {
        let detail = "The service cannot do this right now; try again in a few seconds, and if it keeps failing, send the request id to the operator.";
        Self {
            cause: Some(cause),
            ..Self::new(Kind::Failed, detail).retry_after(RETRY_SECONDS)
        }
    }
}

/// Seconds after which a failed request may succeed.
const RETRY_SECONDS: u64 = 5;

impl Cause {
    /// Returns the error itself.
    pub fn error(&self) -> &(dyn Error + 'static) {
        match self {
            Self::Store(error) => error,
            Self::Task(error) => error,
        }
    }
}

impl From<StoreError> for AccessError {
    fn from(error: StoreError) -> Self {
        Self::failed(Cause::Store(error))
    }
}

impl From<JoinError> for AccessError {
    fn from(error: JoinError) -> Self {
        Self::failed(Cause::Task(error))
    }
}

impl From<ForgeRefusal> for AccessError {
    fn from(refusal: ForgeRefusal) -> Self {
        let ForgeRefusal { kind, detail } = refusal;
        match kind {
            ForgeRefusalKind::UnlistedApi => Self::new(Kind::UnlistedApi, detail),
            ForgeRefusalKind::InvalidToken => Self::invalid_token(detail),
            ForgeRefusalKind::NotForRepository => Self::not_for_repository(detail),
            ForgeRefusalKind::ShortCommit => Self::new(Kind::ShortCommit, detail),
            ForgeRefusalKind::Unreachable {
                retry_after_seconds,
            } => Self::new(Kind::ForgeUnreachable, detail).retry_after(retry_after_seconds),
        }
    }
}
