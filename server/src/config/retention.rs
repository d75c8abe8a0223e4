//! How long reports are kept, and when the others go.

use chrono::NaiveTime;
use clap::Args;
use std::str::FromStr;
use thiserror::Error;

/// How long the HTML of records is kept; without any of these, for ever. Coverage numbers are always kept.
#[derive(Clone, Debug, Default, Args)]
pub struct Retention {
    /// Days from its upload for which every report is kept. The newest of a main branch and those that are pinned are kept
    /// beyond that [default: for ever].
    #[arg(
        long,
        env = "KEEP_REPORTS_DAYS",
        default_value = "",
        hide_default_value = true
    )]
    pub keep_reports_days: Bound,

    /// Days from its upload for which the newest report of each week is kept, of each branch and language; more than the
    /// former [default: none].
    #[arg(
        long,
        env = "KEEP_WEEKLY_REPORTS_DAYS",
        default_value = "",
        hide_default_value = true
    )]
    pub keep_weekly_reports_days: Bound,

    /// Reports that are kept of each branch and language at most, the newest of those that their age leaves [default: all].
    #[arg(
        long,
        env = "KEEP_REPORTS_PER_BRANCH",
        default_value = "",
        hide_default_value = true
    )]
    pub keep_reports_per_branch: Bound,
}

/// How long HTML reports are kept. The default keeps them forever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Days from its upload for which every report is kept; none for ever.
    pub all_days: Option<u32>,
    /// Days from its upload for which the newest report of each week, from Monday on, is kept.
    pub weekly_days: Option<u32>,
    /// Reports of a branch and language that are kept at most, of those that their age leaves.
    pub most: Option<u32>,
}

/// Why reports cannot be kept as it is said.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetentionError {
    /// One a week of what is kept for ever anyway.
    #[error("KEEP_WEEKLY_REPORTS_DAYS thins out what KEEP_REPORTS_DAYS leaves: set that too")]
    WeeklyAlone,
    /// One a week of what is kept for as long anyway.
    #[error(
        "KEEP_WEEKLY_REPORTS_DAYS has to be more than KEEP_REPORTS_DAYS: both are counted from the upload"
    )]
    WeeklyTooShort,
    /// Nothing says what is to go.
    #[error(
        "every report is kept: set KEEP_REPORTS_DAYS (--keep-reports-days) or KEEP_REPORTS_PER_BRANCH (--keep-reports-per-branch)"
    )]
    NoRules,
}

impl Retention {
    /// As rules that remove something.
    ///
    /// # Errors
    ///
    /// When they would not, or contradict each other.
    pub fn rules(&self) -> Result<Rules, RetentionError> {
        let rules = Rules {
            all_days: self.keep_reports_days.0,
            weekly_days: self.keep_weekly_reports_days.0,
            most: self.keep_reports_per_branch.0,
        };
        match (rules.all_days, rules.weekly_days) {
            (None, Some(_)) => Err(RetentionError::WeeklyAlone),
            (Some(all), Some(weekly)) if weekly <= all => Err(RetentionError::WeeklyTooShort),
            (None, None) if rules.most.is_none() => Err(RetentionError::NoRules),
            _ => Ok(rules),
        }
    }
}

/// A century of days. More is no number of days, but somebody's way to say for ever.
const MOST: u32 = 36_500;

/// A number from 1 to 36,500, or none where the text is empty, as compose files leave it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bound(pub Option<u32>);

impl FromStr for Bound {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "" => Ok(Self(None)),
            number => match number.parse() {
                Ok(number @ 1..=MOST) => Ok(Self(Some(number))),
                _ => Err("must be a number from 1 to 36,500; leave it out to keep all"),
            },
        }
    }
}

/// A time of day in UTC such as `03:00`, or none where the text is empty, as compose files leave it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PruneAt(pub Option<NaiveTime>);

impl FromStr for PruneAt {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "" => Ok(Self(None)),
            time => NaiveTime::parse_from_str(time, "%H:%M")
                .map(|time| Self(Some(time)))
                .map_err(|_| "must be a time of day in UTC, such as 03:00"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(all: &str, weekly: &str, most: &str) -> Result<Rules, RetentionError> {
        let retention = Retention {
            keep_reports_days: all.parse().expect("days"),
            keep_weekly_reports_days: weekly.parse().expect("days"),
            keep_reports_per_branch: most.parse().expect("reports"),
        };
        retention.rules()
    }

    #[test]
    fn empty_or_contradictory_retention_rules_are_errors() {
        assert!(rules("30", "", "").is_ok());
        assert!(rules("30", "365", "20").is_ok());
        assert!(rules("", "", "20").is_ok());
        assert_eq!(rules("", "", ""), Err(RetentionError::NoRules));
        assert_eq!(rules("", "365", "20"), Err(RetentionError::WeeklyAlone));
        assert_eq!(rules("90", "60", ""), Err(RetentionError::WeeklyTooShort));
    }

    #[test]
    fn empty_and_forever_mean_no_bound() {
        for text in ["0", "-1", "36501", "999999999", "a month"] {
            assert!(text.parse::<Bound>().is_err(), "{text}");
        }
        assert_eq!(" ".parse(), Ok(Bound(None)));
        assert_eq!("".parse(), Ok(PruneAt(None)));
        assert!("25:00".parse::<PruneAt>().is_err());
    }
}
