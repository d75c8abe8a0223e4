//! Which org, owner and days a report is about.

use crate::{Day, OrgName, Period, query::query};
use thiserror::Error;

/// The most days from the first to the last day.
const MAX_DAYS: i32 = 366;

query! {
    /// The choices of a report.
    #[derive(Default)]
    pub struct ReportQuery {
        /// The org, with its groups.
        pub org: Option<OrgName> = "org_name",
        /// Only this owner; empty for all.
        pub owner: String = "owner",
        /// The first day; the first day of the quarter if `None`.
        pub from: Option<Day> = "from",
        /// The last day; today if `None`.
        pub to: Option<Day> = "to",
    }
}

/// Why there is no report for some days: a phrase that follows the name of the first day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ReportPeriodError {
    /// The days are in the wrong order, or in the future.
    #[error("must not be after the last day or after today")]
    Order,
    /// The period is too long.
    #[error("must be at most {MAX_DAYS} days before the last day")]
    Length,
}

impl ReportQuery {
    /// The days of the report. A last day in the future is today.
    pub fn period(&self, today: Day) -> Result<Period, ReportPeriodError> {
        let to = self.to.unwrap_or(today).min(today);
        let from = self.from.unwrap_or(to.quarter());
        match to.since(from) {
            ..0 => Err(ReportPeriodError::Order),
            days if days > MAX_DAYS => Err(ReportPeriodError::Length),
            _ => Ok(Period { from, to }),
        }
    }

    /// Periods to choose from, with their names. The first one is the default.
    pub fn choices(today: Day) -> [(&'static str, Period); 4] {
        let quarter = today.quarter();
        let last = Period {
            from: quarter.months_before(3),
            to: quarter.days_before(1),
        };
        let from = |from| Period { from, to: today };
        [
            ("This quarter", from(quarter)),
            ("Last quarter", last),
            ("Last 30 days", from(today.days_before(29))),
            ("Last 7 days", from(today.days_before(6))),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_about_at_most_a_year_that_has_begun() {
        let day = |text: &str| text.parse::<Day>().expect("a day");
        let today = day("2026-11-28");
        let period = |from: Option<&str>, to: Option<&str>| {
            let query = ReportQuery {
                from: from.map(day),
                to: to.map(day),
                ..ReportQuery::default()
            };
            let period = query.period(today);
            period.map(|period| (period.from.to_string(), period.to.to_string()))
        };
        let of = |from: &str, to: &str| Ok((from.to_owned(), to.to_owned()));
        assert_eq!(period(None, None), of("2026-10-01", "2026-11-28"));
        let last = period(None, Some("2026-09-30"));
        assert_eq!(last, of("2026-07-01", "2026-09-30"));
        let future = period(Some("2026-11-28"), Some("2027-01-01"));
        assert_eq!(future, of("2026-11-28", "2026-11-28"));
        for (from, to, error) in [
            ("2026-11-02", "2026-11-01", ReportPeriodError::Order),
            ("2026-11-29", "2026-12-31", ReportPeriodError::Order),
            ("2016-11-28", "2026-11-28", ReportPeriodError::Length),
        ] {
            assert_eq!(period(Some(from), Some(to)), Err(error), "{from}");
        }
        let [_, (_, last), ..] = ReportQuery::choices(day("2026-02-28"));
        assert_eq!((last.from, last.to), (day("2025-10-01"), day("2025-12-31")));
    }
}
