//! The tokens of the service as the settings page shows them: never a secret or a part of one.

use super::{ChoiceError, DAY, Timestamp, choice::choices};

/// A token that expires within this many days expires soon.
pub const SOON_DAYS: i64 = 14;

choices! {
    /// The purpose of a token. Its word is stored in the database.
    Purpose:
    /// To upload.
    Upload = "upload",
    /// To read, if reading is protected.
    Read = "read",
    /// To delete uploaded data and to read the audit log; also to read, if reading is protected.
    Admin = "admin",
}

impl TryFrom<String> for Purpose {
    type Error = ChoiceError;

    fn try_from(word: String) -> Result<Self, ChoiceError> {
        word.parse()
    }
}

/// A token without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct ListedToken {
    /// Its id.
    pub id: i64,
    /// The name given at its creation.
    pub name: String,
    /// What it is for: `upload`, `read` or `admin`; a later release may have more kinds.
    #[cfg_attr(feature = "sql", sqlx(rename = "purpose"))]
    pub kind: String,
    /// Which repositories it covers: `every repository`, `acme/…` or `acme/payments`.
    #[cfg_attr(feature = "sql", sqlx(skip))]
    pub scope: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
    /// When it expires, if it does.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
}

impl ListedToken {
    /// Whether it works at `now`, and for how long.
    pub fn state(&self, now: Timestamp) -> TokenState {
        match (self.revoked_at, self.expires_at) {
            (Some(_), _) => TokenState::Revoked,
            (None, Some(at)) if at <= now => TokenState::Expired,
            (None, Some(at)) if at.0.saturating_sub(now.0) <= SOON_DAYS * DAY => {
                TokenState::ExpiresSoon
            }
            (None, _) => TokenState::Active,
        }
    }
}

/// Whether a token works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenState {
    /// It works.
    Active,
    /// It works for at most [`SOON_DAYS`] more days.
    ExpiresSoon,
    /// It has expired.
    Expired,
    /// An administrator has revoked it.
    Revoked,
}

impl TokenState {
    /// Its name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::ExpiresSoon => "expires soon",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        }
    }
}

/// The tokens that a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenList {
    /// When the page was built; ages and states are relative to it.
    pub now: Timestamp,
    /// The tokens that work first, then the others; each the newest first.
    pub tokens: Vec<ListedToken>,
    /// How many more exist.
    pub hidden: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_a_token_follows_from_its_times() {
        let now = Timestamp(1_794_232_920_000_000);
        let days = |days: i64| Some(Timestamp(now.0 + days * DAY));
        let state = |expires_at, revoked_at| {
            let token = ListedToken {
                id: 1,
                name: "ci".to_owned(),
                kind: "upload".to_owned(),
                scope: "acme/…".to_owned(),
                created_at: Timestamp(0),
                last_used_at: None,
                expires_at,
                revoked_at,
            };
            token.state(now)
        };
        assert_eq!(state(None, None), TokenState::Active);
        assert_eq!(state(days(15), None), TokenState::Active);
        assert_eq!(state(days(14), None), TokenState::ExpiresSoon);
        assert_eq!(state(Some(now), None), TokenState::Expired);
        assert_eq!(state(Some(Timestamp(i64::MIN)), None), TokenState::Expired);
        assert_eq!(state(days(15), days(-1)), TokenState::Revoked);
        assert_eq!(state(days(-3), days(-1)), TokenState::Revoked);
    }
}
