//! Tests of what is copied.

use super::{data, series, with};
use crate::islands::trend_chart::copies::{Format, text};

#[test]
fn a_copy_has_only_the_shown_lines_and_is_no_formula_in_a_spreadsheet() {
    let lines = vec![
        series("=cmd(), \"x\"", &[8_000, 8_100]),
        series("dev", &[7_000]),
    ];
    with(data(lines), |state| {
        state.toggle(1);
        let chart = state.chart();
        let copy = |format| text(format, &chart, &state.data());
        assert_eq!(
            copy(Format::Csv),
            "time,line,percentage,details\r\n\
             2026-03-01T12:00:00Z,\"'=cmd(), \"\"x\"\" · rust\",80.00,\"commit =cmd(), \"\"x\"\"-0\"\r\n\
             2026-03-02T12:00:00Z,\"'=cmd(), \"\"x\"\" · rust\",81.00,\"commit =cmd(), \"\"x\"\"-1\"\r\n"
        );
        let svg = copy(Format::Svg);
        assert!(svg.contains(">Trend, acme/payments<"), "{svg}");
        assert!(svg.contains("series-1") && !svg.contains("dev"), "{svg}");
    });
}
