//! Applies the retention rules to the reports of one branch and language.

use config::Rules;
use domain::{DAY, Timestamp};
use store::Judged;

const WEEK: i64 = 7 * DAY;

/// The time from the Monday of the epoch's week to the epoch, which was a Thursday.
const SINCE_MONDAY: i64 = 3 * DAY;

/// Decides for each report of one branch and language, the newest first, whether it is removed.
pub(super) fn decide(rules: Rules, reports: &[Judged], now: Timestamp) -> Vec<bool> {
    let (mut kept, mut last_week) = (0, None);
    let is_removed = |report: &Judged| {
        let week = (report.updated_at.0 + SINCE_MONDAY).div_euclid(WEEK);
        let is_first_of_week = last_week != Some(week);
        let stays = report.is_safe
            || (is_young_enough(rules, report.updated_at, is_first_of_week, now)
                && rules.most.is_none_or(|most| kept < most));
        if stays {
            kept += 1;
            last_week = Some(week);
        }
        !stays
    };
    reports.iter().map(is_removed).collect()
}

fn is_young_enough(rules: Rules, at: Timestamp, is_first_of_week: bool, now: Timestamp) -> bool {
    let is_within =
        |days: Option<u32>| days.is_none_or(|days| now.0 - at.0 <= i64::from(days) * DAY);
    match (rules.all_days, rules.weekly_days) {
        (None, _) => true,
        (Some(_), None) => is_within(rules.all_days),
        (Some(_), Some(_)) => {
            is_within(rules.all_days) || (is_within(rules.weekly_days) && is_first_of_week)
        }
    }
}

/// Returns the reports of one branch and language, the newest first, that are removed. The rules apply separately to confirmed
/// and unconfirmed records, so unconfirmed uploads cannot displace confirmed ones.
pub(super) fn removed<R>(
    rules: Rules,
    all: &[R],
    judged: impl Fn(&R) -> Judged,
    now: Timestamp,
) -> Vec<&R> {
    let (confirmed, unconfirmed): (Vec<_>, Vec<_>) =
        all.iter().partition(|report| judged(report).is_confirmed);
    let mut all_removed = Vec::new();
    for group in [confirmed, unconfirmed] {
        let reports: Vec<_> = group.iter().map(|report| judged(report)).collect();
        let removed = group.iter().zip(decide(rules, &reports, now));
        all_removed
            .extend(removed.filter_map(|(report, is_removed)| is_removed.then_some(*report)));
    }
    all_removed
}
