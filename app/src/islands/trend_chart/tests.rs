//! Tests of the chart without a browser: its points, its period, its first rendering.

mod address;
mod copies;
mod keys;

use super::{
    cursor::Cursor,
    data::{ChartData, Days, Points},
    state::State,
};
use crate::{
    api::{PointAnswer, SeriesAnswer, TrendAnswer},
    charts::{NARROW, WIDE},
};
use domain::{Count, DAY, Day, Percentage, Period, Timestamp};
use leptos::prelude::*;

/// 1 Mar 2026.
const MARCH: i64 = 1_772_323_200_000_000;

fn percentage(basis_points: u16) -> Percentage {
    Percentage::from_basis_points(basis_points)
}

/// A series with a point at noon of each day.
fn series(branch: &str, values: &[u16]) -> SeriesAnswer {
    let points = (0..).zip(values).map(|(day, value)| {
        let at = Timestamp(MARCH + day * DAY + DAY / 2);
        PointAnswer(at, percentage(*value), day + 1, format!("{branch}-{day}"))
    });
    SeriesAnswer {
        branch_name: branch.to_owned(),
        language: "rust".to_owned(),
        is_active: true,
        points: points.collect(),
        authors: Vec::new(),
        failed: Vec::new(),
        counted: Vec::new(),
    }
}

fn data(series: Vec<SeriesAnswer>) -> ChartData {
    let records = series.iter().map(|series| series.points.len() as u64).sum();
    let answer = TrendAnswer {
        records,
        hidden: 0,
        series,
    };
    ChartData {
        title: "Trend".to_owned(),
        subject: "acme/payments".to_owned(),
        points: Points::Records(answer),
        target: Some(percentage(8_000)),
        since: None,
        until: Timestamp(MARCH + 40 * DAY),
        page: "/repos/acme/payments".to_owned(),
        finer: Some("/coverages-api/trend?org_name=acme&repo_name=payments".to_owned()),
        has_dates: false,
        is_past: false,
        is_share: false,
    }
}

/// Runs `test` with the state of a chart.
fn with(data: ChartData, test: impl FnOnce(State)) {
    let owner = Owner::new();
    owner.with(|| test(State::new(data)));
}

fn day(text: &str) -> Day {
    text.parse().expect("a day")
}

fn labels(state: State) -> Vec<String> {
    let chart = state.chart();
    let shown = chart
        .lines
        .iter()
        .filter(|line| line.points().next().is_some());
    shown.map(|line| line.label.clone()).collect()
}

#[test]
fn data_survives_the_way_into_the_page_and_back() {
    let days = Points::Days(vec![Days {
        label: "acme, weighted".to_owned(),
        unit: "lines".to_owned(),
        days: vec![
            (
                20_000,
                Some(percentage(8_000)),
                2,
                Some(Count {
                    covered: 8,
                    total: 10,
                }),
                None,
            ),
            (20_001, None, 0, None, None),
            (20_002, Some(percentage(9_000)), 1, None, None),
        ],
    }]);
    for data in [
        data(vec![series("main", &[8_000, 8_100])]),
        ChartData {
            points: days,
            ..data(Vec::new())
        },
    ] {
        let json = serde_json::to_string(&data).expect("JSON");
        assert_eq!(
            serde_json::from_str::<ChartData>(&json).expect("data"),
            data
        );
        let again: ChartData = serde_json::from_str(&json).expect("data");
        assert_eq!(again.points.lines(), data.points.lines());
    }
}

#[test]
fn a_day_without_a_value_is_a_gap() {
    let days = Days {
        label: "acme".to_owned(),
        unit: "lines".to_owned(),
        days: vec![
            (1, Some(percentage(8_000)), 2, None, None),
            (2, None, 0, None, None),
            (3, None, 0, None, None),
            (
                4,
                Some(percentage(9_000)),
                1,
                Some(Count {
                    covered: 1_234,
                    total: 5_678,
                }),
                None,
            ),
        ],
    };
    let lines = Points::Days(vec![days]).lines();
    assert_eq!(lines[0].pieces.len(), 2);
    assert_eq!(lines[0].pieces[0][0].detail, ["2 repositories"]);
    assert_eq!(
        lines[0].pieces[1][0].detail,
        ["1 repository", "1,234 of 5,678 lines"]
    );
}

#[test]
fn a_hidden_line_leaves_the_colours_and_the_last_line_stays() {
    with(
        data(vec![
            series("main", &[8_000; 3]),
            series("dev", &[7_000; 3]),
        ]),
        |state| {
            state.toggle(0);
            assert_eq!(labels(state), ["dev · rust"]);
            let svg = state.chart().svg(WIDE);
            assert!(
                svg.contains("--series-2") && !svg.contains("--series-1"),
                "{svg}"
            );
            state.toggle(1);
            assert_eq!(labels(state), ["dev · rust"], "one line has to stay");
            state.toggle(0);
            assert_eq!(labels(state), ["main · rust", "dev · rust"]);
            state.toggle(7);
        },
    );
}

#[test]
fn a_period_shows_only_its_days_and_ends_where_it_ends() {
    with(data(vec![series("main", &[8_000; 30])]), |state| {
        state.set_period(Some(Period {
            from: day("2026-03-05"),
            to: day("2026-03-07"),
        }));
        let chart = state.chart();
        let commits: Vec<_> = chart
            .points()
            .map(|point| point.detail[0].clone())
            .collect();
        assert_eq!(commits, ["commit main-4", "commit main-5", "commit main-6"]);
        assert_eq!(
            (chart.since, chart.until),
            (Some(day("2026-03-05").start()), day("2026-03-07").end())
        );
        state.set_period(None);
        assert_eq!(state.chart().points().count(), 30);
    });
}

#[test]
fn a_selection_is_whole_days_in_either_direction() {
    with(data(vec![series("main", &[8_000; 30])]), |state| {
        let (start, end) = (MARCH + 4 * DAY + 5, MARCH + 6 * DAY + 5);
        for selection in [(start, end), (end, start)] {
            state.select(selection);
            let period = state.period().expect("a period");
            assert_eq!(
                (period.from, period.to),
                (day("2026-03-05"), day("2026-03-07"))
            );
        }
        state.reset();
        assert_eq!(state.period(), None);
    });
}

#[test]
fn a_selection_to_the_right_edge_of_a_past_period_ends_with_its_last_day() {
    let data = ChartData {
        until: day("2026-03-31").end(),
        is_past: true,
        is_share: false,
        ..data(vec![series("main", &[8_000; 30])])
    };
    with(data, |state| {
        state.select((MARCH, day("2026-03-31").end().0));
        let period = state.period().expect("a period");
        assert_eq!(
            (period.from, period.to),
            (day("2026-03-01"), day("2026-03-31"))
        );
        let chart = state.chart();
        assert_eq!(chart.stale_days(&chart.lines[0]), None);
    });
}

#[test]
fn the_days_of_an_org_end_with_the_last_one() {
    let days = Days {
        label: "acme".to_owned(),
        unit: "lines".to_owned(),
        days: (0..10)
            .map(|n| {
                (
                    day("2026-03-01").0 + n,
                    Some(percentage(8_000)),
                    1,
                    None,
                    None,
                )
            })
            .collect(),
    };
    let data = ChartData {
        points: Points::Days(vec![days]),
        ..data(Vec::new())
    };
    with(data, |state| {
        state.set_period(Some(Period {
            from: day("2026-03-02"),
            to: day("2026-03-04"),
        }));
        let chart = state.chart();
        assert_eq!(chart.points().count(), 3);
        assert_eq!(chart.until, day("2026-03-04").start());
    });
}

#[test]
fn a_larger_period_than_the_loaded_one_shows_the_points_of_the_page() {
    let page = data(vec![series("main", &[8_000; 30])]);
    let finer = data(vec![series("main", &[8_000; 3])]).points;
    with(page.clone(), |state| {
        let period = |to| Period {
            from: day("2026-03-01"),
            to: day(to),
        };
        state.set_period(Some(period("2026-03-03")));
        state.set_finer(period("2026-03-03"), finer.clone());
        state.select((MARCH, MARCH + DAY));
        assert_eq!(state.points(), finer, "it is inside");
        state.select((MARCH, MARCH + 9 * DAY));
        assert_eq!(state.points(), page.points);
    });
}

#[test]
fn the_pointer_reads_the_nearest_point_within_reach() {
    with(
        data(vec![
            series("main", &[8_000, 8_100, 8_000]),
            series("dev", &[7_000, 7_100, 7_000]),
        ]),
        |state| {
            let chart = state.chart();
            let frame = chart.frame(WIDE);
            for (line, shown) in chart.lines.iter().enumerate() {
                for (index, point) in shown.points().enumerate() {
                    let (x, y) = frame.place(point);
                    let nearest = Cursor::nearest(&chart, &frame, (x + 1.0, y - 1.0));
                    assert_eq!(nearest, Some(Cursor { line, point: index }));
                }
            }
            assert_eq!(
                Cursor::nearest(&chart, &frame, (frame.across.end, 0.0)),
                None
            );
        },
    );
}

#[test]
fn the_other_lines_are_read_at_the_same_time() {
    with(
        data(vec![
            series("main", &[8_000; 5]),
            series("dev", &[7_000, 7_100]),
        ]),
        |state| {
            let chart = state.chart();
            let values = |line, point| {
                let others = Cursor { line, point }.others(&chart);
                others
                    .iter()
                    .map(|(_, _, point)| point.detail[0].clone())
                    .collect::<Vec<_>>()
            };
            assert_eq!(values(0, 0), ["commit dev-0"]);
            assert_eq!(values(0, 4), ["commit dev-1"], "the last value until then");
            assert_eq!(values(1, 1), ["commit main-1"]);
        },
    );
}

#[test]
fn a_place_in_the_drawing_is_the_time_that_is_drawn_there() {
    for size in [WIDE, NARROW] {
        with(
            data(vec![series("main", &[7_500, 8_600, 8_000, 7_900])]),
            |state| {
                let chart = state.chart();
                let (frame, svg) = (chart.frame(size), chart.svg(size));
                for point in chart.points() {
                    let (x, y) = frame.place(point);
                    // plotters rounds down to whole units.
                    let is_drawn = [0, 1].iter().any(|dx| {
                        [-1, 0, 1].iter().any(|dy| {
                            svg.contains(&format!("{},{}", x as i32 - 1 + dx, y as i32 + dy))
                        })
                    });
                    assert!(is_drawn, "{x},{y} is not in {svg}");
                    assert!(
                        (frame.time_at(frame.x_of(point.at.0)) - point.at.0).abs() < DAY / 1_000
                    );
                }
            },
        );
    }
}
