//! Prunes reports each night while the service runs.

use super::{Pruned, Pruning, Rules, prune};
use chrono::{Days, NaiveDateTime, NaiveTime, Utc};
use config::ReportGrace;
use domain::text::chain;
use objects::Reports;
use std::time::Duration;
use store::{Store, actor::Actor};
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

/// Prunes each day at `at` (UTC) until the returned value is dropped. Several services on one database may prune at the same
/// time: only one of them prunes each report.
#[expect(clippy::disallowed_methods, reason = "it needs the time of day")]
pub fn prune_nightly(
    store: Store,
    reports: Reports,
    rules: Rules,
    grace: ReportGrace,
    at: NaiveTime,
) -> AbortOnDropHandle<()> {
    let pruning = Pruning {
        rules,
        grace,
        is_dry: false,
    };
    AbortOnDropHandle::new(tokio::spawn(async move {
        let by = Actor::service();
        loop {
            sleep(until(at, Utc::now().naive_utc())).await;
            let mut pruned = Pruned::default();
            let done = prune(&store, &reports, pruning, &by, &mut pruned, |_, _, _| ()).await;
            tracing::info!(
                reports = pruned.reports,
                removed = pruned.removed,
                bytes = pruned.bytes,
                "pruned reports"
            );
            if let Err(error) = done {
                tracing::error!(cause = chain(&error), "cannot prune all reports");
            }
        }
    }))
}

/// The next `at` after `now`.
pub fn next_run(at: NaiveTime, now: NaiveDateTime) -> NaiveDateTime {
    let today = now.date().and_time(at);
    if today > now {
        today
    } else {
        // Only the last representable day has no next day.
        today.checked_add_days(Days::new(1)).unwrap_or(today)
    }
}

fn until(at: NaiveTime, now: NaiveDateTime) -> Duration {
    let left = next_run(at, now) - now;
    left.to_std().unwrap_or(Duration::from_secs(86_400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_night_is_never_now_and_never_more_than_a_day_away() {
        let at = |text: &str| text.parse::<NaiveDateTime>().expect("a time");
        let three = NaiveTime::from_hms_opt(3, 0, 0).expect("a time");
        let hours = |now: &str| until(three, at(now)).as_secs_f64() / 3_600.0;
        assert_eq!(hours("2026-11-21T01:00:00"), 2.0);
        assert_eq!(hours("2026-11-21T03:00:00"), 24.0);
        assert_eq!(hours("2026-12-31T23:00:00"), 4.0);
    }
}
