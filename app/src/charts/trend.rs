//! The trend chart: one line for each series.

use super::{
    Size,
    axis::{percentage_ticks, percentages, time_label, time_ticks, times},
    marks::marks,
};
use crate::{
    domain::{Series, TrendPoint},
    links::ReportLinks,
};
use plotters::{coord::Shift, prelude::*};

/// Plotters writes literal colours; these stand for the design's tokens until [`themed`] puts the tokens in their place.
const INK: RGBColor = RGBColor(1, 1, 1);
const GRID: RGBColor = RGBColor(1, 1, 2);
const LINES: [RGBColor; super::MAX_SERIES] = [
    RGBColor(2, 1, 1),
    RGBColor(2, 1, 2),
    RGBColor(2, 1, 3),
    RGBColor(2, 1, 4),
];
const TOKENS: [(&str, &str); 2 + super::MAX_SERIES] = [
    ("#010101", "var(--ink-2)"),
    ("#010102", "var(--line)"),
    ("#020101", "var(--series-1)"),
    ("#020102", "var(--series-2)"),
    ("#020103", "var(--series-3)"),
    ("#020104", "var(--series-4)"),
];

type DrawingResult<T> = Result<T, Box<dyn std::error::Error>>;

/// Draws the trend as an SVG element whose points lead to `reports`; an empty text where there is nothing to draw.
pub fn trend(series: &[Series], size: Size, reports: &ReportLinks) -> String {
    if series.iter().all(|series| series.points.is_empty()) {
        return String::new();
    }
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (size.width, size.height)).into_drawing_area();
    match draw(&area, series, size, reports) {
        Ok(marks) => {
            drop(area);
            themed(svg, &marks)
        }
        // Drawing into a text has nothing that could fail but a bug of ours; the table under the chart still has the data.
        Err(_) => String::new(),
    }
}

fn draw<DB: DrawingBackend<ErrorType: 'static>>(
    area: &DrawingArea<DB, Shift>,
    series: &[Series],
    size: Size,
    reports: &ReportLinks,
) -> DrawingResult<String> {
    let points = || series.iter().flat_map(|series| &series.points);
    let x = times(points().map(|point| point.at.0), None, i64::MIN);
    let y = percentages(points().map(percentage), None);
    let is_narrow = size.width < 600;
    let mut x_ticks = time_ticks(&x, if is_narrow { 3 } else { 6 });
    x_ticks.dedup_by_key(|tick| time_label(&x, *tick));
    let mut chart = ChartBuilder::on(area)
        .margin_top(12)
        .margin_right(if is_narrow { 10 } else { 24 })
        .set_label_area_size(LabelAreaPosition::Left, 52)
        .set_label_area_size(LabelAreaPosition::Bottom, 28)
        .build_cartesian_2d(
            x.clone().with_key_points(x_ticks),
            y.clone().with_key_points(percentage_ticks(&y)),
        )?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .axis_style(TRANSPARENT)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .label_style(("sans-serif", 12).into_font().color(&INK))
        .x_label_formatter(&|tick| time_label(&x, *tick))
        .y_label_formatter(&|tick| format!("{} %", decimal(*tick)))
        .draw()?;
    let mut all_marks = String::new();
    for (index, (series, color)) in series.iter().zip(LINES).enumerate() {
        let line = series
            .points
            .iter()
            .map(|point| (point.at.0, percentage(point)));
        chart.draw_series(LineSeries::new(line, color.stroke_width(2)))?;
        let at = |point: &TrendPoint| chart.backend_coord(&(point.at.0, percentage(point)));
        all_marks.push_str(&marks(series, index, &at, reports));
    }
    area.present()?;
    Ok(all_marks)
}

fn percentage(point: &TrendPoint) -> i32 {
    i32::from(point.percentage.basis_points())
}

/// Basis points without decimals that say nothing: `80`, `80.5`.
fn decimal(basis_points: i32) -> String {
    match basis_points % 100 {
        0 => (basis_points / 100).to_string(),
        rest if rest % 10 == 0 => format!("{}.{}", basis_points / 100, rest / 10),
        rest => format!("{}.{rest:02}", basis_points / 100),
    }
}

fn themed(svg: String, marks: &str) -> String {
    let svg = TOKENS
        .iter()
        .fold(svg, |svg, (color, token)| svg.replace(color, token));
    match svg.rfind("</svg>") {
        Some(end) => format!("{}{marks}</svg>", &svg[..end]),
        None => svg,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        charts::{NARROW, WIDE},
        domain::{Percentage, Timestamp},
    };

    fn series(branch: &str, values: &[u16]) -> Series {
        let point = |(index, &value): (usize, &u16)| TrendPoint {
            record_id: index as i64,
            at: Timestamp(1_794_232_920_000_000 + index as i64 * 86_400_000_000),
            percentage: Percentage::from_basis_points(value),
            commit: "9be01d2".parse().expect("a commit"),
        };
        Series {
            branch: branch.parse().expect("a branch"),
            language: "rust".parse().expect("a language"),
            points: values.iter().enumerate().map(point).collect(),
        }
    }

    #[test]
    fn a_trend_has_a_line_for_each_series_and_a_mark_for_each_point() {
        let svg = trend(
            &[
                series("main", &[8_000, 8_150, 7_900]),
                series("release", &[7_000, 7_100]),
            ],
            WIDE,
            &ReportLinks::default(),
        );
        assert!(
            svg.contains("var(--series-1)")
                && svg.contains("var(--series-2)")
                && !svg.contains("#0"),
            "{svg}"
        );
        assert_eq!(svg.matches("<title>").count(), 5, "{svg}");
        assert!(svg.contains("81.50 %"), "{svg}");
    }

    #[test]
    fn one_record_and_a_flat_line_are_charts_too() {
        for values in [&[8_000_u16][..], &[0, 0], &[10_000, 10_000, 10_000]] {
            assert!(
                trend(&[series("main", values)], NARROW, &ReportLinks::default()).contains("<svg"),
                "{values:?}"
            );
        }
        assert_eq!(trend(&[], WIDE, &ReportLinks::default()), "");
    }

    #[test]
    fn what_a_client_named_is_never_markup() {
        let svg = trend(
            &[series("<script>alert(1)</script>\"&", &[8_000, 8_100])],
            WIDE,
            &ReportLinks::default(),
        );
        assert!(!svg.contains("<script"), "{svg}");
    }
}
