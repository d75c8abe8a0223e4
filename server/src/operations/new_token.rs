//! A new token: its name, what it may do, and how long. For the command and for the page that make tokens.

use access::{MadeToken, Tokens};
use domain::Timestamp;
use std::time::Duration;
use store::{Purpose, Scope, Store, StoreError, actor::Actor, now};

/// The longest lifetime of a token, in years.
const MAX_YEARS: u64 = 100;

/// A new token.
#[derive(Clone, Debug)]
pub(crate) struct NewToken {
    pub(crate) name: String,
    pub(crate) purpose: Purpose,
    pub(crate) scope: Scope,
    expires_at: Option<Timestamp>,
    is_uuid: bool,
}

impl NewToken {
    /// Without a lifetime, the token is valid until it is revoked.
    pub(crate) fn new(
        name: String,
        purpose: Purpose,
        scope: Scope,
        lifetime: Option<Duration>,
    ) -> Self {
        let expires_at = lifetime.map(|lifetime| {
            let microseconds = i64::try_from(lifetime.as_micros()).unwrap_or(i64::MAX);
            Timestamp(now().0.saturating_add(microseconds))
        });
        Self {
            name,
            purpose,
            scope,
            expires_at,
            is_uuid: false,
        }
    }

    /// The same read token in the form of a UUID, for clients that take no other form.
    pub(crate) fn into_uuid(self) -> Self {
        Self {
            purpose: Purpose::Read,
            is_uuid: true,
            ..self
        }
    }

    pub(crate) async fn make(&self, store: &Store, by: &Actor) -> Result<MadeToken, StoreError> {
        let tokens = Tokens::new(None, store.clone());
        let (name, scope) = (&self.name, &self.scope);
        match self.is_uuid {
            true => {
                let made = tokens.make_read_uuid(name, scope, self.expires_at, by);
                made.await
            }
            false => {
                let made = tokens.make(name, self.purpose, scope, self.expires_at, by);
                made.await
            }
        }
    }

    /// What the token may do, and how long.
    pub(crate) fn sentence(&self) -> String {
        let (name, scope) = (&self.name, &self.scope);
        let permission = match self.purpose {
            Purpose::Upload => format!("upload to {scope}"),
            Purpose::Read => format!("read {scope}"),
            Purpose::Admin => {
                format!("delete from {scope}, and read its records, its audit log and settings")
            }
        };
        let end = self
            .expires_at
            .map_or("until it is revoked".to_owned(), |at| {
                format!("until {}", at.long())
            });
        format!("{name} may {permission}, {end}.")
    }
}

/// Reads the name of a token.
pub(crate) fn token_name(text: &str) -> Result<String, &'static str> {
    let text = text.trim();
    // Bidirectional control characters make a list show text that differs from the stored text.
    let is_hidden = |char: char| {
        char.is_control() || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let is_name = (1..=100).contains(&text.len()) && !text.chars().any(is_hidden);
    // A token is revoked by its name or its number.
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_name && !is_number {
        Ok(text.to_owned())
    } else {
        Err("must be 1 to 100 bytes without control characters, and not a number")
    }
}

/// Reads how long a token is valid, such as `90d`.
pub(crate) fn lifetime(text: &str) -> Result<Duration, String> {
    let lifetime = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    let longest = Duration::from_secs(MAX_YEARS * 366 * 86_400);
    if lifetime.is_zero() || lifetime > longest {
        Err(format!("must be more than 0 and at most {MAX_YEARS} years"))
    } else {
        Ok(lifetime)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lifetime_is_written_with_units() {
        assert_eq!(lifetime("90d"), Ok(Duration::from_secs(90 * 86_400)));
        assert_eq!(lifetime("1h 30min"), Ok(Duration::from_secs(5_400)));
        assert!(lifetime("100y").is_ok());
        for bad in ["", "0s", "90", "-1d", "1000y", "soon"] {
            assert!(lifetime(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_name_fits_on_one_line() {
        assert_eq!(token_name(" ci "), Ok("ci".to_owned()));
        for bad in ["", "12", "  ", "a\nb", "a\u{202e}b", &"x".repeat(101)] {
            assert!(token_name(bad).is_err(), "{bad:?}");
        }
    }
}
