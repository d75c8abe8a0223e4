//! The start of the axis of a range.

use super::*;

#[test]
fn a_range_that_is_longer_than_the_history_begins_with_the_first_point() {
    let of_days = |days: i64| {
        let mut chart = chart(vec![line("main", &[8_000, 8_100, 8_200])]);
        let first = chart.points().map(|point| point.at).min().expect("a point");
        chart.since = Some(Timestamp(first.0 - days * domain::DAY));
        chart.until = Timestamp(first.0 + 9 * domain::DAY);
        (first, chart.of_range().since.expect("a start"))
    };
    let (first, start) = of_days(90);
    assert_eq!(start, first);
    let (first, start) = of_days(1);
    assert_eq!(start, Timestamp(first.0 - domain::DAY), "a short gap stays");
}
