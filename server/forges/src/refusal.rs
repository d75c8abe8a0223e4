//! Why a forge does not accept an upload, in one sentence with the next step.

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
    pub(super) fn unlisted(detail: &str) -> Self {
        Self {
            kind: ForgeRefusalKind::UnlistedApi,
            detail: detail.to_owned(),
        }
    }

    pub(super) fn invalid_token(detail: String) -> Self {
        Self {
            kind: ForgeRefusalKind::InvalidToken,
            detail,
        }
    }

    pub(super) fn not_for_repository(detail: String) -> Self {
        Self {
            kind: ForgeRefusalKind::NotForRepository,
            detail,
        }
    }

    pub(super) fn short_commit() -> Self {
        Self {
            kind: ForgeRefusalKind::ShortCommit,
            detail: "must be the full commit identifier of 40 or 64 hexadecimal digits if vcs_api_url is given".to_owned(),
        }
    }

    pub(super) fn unreachable(detail: String, retry_after_seconds: u64) -> Self {
        Self {
            kind: ForgeRefusalKind::Unreachable {
                retry_after_seconds,
            },
            detail,
        }
    }
}
