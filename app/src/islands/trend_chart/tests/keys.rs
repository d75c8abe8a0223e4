//! Tests of reading points with keys.

use super::{DAY, MARCH, data, series, with};
use crate::islands::trend_chart::cursor::Cursor;

#[test]
fn keys_move_along_a_line_and_to_the_nearest_point_of_another() {
    let chart = data(vec![
        series("main", &[8_000; 25]),
        series("dev", &[7_000; 3]),
    ]);
    with(chart, |state| {
        let chart = state.chart();
        let mut cursor = Cursor::first(&chart).expect("a point");
        for (key, line, point) in [
            ("ArrowRight", 0, 24),
            ("ArrowLeft", 0, 23),
            ("PageUp", 0, 13),
            ("PageUp", 0, 3),
            ("ArrowDown", 1, 2),
            ("End", 1, 2),
            ("Home", 1, 0),
            ("ArrowUp", 0, 0),
            ("PageUp", 0, 0),
            ("PageDown", 0, 10),
            ("End", 0, 24),
        ] {
            cursor = cursor.after(&chart, key).expect(key);
            assert_eq!(cursor, Cursor { line, point }, "{key}");
        }
        assert_eq!(cursor.after(&chart, "x"), None);
        assert_eq!(
            Cursor { line: 1, point: 0 }.after(&chart, "ArrowDown"),
            None
        );
    });
}

#[test]
fn keys_pass_over_a_hidden_line() {
    let three = vec![
        series("a", &[8_000; 2]),
        series("b", &[7_000; 2]),
        series("c", &[6_000; 2]),
    ];
    with(data(three), |state| {
        state.toggle(1);
        let chart = state.chart();
        let first = Cursor::first(&chart).expect("a point");
        assert_eq!(
            first.after(&chart, "ArrowDown"),
            Some(Cursor { line: 2, point: 1 })
        );
    });
}

#[test]
fn the_keyboard_stays_at_its_point_when_the_period_changes() {
    with(data(vec![series("main", &[8_000; 30])]), |state| {
        let read = || {
            state
                .cursor()
                .map(|cursor| cursor.texts(&state.chart())[3].clone())
        };
        state.set_read(Some(Cursor { line: 0, point: 20 }), false);
        state.select((MARCH + 18 * DAY, MARCH + 25 * DAY));
        assert_eq!(read().as_deref(), Some("commit main-20"));
        state.set_period(None);
        assert_eq!(read().as_deref(), Some("commit main-20"));
        state.set_read(state.cursor(), true);
        state.select((MARCH + 18 * DAY, MARCH + 25 * DAY));
        assert_eq!(read(), None, "the pointer may be elsewhere");
    });
}
