//! The header in which a trusted proxy names the logged-in person.

use axum::http::HeaderName;
use std::str::FromStr;

/// The name of a header; an empty text is none. There is no default, because a proxy that does not set the header passes
/// on the client's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserHeader(pub Option<HeaderName>);

impl FromStr for UserHeader {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "" => Ok(Self(None)),
            name => match name.parse() {
                Ok(name) => Ok(Self(Some(name))),
                Err(_) => Err("must be the name of a header, such as X-Forwarded-User"),
            },
        }
    }
}
