//! Which range an axis shows, and where its ticks stand.

use crate::domain::Timestamp;
use std::ops::Range;

const DAY: i64 = 86_400_000_000;

/// The vertical range in basis points: it fits the data with some air, is never flat, and stays within 0 to 100 %.
pub(super) fn percentages(values: impl Iterator<Item = i32> + Clone) -> Range<i32> {
    let (low, high) = (
        values.clone().min().unwrap_or(0),
        values.max().unwrap_or(10_000),
    );
    let air = ((high - low) / 8).max(100);
    (low - air).max(0)..(high + air).min(10_000)
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

/// The horizontal range in microseconds; a single moment gets a day on each side.
pub(super) fn times(values: impl Iterator<Item = i64> + Clone) -> Range<i64> {
    let (first, last) = (values.clone().min().unwrap_or(0), values.max().unwrap_or(0));
    if first == last {
        first - DAY..last + DAY
    } else {
        first..last
    }
}

/// About `count` evenly spaced moments; they stand on whole days where the range has enough of them.
pub(super) fn time_ticks(range: &Range<i64>, count: i64) -> Vec<i64> {
    let span = range.end - range.start;
    if span < 2 * count * DAY {
        return (0..count)
            .map(|n| range.start + span * (2 * n + 1) / (2 * count))
            .collect();
    }
    let days = span / DAY / count;
    let first = (range.start + DAY - 1).div_euclid(DAY) * DAY;
    (0..=count)
        .map(|n| first + n * days * DAY)
        .take_while(|tick| *tick <= range.end)
        .collect()
}

const FOUR_DAYS: i64 = 4 * DAY;

/// How a tick is written: to the second where the range spans less than ten minutes, to the minute where it spans a few days.
pub(super) fn time_label(range: &Range<i64>, tick: i64) -> String {
    let moment = Timestamp(tick);
    match range.end - range.start {
        ..600_000_000 => moment.time_of_day(),
        600_000_000..FOUR_DAYS => moment.day_and_minute(),
        _ => moment.day(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vertical_range_fits_the_data_and_stays_possible() {
        assert_eq!(percentages([7_800, 8_200].into_iter()), 7_700..8_300);
        assert_eq!(percentages([0].into_iter()), 0..100);
        assert_eq!(percentages([10_000, 10_000].into_iter()), 9_900..10_000);
        assert_eq!(percentages([0, 10_000].into_iter()), 0..10_000);
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
        let year = time_ticks(&(DAY / 3..366 * DAY), 5);
        assert!(
            year.len() >= 5 && year.iter().all(|tick| tick % DAY == 0),
            "{year:?}"
        );
        assert_eq!(time_ticks(&(0..1_000), 5), [100, 300, 500, 700, 900]);
    }
}
