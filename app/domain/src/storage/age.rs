//! The age groups of HTML reports.

use crate::{DAY, Timestamp, choice::choices};

choices! {
    /// How long ago an HTML report was uploaded.
    Age:
    /// Less than a week ago.
    Week = "0-7d" => "Under 1 week",
    /// One to four weeks ago.
    Weeks = "7-28d" => "1 to 4 weeks",
    /// Four weeks to three months (90 days) ago.
    Months = "28-90d" => "4 weeks to 3 months",
    /// Three to twelve months (365 days) ago.
    Year = "90-365d" => "3 to 12 months",
    /// Longer ago.
    Older = "365d-" => "Over 12 months",
}

impl Age {
    /// The days at which a group ends and the next one begins.
    pub const ENDS: [i64; Self::ALL.len() - 1] = [7, 28, 90, 365];

    /// The times between the groups at `now`: a report belongs to the first group whose time is before its upload.
    pub fn limits(now: Timestamp) -> [Timestamp; Self::ALL.len() - 1] {
        Self::ENDS.map(|days| Timestamp(now.0.saturating_sub(days * DAY)))
    }
}
