//! How long reports are kept, and when the others go.

use crate::retention::Rules;
use chrono::NaiveTime;
use clap::Args;

/// How long the HTML of records is kept; without any of these, for ever. Coverage numbers are always kept.
#[derive(Clone, Debug, Default, Args)]
#[group(id = "retention")]
pub struct Retention {
    /// Days for which every report is kept. The newest of a main branch and those that are pinned are kept beyond that.
    #[arg(long, env = "KEEP_REPORTS_DAYS")]
    pub keep_reports_days: Option<u32>,

    /// Days for which, after that, the newest report of each week is kept, of each branch and language.
    #[arg(long, env = "KEEP_WEEKLY_REPORTS_DAYS", requires = "keep_reports_days")]
    pub keep_weekly_reports_days: Option<u32>,

    /// Reports that are kept of each branch and language at most, the newest ones.
    #[arg(long, env = "KEEP_REPORTS_PER_BRANCH")]
    pub keep_reports_per_branch: Option<u32>,
}

impl Retention {
    /// As rules.
    pub fn rules(&self) -> Rules {
        Rules {
            all_days: self.keep_reports_days,
            weekly_days: self.keep_weekly_reports_days,
            most: self.keep_reports_per_branch,
        }
    }
}

/// Each night, in UTC: `03:00`.
pub(super) fn time_of_day(text: &str) -> Result<NaiveTime, &'static str> {
    NaiveTime::parse_from_str(text, "%H:%M")
        .map_err(|_| "must be a time of day in UTC, such as 03:00")
}
