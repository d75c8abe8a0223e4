//! Settings of the retention of HTML reports.

use super::{Optional, optional::Setting};
use clap::Args;
use domain::RetentionRules as Rules;
use thiserror::Error;

/// How long HTML reports are kept. If none of these variables is set, they are kept forever. Coverage numbers are always kept.
#[derive(Clone, Debug, Default, Args)]
pub struct Retention {
    /// Days for which every HTML report is kept, unless KEEP_REPORTS_PER_BRANCH keeps fewer. The newest HTML report of each language
    /// of a main branch, and the HTML reports of pinned records, are always kept [default: forever].
    #[arg(long, env = "KEEP_REPORTS_DAYS", default_value = "")]
    pub keep_reports_days: Optional<Bound>,

    /// Days for which the newest HTML report of each week, branch and language is kept. Set KEEP_REPORTS_DAYS too, to a smaller
    /// number [default: none].
    #[arg(long, env = "KEEP_WEEKLY_REPORTS_DAYS", default_value = "")]
    pub keep_weekly_reports_days: Optional<Bound>,

    /// The largest number of HTML reports of each branch and language; the newest are kept [default: all].
    #[arg(long, env = "KEEP_REPORTS_PER_BRANCH", default_value = "")]
    pub keep_reports_per_branch: Optional<Bound>,
}

/// Why the retention rules are refused.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetentionError {
    /// KEEP_WEEKLY_REPORTS_DAYS is set, but KEEP_REPORTS_DAYS is not.
    #[error("KEEP_WEEKLY_REPORTS_DAYS needs KEEP_REPORTS_DAYS: set both")]
    WeeklyAlone,
    /// KEEP_WEEKLY_REPORTS_DAYS is not more than KEEP_REPORTS_DAYS.
    #[error(
        "KEEP_WEEKLY_REPORTS_DAYS must be more than KEEP_REPORTS_DAYS: both count days from the upload"
    )]
    WeeklyTooShort,
    /// There are no rules.
    #[error(
        "every HTML report is kept: set KEEP_REPORTS_DAYS (--keep-reports-days) or KEEP_REPORTS_PER_BRANCH (--keep-reports-per-branch)"
    )]
    NoRules,
}

impl Retention {
    /// Checks these settings, and returns them as rules.
    ///
    /// # Errors
    ///
    /// When they remove nothing, or contradict each other.
    pub fn rules(&self) -> Result<Rules, RetentionError> {
        let number = |bound: Optional<Bound>| bound.0.map(|bound| bound.0);
        let rules = Rules {
            all_days: number(self.keep_reports_days),
            weekly_days: number(self.keep_weekly_reports_days),
            most: number(self.keep_reports_per_branch),
        };
        match (rules.all_days, rules.weekly_days) {
            (None, Some(_)) => Err(RetentionError::WeeklyAlone),
            (Some(all), Some(weekly)) if weekly <= all => Err(RetentionError::WeeklyTooShort),
            (None, None) if rules.most.is_none() => Err(RetentionError::NoRules),
            _ => Ok(rules),
        }
    }
}

/// The largest accepted number; in days it is a century. A larger number is refused, because it probably means `forever`.
const MOST: u32 = 36_500;

/// A number of days or of HTML reports, from 1 to 36,500.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound(pub u32);

impl Setting for Bound {
    const NONE: &str = "forever";

    fn read(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(number @ 1..=MOST) => Ok(Self(number)),
            _ => Err("must be a number from 1 to 36,500, or forever".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::NaiveTime;

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
            assert!(text.parse::<Optional<Bound>>().is_err(), "{text}");
        }
        for text in [" ", "forever"] {
            assert_eq!(text.parse::<Optional<Bound>>(), Ok(Optional(None)));
        }
        assert_eq!("".parse::<Optional<NaiveTime>>(), Ok(Optional(None)));
        assert!("25:00".parse::<Optional<NaiveTime>>().is_err());
    }
}
