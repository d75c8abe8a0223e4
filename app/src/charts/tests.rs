//! Tests of the drawings.

mod document;
mod drops;
mod failed;
mod range;

use super::*;
use domain::{Percentage, Timestamp};

const DAY: i64 = 86_400_000_000;
/// 9 Nov 2026, 14:02 UTC.
const START: i64 = 1_794_232_920_000_000;

fn point(day: i64, basis_points: u16) -> Point {
    Point {
        at: Timestamp(START + day * DAY),
        percentage: Percentage::from_basis_points(basis_points),
        href: Some(format!("/records/{day}")),
        detail: vec!["commit 9be01d2".to_owned()],
        has_failed: false,
        repositories: 0,
    }
}

fn line(label: &str, values: &[u16]) -> Line {
    Line {
        label: label.to_owned(),
        pieces: vec![
            (0..)
                .zip(values)
                .map(|(day, &value)| point(day, value))
                .collect(),
        ],
        is_over: false,
    }
}

fn chart(lines: Vec<Line>) -> LineChart {
    let last = lines
        .iter()
        .flat_map(Line::points)
        .map(|point| point.at)
        .max();
    LineChart {
        lines,
        target: None,
        since: None,
        until: last.unwrap_or(Timestamp(START)),
        is_daily: false,
        is_share: false,
    }
}

/// The shapes of a line's marks.
fn shapes(svg: &str, line: usize) -> Vec<String> {
    let start = format!("class=\"marks series-{line}\" d=\"");
    let path = svg
        .split_once(&start)
        .and_then(|(_, rest)| rest.split('"').next());
    let shapes = path
        .unwrap_or_default()
        .split('M')
        .filter(|shape| !shape.is_empty());
    shapes.map(ToOwned::to_owned).collect()
}

#[test]
fn a_chart_has_a_line_for_each_series_and_a_mark_for_each_point() {
    let svg = chart(vec![
        line("main", &[8_000, 8_150, 7_900]),
        line("release", &[7_000, 7_100]),
    ])
    .svg(WIDE);
    assert!(
        svg.contains("var(--series-1)") && svg.contains("var(--series-2)") && !svg.contains("#0"),
        "{svg}"
    );
    for line in ["1", "2"] {
        let stroke = format!("stroke=\"var(--series-{line})\"");
        assert_eq!(svg.matches(&stroke).count(), 1, "{svg}");
    }
    assert_eq!(
        (shapes(&svg, 1).len(), shapes(&svg, 2).len()),
        (3, 2),
        "{svg}"
    );
}

#[test]
fn a_point_is_described_by_its_coverage_line_time_and_details() {
    let chart = chart(vec![line("main · rust", &[8_150])]);
    let line = &chart.lines[0];
    assert_eq!(
        chart.describe(line, &line.pieces[0][0]),
        [
            "81.50\u{202f}%",
            "main · rust",
            "9 Nov 2026, 14:02 UTC",
            "commit 9be01d2"
        ]
    );
}

#[test]
fn a_drawing_has_no_names_of_clients() {
    let svg = chart(vec![line("release/2026", &[8_150, 8_000])]).svg(WIDE);
    for text in ["release", "9be01d2", "/records/"] {
        assert!(!svg.contains(text), "{text} is in {svg}");
    }
}

#[test]
fn a_chart_has_no_links_and_no_focusable_elements() {
    let values: Vec<u16> = (0..300).map(|day| 8_000 + day % 50).collect();
    let chart = chart(vec![line("main", &values), line("next", &values)]);
    for size in [WIDE, NARROW] {
        let svg = chart.svg(size);
        for part in ["<a ", "tabindex", "role=", "aria-label"] {
            assert!(!svg.contains(part), "{part} is in {svg}");
        }
    }
}

/// The attribute of an element of a drawing.
fn number(element: &str, name: &str) -> f64 {
    let (_, rest) = element.split_once(&format!(" {name}=\"")).expect(name);
    let value = rest.split('"').next().and_then(|value| value.parse().ok());
    value.expect("a number")
}

#[test]
fn the_target_label_is_beside_all_lines_and_inside_the_drawing() {
    for level in [7_800, 7_900, 8_000, 9_990, 10_000, 0, 5] {
        for values in [
            &[level][..],
            &[level, level, level],
            &[level, level.min(9_500) + 400],
        ] {
            let mut chart = chart(vec![line("main", values)]);
            chart.target = Some(Percentage::from_basis_points(level));
            for size in [WIDE, NARROW] {
                let width = f64::from(size.width);
                let svg = chart.svg(size);
                let lines = svg.split("<polyline").skip(1);
                let ends = lines.flat_map(|line| {
                    let (_, points) = line.split_once("points=\"").expect("points");
                    let points = points.split('"').next().unwrap_or_default();
                    let places = points.split_whitespace();
                    places.filter_map(|place| place.split_once(',')?.0.parse::<f64>().ok())
                });
                let end = ends.fold(0.0, f64::max);
                let texts: Vec<_> = svg.split("<text").skip(1).collect();
                let at = texts.iter().position(|text| text.contains("\ntarget\n"));
                let at = at.unwrap_or_else(|| panic!("a name of the target: {svg}"));
                let (name, percentage) = (texts[at], texts[at + 1]);
                assert!(percentage.contains(&format!("\n{}", level / 100)), "{svg}");
                for text in [name, percentage] {
                    let (x, y) = (number(text, "x"), number(text, "y"));
                    assert!(x > end + 5.0 && x + 45.0 < width, "{x} after {end}: {svg}");
                    assert!(y >= 12.0 && y < f64::from(size.height) - 28.0, "{svg}");
                }
                assert!(number(percentage, "y") - number(name, "y") >= 16.0);
            }
        }
    }
}

#[test]
fn no_line_is_drawn_through_a_gap() {
    let mut line = line("main", &[8_000, 8_100, 8_200, 8_300]);
    let late = line.pieces[0].split_off(2);
    line.pieces.push(late);
    let svg = chart(vec![line]).svg(WIDE);
    let lines: Vec<_> = svg
        .split("<polyline ")
        .filter(|element| element.contains("--series-1"))
        .collect();
    assert_eq!(lines.len(), 2, "{svg}");
}

#[test]
fn a_pause_is_a_gap_if_it_is_long_and_unusual() {
    let pieces = |days: &[i64]| {
        let points = days.iter().map(|&day| point(day, 8_000)).collect();
        Line::with_gaps("main".to_owned(), points).pieces.len()
    };
    assert_eq!(pieces(&[0, 1, 2, 3, 32]), 1, "29 days are no gap");
    assert_eq!(pieces(&[0, 1, 2, 3, 34, 35]), 2);
    assert_eq!(
        pieces(&[0, 90, 180, 270, 360]),
        1,
        "once a quarter is usual here"
    );
    assert_eq!((pieces(&[]), pieces(&[0]), pieces(&[0, 400])), (0, 1, 1));
}

#[test]
fn a_point_between_two_gaps_is_always_visible() {
    let mut pieces = vec![
        (0..50).map(|day| point(day, 8_000)).collect(),
        vec![point(90, 8_000)],
    ];
    pieces.push((130..180).map(|day| point(day, 8_000)).collect());
    let svg = chart(vec![Line {
        label: "main".to_owned(),
        pieces,
        is_over: false,
    }])
    .svg(WIDE);
    assert_eq!(shapes(&svg, 1).len(), 2, "it, and the newest: {svg}");
}

#[test]
fn long_lines_differ_by_the_shapes_of_some_marks() {
    let values = [8_000_u16; 100];
    let chart = chart(vec![line("main", &values), line("next", &values)]);
    let svg = chart.svg(WIDE);
    // The part of a shape after its start point.
    let shapes_of = |line| -> Vec<String> {
        let shapes = shapes(&svg, line).into_iter();
        shapes
            .filter_map(|shape| Some(shape.split_once(' ')?.1.to_owned()))
            .map(|shape| {
                shape
                    .trim_start_matches(|digit: char| digit.is_ascii_digit())
                    .to_owned()
            })
            .collect()
    };
    let (first, second) = (shapes_of(1), shapes_of(2));
    assert_eq!((first.len(), second.len()), (6, 6), "{svg}");
    assert!(
        first.iter().all(|shape| shape.starts_with("a4")),
        "{first:?}"
    );
    assert!(
        second.iter().all(|shape| shape.starts_with("h7")),
        "{second:?}"
    );
    let document = chart.document("acme/shop", "empty");
    assert!(
        document.contains("h7v7h-7z") && document.contains("a4 4 0 1 0 8 0"),
        "{document}"
    );
}

#[test]
fn the_axes_cover_all_points_including_those_not_drawn() {
    let mut values = [8_000_u16; 400];
    // Two dips and a leap in one bucket: a thinned line keeps the dip that is sharper because of the leap.
    (values[200], values[203]) = (3_900, 4_000);
    values[204..].fill(9_500);
    let all = chart(vec![line("main", &values)]);
    let mut extremes = line("main", &[]);
    extremes.pieces[0] = vec![point(0, 8_000), point(200, 3_900), point(399, 9_500)];
    let few = chart(vec![extremes]);
    let labels = |chart: &LineChart, size| -> Vec<String> {
        let svg = chart.svg(size);
        let texts = svg.split("<text").skip(1);
        let texts = texts.filter(|text| !text.contains("drops"));
        texts
            .filter_map(|text| Some(text.split_once("</text>")?.0.to_owned()))
            .collect()
    };
    for size in [WIDE, NARROW] {
        assert_eq!(labels(&all, size), labels(&few, size));
    }
}

#[test]
fn a_point_for_a_day_shows_no_time() {
    let daily = LineChart {
        is_daily: true,
        is_share: false,
        ..chart(vec![line("acme", &[8_150])])
    };
    let svg = daily.svg(WIDE);
    assert!(
        svg.contains("\n9 Nov 2026\n") && !svg.contains("14:02"),
        "{svg}"
    );
    let line = &daily.lines[0];
    assert_eq!(daily.describe(line, &line.pieces[0][0])[2], "9 Nov 2026");
}

#[test]
fn a_line_without_a_point_for_two_weeks_ends_dashed_unless_retired() {
    let dashes = |days: i64, is_over| {
        let mut line = line("main", &[8_000, 8_100]);
        line.is_over = is_over;
        let mut chart = chart(vec![line]);
        chart.until = Timestamp(chart.until.0 + days * DAY);
        chart.svg(WIDE).matches("stroke-dasharray").count()
    };
    assert_eq!(
        (dashes(13, false), dashes(14, false), dashes(14, true)),
        (0, 1, 0)
    );
}

#[test]
fn a_target_is_dashed_and_named_and_points_below_it_say_so() {
    let mut chart = chart(vec![line("main", &[7_800, 8_000])]);
    chart.target = Some(Percentage::from_basis_points(8_000));
    let svg = chart.svg(WIDE);
    assert_eq!(chart.target_place(), Some(TargetPlace::Shown));
    assert!(
        svg.contains("\ntarget\n") && svg.contains("stroke-dasharray"),
        "{svg}"
    );
    let line = &chart.lines[0];
    let below: Vec<_> = line
        .points()
        .map(|point| chart.describe(line, point).pop())
        .collect();
    assert_eq!(
        below,
        [
            Some("2.00 below the target".to_owned()),
            Some("+2.00 since the point before".to_owned())
        ]
    );
    chart.target = Some(Percentage::from_basis_points(9_500));
    assert_eq!(chart.target_place(), Some(TargetPlace::Above));
    assert!(!chart.svg(WIDE).contains("stroke-dasharray"));
}

#[test]
fn one_point_and_a_flat_line_are_drawn() {
    for values in [&[8_000_u16][..], &[0, 0], &[10_000, 10_000, 10_000]] {
        for size in [WIDE, NARROW] {
            let svg = chart(vec![line("main", values)]).svg(size);
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"), "{svg}");
        }
    }
    assert_eq!(chart(Vec::new()).svg(WIDE), "");
    assert_eq!(chart(vec![line("main", &[])]).svg(WIDE), "");
}

#[test]
fn names_chosen_by_clients_are_never_markup() {
    let mut line = line("<script>alert(1)</script>\"&", &[8_000, 8_100]);
    line.pieces[0][0].href = Some("\"><script>".to_owned());
    line.pieces[0][1].detail = vec!["\"><script>\u{ffff}".to_owned()];
    let svg = chart(vec![line]).svg(WIDE);
    assert!(
        !svg.contains("<script") && !svg.contains(['\u{ffff}']),
        "{svg}"
    );
}

#[test]
fn no_drawing_has_more_points_than_fit() {
    let values: Vec<u16> = (0..1_000).map(|day| 8_000 + day % 50).collect();
    let chart = chart(vec![line("main", &values)]);
    let drawn = |size| {
        let svg = chart.svg(size);
        let line = svg
            .split("<polyline")
            .nth(1)
            .and_then(|line| line.split_once("points=\""));
        let points = line.and_then(|(_, points)| points.split('"').next());
        points.unwrap_or_default().split_whitespace().count()
    };
    assert_eq!((drawn(WIDE), drawn(NARROW)), (274, 81));
}

#[test]
fn no_more_lines_are_drawn_than_are_distinguishable() {
    let lines = (0..10).map(|number| line(&number.to_string(), &[8_000, 8_100]));
    let svg = chart(lines.collect()).svg(WIDE);
    let drawn = (1..=10).map(|line| shapes(&svg, line).len());
    assert_eq!(drawn.collect::<Vec<_>>(), [2, 2, 2, 2, 2, 2, 2, 2, 0, 0]);
}

#[test]
fn every_colour_of_a_chart_is_a_token_of_the_design() {
    for token in [
        "surface", "ink", "ink-2", "line", "series-1", "series-2", "series-3", "series-4",
        "series-5", "series-6", "series-7", "series-8",
    ] {
        let (light, dark) = theme::colors(token);
        assert!(
            light.starts_with('#') && dark.starts_with('#') && light != dark,
            "{token}"
        );
    }
}

#[test]
fn the_axis_is_labelled_in_whole_percents() {
    let (low, high) = chart(vec![line("main", &[7_812, 8_043])]).axis();
    assert_eq!(
        (low.to_string(), high.to_string()),
        ("77.00".to_owned(), "82.00".to_owned())
    );
}
