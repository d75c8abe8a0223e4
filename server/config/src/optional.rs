//! Settings that may be left out. An empty text counts as none, since compose files set empty variables.

use chrono::NaiveTime;
use http::HeaderName;
use std::{net::SocketAddr, str::FromStr};

/// The value of a setting, if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optional<T>(pub Option<T>);

/// A value that a setting can have.
pub trait Setting: Sized {
    /// A word that means no value, beside the empty text: an empty variable counts as missing, so it means the default.
    const NONE: &str = "";

    /// Reads the value from a text that is not empty.
    ///
    /// # Errors
    ///
    /// The rule that the value must follow.
    fn read(text: &str) -> Result<Self, String>;
}

impl<T> Default for Optional<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Setting> FromStr for Optional<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() || text == T::NONE {
            return Ok(Self(None));
        }
        T::read(text).map(|value| Self(Some(value)))
    }
}

impl Setting for SocketAddr {
    fn read(text: &str) -> Result<Self, String> {
        let rule = "must be an IP address and a port, such as 127.0.0.1:9464";
        text.parse().map_err(|_| rule.to_owned())
    }
}

impl Setting for NaiveTime {
    fn read(text: &str) -> Result<Self, String> {
        let rule = "must be a time of day in UTC, such as 03:00";
        Self::parse_from_str(text, "%H:%M").map_err(|_| rule.to_owned())
    }
}

impl Setting for HeaderName {
    fn read(text: &str) -> Result<Self, String> {
        let rule = "must be the name of a header, such as X-Forwarded-User";
        text.parse().map_err(|_| rule.to_owned())
    }
}
