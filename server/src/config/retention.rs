//! Settings of the retention of HTML reports.

use chrono::NaiveTime;
use clap::Args;
use std::str::FromStr;
use thiserror::Error;

/// How long HTML reports are kept; without any of these, forever. Coverage numbers are always kept.
#[derive(Clone, Debug, Default, Args)]
pub struct Retention {
    /// Days for which every HTML report is kept. The newest one of a main branch and pinned ones are kept longer [default:
    /// forever].
    #[arg(
        long,
        env = "KEEP_REPORTS_DAYS",
        default_value = "",
        hide_default_value = true
    )]
    pub keep_reports_days: Bound,

    /// Days for which the newest HTML report of each week, branch and language is kept; more than KEEP_REPORTS_DAYS [default:
    /// none].
    #[arg(
        long,
        env = "KEEP_WEEKLY_REPORTS_DAYS",
        default_value = "",
        hide_default_value = true
    )]
    pub keep_weekly_reports_days: Bound,

    /// The largest number of HTML reports of each branch and language; the newest are kept [default: all].
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
    /// Days for which every HTML report is kept; none is forever.
    pub all_days: Option<u32>,
    /// Days for which the newest HTML report of each week (Monday to Sunday) is kept.
    pub weekly_days: Option<u32>,
    /// The largest number of HTML reports of a branch and language.
    pub most: Option<u32>,
}

/// Why the retention rules are not valid.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetentionError {
    /// Weekly reports without a limit for the others.
    #[error("KEEP_WEEKLY_REPORTS_DAYS needs KEEP_REPORTS_DAYS: set both")]
    WeeklyAlone,
    /// Weekly reports for a shorter time than all reports.
    #[error(
        "KEEP_WEEKLY_REPORTS_DAYS must be more than KEEP_REPORTS_DAYS: both count from the upload"
    )]
    WeeklyTooShort,
    /// There are no rules.
    #[error(
        "every report is kept: set KEEP_REPORTS_DAYS (--keep-reports-days) or KEEP_REPORTS_PER_BRANCH (--keep-reports-per-branch)"
    )]
    NoRules,
}

impl Retention {
    /// The rules.
    ///
    /// # Errors
    ///
    /// When they remove nothing, or contradict each other.
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

/// A century, in days. A larger number is probably meant as forever.
const MOST: u32 = 36_500;

/// A number from 1 to 36,500; an empty text is none, since compose files set empty variables.
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

/// A time of day in UTC such as `03:00`; an empty text is none, since compose files set empty variables.
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
    fn rules_that_remove_nothing_or_contradict_each_other_are_mistakes() {
        assert!(rules("30", "", "").is_ok());
        assert!(rules("30", "365", "20").is_ok());
        assert!(rules("", "", "20").is_ok());
        assert_eq!(rules("", "", ""), Err(RetentionError::NoRules));
        assert_eq!(rules("", "365", "20"), Err(RetentionError::WeeklyAlone));
        assert_eq!(rules("90", "60", ""), Err(RetentionError::WeeklyTooShort));
    }

    #[test]
    fn nothing_and_a_number_in_words_for_ever_are_no_bounds() {
        for text in ["0", "-1", "36501", "999999999", "a month"] {
            assert!(text.parse::<Bound>().is_err(), "{text}");
        }
        assert_eq!(" ".parse(), Ok(Bound(None)));
        assert_eq!("".parse(), Ok(PruneAt(None)));
        assert!("25:00".parse::<PruneAt>().is_err());
    }
}
