//! Since when lines count as new.

use crate::{DAY, Day, Timestamp};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// The time or the record since which lines count as new.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum NewSince {
    /// An age in days, 1 to 9999: `90d`.
    Days(u16),
    /// The start of a day, in UTC: `2026-09-01`.
    Day(Day),
    /// A record, by its id: `record:4711`.
    Record(i64),
    /// The record of a commit of the main branch, by 7 or more digits: `commit:35805cc`.
    Commit(String),
    /// The record of the main branch with the commit or tree of a tag: `tag:v2.3`.
    Tag(String),
}

/// The text is no [`NewSince`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "must be an age such as 90d, a date such as 2026-09-01, record:17, commit:35805cc or tag:v2.3"
)]
pub struct NewSinceError;

const MAX_TAG_BYTES: usize = 200;

impl NewSince {
    /// The time; `None` if a record is named.
    pub fn time(&self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Days(days) => Some(Timestamp(now.0 - i64::from(*days) * DAY)),
            Self::Day(day) => Some(day.start()),
            _ => None,
        }
    }
}

/// 90 days.
impl Default for NewSince {
    fn default() -> Self {
        Self::Days(90)
    }
}

impl FromStr for NewSince {
    type Err = NewSinceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let found = match text.split_once(':') {
            Some(("record", id)) if digits(id) => id.parse().ok().map(Self::Record),
            Some(("commit", hash)) => {
                let is_hash = (7..=64).contains(&hash.len())
                    && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
                is_hash.then(|| Self::Commit(hash.to_ascii_lowercase()))
            }
            Some(("tag", name)) => (1..=MAX_TAG_BYTES)
                .contains(&name.len())
                .then(|| Self::Tag(name.to_owned())),
            Some(_) => None,
            None => match text.strip_suffix('d').filter(|days| digits(days)) {
                Some(days) => {
                    let days = days.parse().ok().filter(|days| (1..=9999).contains(days));
                    days.map(Self::Days)
                }
                None => text.parse().ok().map(Self::Day),
            },
        };
        found.ok_or(NewSinceError)
    }
}

impl TryFrom<String> for NewSince {
    type Error = NewSinceError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<NewSince> for String {
    fn from(since: NewSince) -> Self {
        since.to_string()
    }
}

impl fmt::Display for NewSince {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Days(days) => write!(f, "{days}d"),
            Self::Day(day) => write!(f, "{day}"),
            Self::Record(id) => write!(f, "record:{id}"),
            Self::Commit(hash) => write!(f, "commit:{hash}"),
            Self::Tag(name) => write!(f, "tag:{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_a_day_a_record_a_commit_and_a_tag_are_read_as_written() {
        for text in [
            "1d",
            "9999d",
            "2026-09-01",
            "record:4711",
            "commit:35805cc",
            "tag:v2.3",
        ] {
            let since: NewSince = text.parse().expect(text);
            assert_eq!(since.to_string(), text);
        }
        for text in [
            "",
            "0d",
            "10000d",
            "-1d",
            "d",
            "2026-13-01",
            "record:",
            "record:-1",
            "commit:35805c",
            "commit:xyzxyzx",
            "tag:",
            "v2.3",
        ] {
            assert_eq!(text.parse::<NewSince>(), Err(NewSinceError), "{text}");
        }
    }
}
