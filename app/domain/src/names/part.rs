//! The name of a part of a commit's tests.

use super::NameError;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A part of a commit's tests, such as `unit`. The unnamed part has the empty name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PartName(String);

impl PartName {
    const RULE: &str =
        "must be 1 to 64 lower-case letters, digits or . _ -, and begin with a letter or a digit";

    /// The name as text; empty for the unnamed part.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The segment for it in an address: `-` for the unnamed part, because no other part can have this name.
    pub fn segment(&self) -> &str {
        if self.is_named() { &self.0 } else { "-" }
    }

    /// Reads the segment of an address.
    pub fn of_segment(segment: &str) -> Result<Self, NameError> {
        match segment {
            "-" => Ok(Self::default()),
            name => name.parse(),
        }
    }

    /// Whether it has a name.
    pub fn is_named(&self) -> bool {
        !self.0.is_empty()
    }
}

impl FromStr for PartName {
    type Err = NameError;

    /// Reads a name; an empty one is refused.
    fn from_str(text: &str) -> Result<Self, NameError> {
        if is_part(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(NameError(Self::RULE))
        }
    }
}

impl TryFrom<String> for PartName {
    type Error = NameError;

    /// Reads a stored name, which may be empty.
    fn try_from(text: String) -> Result<Self, NameError> {
        if text.is_empty() || is_part(&text) {
            Ok(Self(text))
        } else {
            Err(NameError(Self::RULE))
        }
    }
}

impl From<PartName> for String {
    fn from(name: PartName) -> Self {
        name.0
    }
}

impl fmt::Display for PartName {
    /// Writes the name for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_named() { &self.0 } else { "unnamed" })
    }
}

fn is_part(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let allowed = |byte: u8| is_plain(byte) || b"._-".contains(&byte);
    text.len() <= 64 && text.bytes().next().is_some_and(is_plain) && text.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_a_lower_case_name_or_none() {
        for good in ["e2e", "py3.12-linux", "0", &"a".repeat(64)] {
            assert!(good.parse::<PartName>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "../e2e",
            "a/b",
            "E2E",
            ".a",
            "-a",
            "a b",
            &"a".repeat(65),
        ] {
            assert!(bad.parse::<PartName>().is_err(), "{bad:?}");
        }
        assert_eq!(PartName::try_from(String::new()), Ok(PartName::default()));
    }
}
