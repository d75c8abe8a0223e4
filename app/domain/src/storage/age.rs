//! The age groups of HTML reports.

use crate::{DAY, Timestamp};

/// How long ago an HTML report was uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// Less than a week ago.
    Week,
    /// One to four weeks ago.
    Weeks,
    /// Four weeks to three months (90 days) ago.
    Months,
    /// Three to twelve months (365 days) ago.
    Year,
    /// Longer ago.
    Older,
}

impl Age {
    /// All groups, the youngest first.
    pub const ALL: [Self; 5] = [
        Self::Week,
        Self::Weeks,
        Self::Months,
        Self::Year,
        Self::Older,
    ];

    /// The days at which a group ends and the next one begins.
    const ENDS: [i64; Self::ALL.len() - 1] = [7, 28, 90, 365];

    /// The times between the groups at `now`: a report belongs to the first group whose time is before its upload.
    pub fn limits(now: Timestamp) -> [Timestamp; Self::ALL.len() - 1] {
        Self::ENDS.map(|days| Timestamp(now.0.saturating_sub(days * DAY)))
    }

    /// The group in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Week => "Under 1 week",
            Self::Weeks => "1 to 4 weeks",
            Self::Months => "4 weeks to 3 months",
            Self::Year => "3 to 12 months",
            Self::Older => "Over 12 months",
        }
    }

    /// The group in days, such as `7-28d`.
    pub fn days(self) -> &'static str {
        match self {
            Self::Week => "0-7d",
            Self::Weeks => "7-28d",
            Self::Months => "28-90d",
            Self::Year => "90-365d",
            Self::Older => "365d-",
        }
    }
}
