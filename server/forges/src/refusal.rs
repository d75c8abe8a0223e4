//! Why a forge does not accept an upload, in one sentence with the next step.

use std::time::Duration;

/// A refusal of a forge.
#[derive(Clone, Debug)]
pub struct ForgeRefusal {
    /// The kind of refusal.
    pub kind: ForgeRefusalKind,
    /// The sentence for the client.
    pub detail: String,
}

/// The kinds of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForgeRefusalKind {
    /// The operator does not list the address of the API.
    UnlistedApi,
    /// The forge does not accept the token.
    InvalidToken,
    /// The token is not for this repository or commit.
    NotForRepository,
    /// The commit is not a full identifier.
    ShortCommit,
    /// The forge did not answer, or the answer does not come from a forge.
    Unreachable {
        /// Seconds after which a client may try again.
        retry_after_seconds: u64,
    },
}

impl ForgeRefusal {
    pub(super) fn new(kind: ForgeRefusalKind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
        }
    }

    /// The forge did not answer, so a client may try again after `wait`. `detail` is the sentence up to that.
    pub(super) fn unreachable(detail: &str, wait: Duration) -> Self {
        let retry_after_seconds = wait.as_secs().max(1);
        let kind = ForgeRefusalKind::Unreachable {
            retry_after_seconds,
        };
        let again = format!("try again in {retry_after_seconds} seconds.");
        Self::new(kind, format!("{detail}; {again}"))
    }
}
