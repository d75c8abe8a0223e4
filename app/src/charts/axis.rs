//! The range of an axis, and its ticks.

use domain::{DAY, Day, Timestamp};
use std::ops::Range;

/// The distance from the data, in basis points, within which the axis includes the target: a farther target would flatten
/// the line.
const NEAR: i32 = 500;

/// The vertical range in basis points: it fits the data with a margin, and the target if it is near. It is never empty,
/// stays within 0 to 100 %, and begins and ends at whole percents, so that a short text can name it.
pub(super) fn percentages(
    values: impl Iterator<Item = i32> + Clone,
    target: Option<i32>,
) -> Range<i32> {
    let (mut low, mut high) = (
        values.clone().min().unwrap_or(0),
        values.max().unwrap_or(10_000),
    );
    let near = (high - low).max(NEAR);
    if let Some(target) = target.filter(|target| (low - near..=high + near).contains(target)) {
        (low, high) = (low.min(target), high.max(target));
    }
    let air = ((high - low) / 8).max(100);
    let (low, high) = (low - air, high + air);
    (low.div_euclid(100) * 100).max(0)..((high + 99).div_euclid(100) * 100).min(10_000)
}

/// At most six round percentages within a range, in basis points.
pub(super) fn percentage_ticks(range: &Range<i32>) -> Vec<i32> {
    let steps = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 2_500];
    let span = range.end - range.start;
    let step = steps
        .into_iter()
        .find(|step| span / step < 6)
        .unwrap_or(5_000);
    let first = range.start.div_euclid(step) * step;
    (0..)
        .map(|n| first + n * step)
        .skip_while(|tick| *tick < range.start)
        .take_while(|tick| *tick <= range.end)
        .collect()
}

/// The horizontal range in microseconds, from `since` or the first value to `until` or the last value; a single point in
/// time gets a day on each side.
pub(super) fn times(
    values: impl Iterator<Item = i64> + Clone,
    since: Option<i64>,
    until: i64,
) -> Range<i64> {
    let first = values.clone().chain(since).min().unwrap_or(until);
    let last = values.max().unwrap_or(until).max(until);
    if first == last {
        first - DAY..last + DAY
    } else {
        first..last
    }
}

/// A range of this length has ticks at the beginnings of months.
const MONTHS: i64 = 80 * DAY;

/// The months from one tick to the next.
const MONTH_STEPS: [usize; 8] = [1, 2, 3, 6, 12, 24, 60, 120];

/// About `count` ticks: evenly spaced, on whole days, or at the beginnings of months, whichever suits the length of the range.
pub(super) fn time_ticks(range: &Range<i64>, count: i64, is_daily: bool) -> Vec<i64> {
    let span = range.end - range.start;
    if span < 3 * DAY && !is_daily {
        return (0..count)
            .map(|n| range.start + span * (2 * n + 1) / (2 * count))
            .collect();
    }
    if span >= MONTHS {
        let year = Day::of(Timestamp(range.start));
        let firsts = |step| {
            let months = (0..).step_by(step);
            let months = months.map_while(|month| year.month_of_year(month));
            let starts = months.map(|first| first.start().0);
            starts
                .skip_while(|first| *first < range.start)
                .take_while(|first| *first <= range.end)
        };
        let fits = |step: &usize| firsts(*step).nth(count as usize + 1).is_none();
        let step = MONTH_STEPS.into_iter().find(fits);
        return firsts(step.unwrap_or(1_200)).collect();
    }
    // Rounded up, so that less than one step is left after the last tick.
    let days = (span / DAY + count - 1) / count;
    let first = (range.start + DAY - 1).div_euclid(DAY) * DAY;
    (0..=count)
        .map(|n| first + n * days * DAY)
        .take_while(|tick| *tick <= range.end)
        .collect()
}

/// A percentage without trailing zeros: `80`, `80.5`.
pub(super) fn short_percentage(basis_points: i32) -> String {
    match basis_points % 100 {
        0 => (basis_points / 100).to_string(),
        rest if rest % 10 == 0 => format!("{}.{}", basis_points / 100, rest / 10),
        rest => format!("{}.{rest:02}", basis_points / 100),
    }
}

const FOUR_DAYS: i64 = 4 * DAY;

/// The label of a tick: with seconds if the range is under ten minutes, with minutes if it is a few days and no point stands for a day,
/// and the month if it has ticks at the beginnings of months.
pub(super) fn time_label(range: &Range<i64>, tick: i64, is_daily: bool) -> String {
    let moment = Timestamp(tick);
    match range.end - range.start {
        MONTHS.. => moment.day().trim_start_matches("1 ").to_owned(),
        ..600_000_000 if !is_daily => moment.time_of_day(),
        600_000_000..FOUR_DAYS if !is_daily => moment.day_and_minute(),
        _ => moment.day(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vertical_range_fits_the_data_and_stays_within_0_and_100() {
        let fitted = |values: &[i32]| percentages(values.iter().copied(), None);
        assert_eq!(fitted(&[7_800, 8_200]), 7_700..8_300);
        assert_eq!(fitted(&[7_812, 8_043]), 7_700..8_200);
        assert_eq!(fitted(&[0]), 0..100);
        assert_eq!(fitted(&[10_000, 10_000]), 9_900..10_000);
        assert_eq!(fitted(&[0, 10_000]), 0..10_000);
        assert_eq!(fitted(&[]), 0..10_000);
    }

    #[test]
    fn the_vertical_range_includes_only_a_nearby_target() {
        let fitted = |target| percentages([7_800, 8_000].into_iter(), Some(target));
        assert_eq!(fitted(8_500), 7_700..8_600);
        assert_eq!(fitted(7_300), 7_200..8_100);
        assert_eq!(fitted(8_501), 7_700..8_100);
        assert_eq!(fitted(2_000), 7_700..8_100);
    }

    #[test]
    fn the_horizontal_range_goes_from_the_requested_start_to_the_end() {
        let range = |since, until| times([20, 40].into_iter(), since, until);
        assert_eq!(range(None, 60), 20..60);
        assert_eq!(range(Some(5), 60), 5..60);
        assert_eq!(range(Some(30), 30), 20..40, "no point is left out");
        assert_eq!(times([7].into_iter(), None, 7), 7 - DAY..7 + DAY);
    }

    #[test]
    fn ticks_are_round_few_and_inside() {
        assert_eq!(percentage_ticks(&(7_700..8_300)), [7_800, 8_000, 8_200]);
        assert_eq!(
            percentage_ticks(&(0..10_000)),
            [0, 2_000, 4_000, 6_000, 8_000, 10_000]
        );
        for low in (0..9_900).step_by(37) {
            for high in (low + 100..=10_000).step_by(211) {
                let ticks = percentage_ticks(&(low..high));
                assert!(
                    (1..=7).contains(&ticks.len())
                        && ticks.iter().all(|tick| (low..=high).contains(tick)),
                    "{low} to {high}: {ticks:?}"
                );
            }
        }
    }

    #[test]
    fn long_ranges_tick_at_midnight_and_short_ones_evenly() {
        let year = time_ticks(&(DAY / 3..366 * DAY), 5, false);
        assert!(
            year.len() >= 5 && year.iter().all(|tick| tick % DAY == 0),
            "{year:?}"
        );
        assert_eq!(time_ticks(&(0..1_000), 5, false), [100, 300, 500, 700, 900]);
        assert_eq!(time_ticks(&(0..2 * DAY), 5, true), [0, DAY, 2 * DAY]);
        for days in 3..80 {
            let ticks = time_ticks(&(0..days * DAY), 6, false);
            let last = ticks.last().expect("a tick");
            let left = days * DAY - last;
            assert!(
                (3..=7).contains(&ticks.len()) && left < ticks[1],
                "{days} days: {ticks:?}"
            );
        }
        assert_eq!(time_label(&(0..9 * DAY), DAY, false), "2 Jan 1970");
        assert_eq!(time_label(&(0..DAY), DAY, true), "2 Jan 1970");
    }

    #[test]
    fn ranges_of_months_tick_at_the_beginnings_of_months() {
        let labels = |range: Range<i64>, count| {
            let ticks = time_ticks(&range, count, false).into_iter();
            let labels = ticks.map(|tick| time_label(&range, tick, false));
            labels.collect::<Vec<_>>()
        };
        let quarter = labels(40 * DAY..130 * DAY, 6);
        assert_eq!(quarter, ["Mar 1970", "Apr 1970", "May 1970"]);
        let year = labels(40 * DAY..405 * DAY, 6);
        let expected = ["Mar", "May", "Jul", "Sep", "Nov"].map(|month| format!("{month} 1970"));
        assert_eq!(year[..5], expected);
        assert_eq!(labels(40 * DAY..405 * DAY, 2), ["Jul 1970", "Jan 1971"]);
        assert_eq!(labels(0..100_000 * DAY, 6).len(), 3);
    }
}
