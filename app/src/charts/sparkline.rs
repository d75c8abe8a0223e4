//! The trend of a table row: a small line without axes that only shows the direction.

use domain::{DayPoint, Timestamp};
use leptos::prelude::*;
use std::fmt::Write;

/// The drawing's size and the margin around the line, in tenths of a pixel.
const WIDTH: i64 = 960;
const HEIGHT: i64 = 240;
const AIR: i64 = 25;

/// The minimum range of the height, in basis points: small changes must not look like large ones.
const LEAST_SPAN: i64 = 200;

/// The most points of a line, about one for every three pixels.
const MOST: usize = 32;

/// The trend of a period, oldest first, with at most [`MOST`] points. The last value continues until the end; dashed if it is
/// stale. It is hidden from screen readers, because the row has its changes as numbers.
pub(crate) fn sparkline(
    points: &[DayPoint],
    (since, until): (Timestamp, Timestamp),
    is_stale: bool,
) -> impl IntoView + use<> {
    let step = points.len().div_ceil(MOST).max(1);
    let mut points: Vec<_> = points.iter().rev().step_by(step).copied().collect();
    points.reverse();
    let line = Line::of(&points, since, until)?;
    let tail_class = if is_stale { "old" } else { "line" };
    Some(view! {
        <svg class="spark" viewBox="0 0 96 24" aria-hidden="true">
            <path class="line" d=line.path></path>
            <path class=tail_class d=line.tail></path>
            <circle cx=line.last.0 cy=line.last.1 r="2"></circle>
        </svg>
    })
}

struct Line {
    path: String,
    tail: String,
    last: (String, String),
}

impl Line {
    fn of(points: &[DayPoint], since: Timestamp, until: Timestamp) -> Option<Self> {
        let values = || {
            points
                .iter()
                .map(|point| i64::from(point.percentage.basis_points()))
        };
        let (lowest, highest) = (values().min()?, values().max()?);
        let span = (highest - lowest).max(LEAST_SPAN);
        let middle = (lowest + highest) / 2;
        let (since, until) = (since.0, until.0.max(since.0));
        let length = ((until - since) / 1_000).max(1);
        let at = |point: &DayPoint| {
            let moment = point.at.0.clamp(since, until);
            let from_middle = i64::from(point.percentage.basis_points()) - middle;
            (
                AIR + (moment - since) / 1_000 * (WIDTH - 2 * AIR) / length,
                HEIGHT / 2 - from_middle * (HEIGHT - 2 * AIR) / span,
            )
        };
        let mut path = String::new();
        for (index, point) in points.iter().enumerate() {
            let (x, y) = at(point);
            let command = if index == 0 { 'M' } else { 'L' };
            // Writing to a string cannot fail.
            let _ = write!(path, "{command}{} {}", tenths(x), tenths(y));
        }
        let (x, y) = at(points.last()?);
        Some(Self {
            path,
            tail: format!("M{} {}H{}", tenths(x), tenths(y), tenths(WIDTH - AIR)),
            last: (tenths(x), tenths(y)),
        })
    }
}

/// `12.3`.
fn tenths(number: i64) -> String {
    format!("{}.{}", number / 10, number % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{DAY, Percentage, TREND_DAYS};

    const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

    fn line(points: &[(i64, u16)]) -> Line {
        let points: Vec<_> = points
            .iter()
            .map(|&(days, basis_points)| DayPoint {
                at: Timestamp(NOW.0 - days * DAY),
                percentage: Percentage::from_basis_points(basis_points),
            })
            .collect();
        Line::of(&points, Timestamp(NOW.0 - TREND_DAYS * DAY), NOW).expect("a line")
    }

    #[test]
    fn a_line_starts_with_the_value_before_its_days_and_ends_now() {
        let line = line(&[(90, 7_000), (15, 9_000), (0, 8_000)]);
        assert_eq!(line.path, "M2.5 21.5L48.0 2.5L93.5 12.0");
        assert_eq!(line.tail, "M93.5 12.0H93.5");
    }

    #[test]
    fn time_without_records_is_a_tail_from_the_last_record_to_now() {
        let line = line(&[(40, 8_000), (20, 8_000)]);
        assert_eq!(line.path, "M2.5 12.0L32.8 12.0");
        assert_eq!(line.tail, "M32.8 12.0H93.5");
        assert_eq!(line.last, ("32.8".to_owned(), "12.0".to_owned()));
    }

    #[test]
    fn a_small_change_does_not_look_like_a_large_one() {
        assert_eq!(line(&[(30, 8_000), (0, 8_010)]).path, "M2.5 12.4L93.5 11.6");
    }

    #[test]
    fn extreme_numbers_and_clocks_set_back_are_drawn_inside() {
        for points in [
            &[(0, 0)][..],
            &[(9_000, 10_000), (-40, 0)],
            &[(30, 0), (1, 10_000)],
        ] {
            let line = line(points);
            let numbers = line
                .path
                .split(['M', 'L', ' ', 'H'])
                .filter(|part| !part.is_empty());
            for number in numbers {
                let number: f64 = number.parse().expect("a number");
                assert!((2.0..=94.0).contains(&number), "{}", line.path);
            }
        }
        assert!(Line::of(&[], NOW, NOW).is_none());
    }
}
