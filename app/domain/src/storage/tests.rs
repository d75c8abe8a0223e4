//! Tests of shares, ages and the forecast.

use super::*;
use crate::DAY;

const MB: u64 = 1_000_000;

#[test]
fn a_share_is_in_tenths_of_a_percent_and_nothing_of_nothing_has_none() {
    let of = |bytes| Stored { reports: 1, bytes };
    assert_eq!(of(1).share_of(of(3)), Some(333));
    assert_eq!(of(u64::MAX).share_of(of(u64::MAX)), Some(1_000));
    assert_eq!(of(0).share_of(of(0)), None);
}

#[test]
fn the_limits_of_ages_become_older_and_each_group_has_its_own_words() {
    let now = Timestamp(20_000 * DAY);
    let days = Age::limits(now).map(|limit| (now.0 - limit.0) / DAY);
    assert_eq!(days, [7, 28, 90, 365]);
    for (young, old) in Age::ALL.iter().zip(&Age::ALL[1..]) {
        assert_ne!(young.label(), old.label());
        assert_ne!(young.word(), old.word());
    }
}

#[test]
fn growth_is_measured_over_a_month_or_less_but_never_under_a_week() {
    assert_eq!(Growth::window(400, None), Some(30));
    assert_eq!(Growth::window(12, None), Some(12));
    assert_eq!(Growth::window(6, None), None);
    assert_eq!(
        Growth::window(400, Some(10)),
        Some(10),
        "older ones were pruned"
    );
    assert_eq!(Growth::window(400, Some(3)), None);
    assert_eq!(Growth::window(400, Some(90)), Some(30));
}

#[test]
fn a_forecast_adds_the_same_bytes_each_day() {
    let growth = Growth {
        days: 10,
        bytes: 5 * MB,
    };
    let forecast = Forecast::new(growth, 100 * MB, [0, 0], None);
    assert_eq!(forecast.bytes, [115 * MB, 145 * MB]);
}

#[test]
fn a_forecast_subtracts_what_the_service_prunes() {
    let growth = Growth {
        days: 10,
        bytes: 10 * MB,
    };
    let pruned = [40 * MB, 90 * MB];
    let forecast = Forecast::new(growth, 100 * MB, pruned, None);
    assert_eq!(forecast.bytes, [90 * MB, 100 * MB]);
    let forecast = Forecast::new(growth, 100 * MB, pruned, Some(20));
    assert_eq!(
        forecast.bytes,
        [80 * MB, 30 * MB],
        "new ones are pruned too"
    );
}

#[test]
fn a_forecast_of_any_numbers_neither_overflows_nor_is_negative() {
    let growth = Growth {
        days: 1,
        bytes: u64::MAX,
    };
    assert_eq!(
        Forecast::new(growth, u64::MAX, [0, 0], None).bytes,
        [u64::MAX; 2]
    );
    let none = Growth { days: 30, bytes: 0 };
    assert_eq!(Forecast::new(none, 1, [2, 2], None).bytes, [0, 0]);
}

#[test]
fn a_quota_is_reached_in_whole_days_now_or_never() {
    let growth = |bytes| Growth { days: 30, bytes };
    assert_eq!(days_until(100 * MB, 70 * MB, growth(60 * MB)), Some(15));
    assert_eq!(days_until(100 * MB, 100 * MB, growth(0)), Some(0));
    assert_eq!(days_until(100 * MB, 120 * MB, growth(0)), Some(0));
    assert_eq!(days_until(100 * MB, 70 * MB, growth(0)), None);
    assert_eq!(days_until(100, 99, growth(MB)), Some(1), "not yet");
    assert_eq!(days_until(u64::MAX, 0, growth(1)), Some(u64::MAX));
}
