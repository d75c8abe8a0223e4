//! Tests of what is copied.

use super::{data, series, with};
use crate::islands::trend_chart::{
    ChartData,
    copies::{Format, text},
    data::{Days, Points},
};
use domain::{Count, Percentage};

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

#[test]
fn a_copy_of_days_has_the_columns_of_the_file_and_the_line_if_there_are_several() {
    let days = |label: &str| Days {
        label: label.to_owned(),
        unit: "branches".to_owned(),
        days: vec![
            (20_000, None, 0, None, None),
            (
                20_001,
                Some(Percentage::from_basis_points(7_500)),
                2,
                Some(Count {
                    covered: 3_000,
                    total: 4_000,
                }),
                None,
            ),
        ],
    };
    let data = ChartData {
        points: Points::Days(vec![days("acme"), days("acme, \"web\"")]),
        ..data(Vec::new())
    };
    with(data, |state| {
        let copy = || text(Format::Csv, &state.chart(), &state.data());
        assert_eq!(
            copy(),
            "day,percentage,branches_covered,branches_total,repositories,line\r\n\
             2024-10-04,,,,0,acme\r\n\
             2024-10-05,75.00,3000,4000,2,acme\r\n\
             2024-10-04,,,,0,\"acme, \"\"web\"\"\"\r\n\
             2024-10-05,75.00,3000,4000,2,\"acme, \"\"web\"\"\"\r\n"
        );
        state.toggle(1);
        assert_eq!(
            copy(),
            "day,percentage,branches_covered,branches_total,repositories\r\n\
             2024-10-04,,,,0\r\n\
             2024-10-05,75.00,3000,4000,2\r\n"
        );
    });
}
