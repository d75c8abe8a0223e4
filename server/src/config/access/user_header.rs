//! The header in which a trusted proxy names the person it has logged in.

use axum::http::HeaderName;
use std::str::FromStr;

/// The name of a header, or none where the text is empty. There is no default: a proxy that does not set the header
/// would pass on what a client wrote there.
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
