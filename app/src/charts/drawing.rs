//! Draws a line chart as SVG with plotters: axes, grid, target, lines. Marks and colours are added afterwards.

use super::{
    Axes, LineChart, Point, Size,
    axis::{percentage_ticks, short_percentage, time_label, time_ticks},
    line_chart::basis_points,
    theme::{GRID, INK, Paint, TARGET, line as line_color, painted},
};
use domain::CHART_LINES;
use plotters::{coord::Shift, prelude::*};

/// Space to the left of the axes and below them, for the labels.
pub(super) const LEFT: u32 = 52;
pub(super) const BOTTOM: u32 = 28;

const TICK: u32 = 7;

/// Space to the right of the axes: for half of the last label, or for the name of the target.
const RIGHT: u32 = 42;
const RIGHT_WITH_TARGET: u32 = 60;

/// The name of the target: the gap to its line, its line height, and the height of its two lines.
const GAP: i32 = 8;
const LINE: i32 = 17;
const NAME: i32 = 32;

pub(super) fn right_margin(target: Option<i32>) -> u32 {
    target.map_or(RIGHT, |_| RIGHT_WITH_TARGET)
}

type DrawingResult<T> = Result<T, Box<dyn std::error::Error>>;

/// Maps a point to its coordinates in the drawing.
pub(super) type Projection<'a> = dyn Fn(&Point) -> (i32, i32) + 'a;

/// Draws `chart` on `axes`, and adds the SVG that `on_top` returns on top of it; returns an empty text if there is nothing
/// to draw.
pub(super) fn drawing(
    chart: &LineChart,
    axes: &Axes,
    size: Size,
    paint: Paint,
    on_top: impl FnOnce(&Projection) -> String,
) -> String {
    if chart.is_empty() {
        return String::new();
    }
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (size.width, size.height)).into_drawing_area();
    let top = draw(&area, chart, axes, size, on_top);
    drop(area);
    match (top, svg.rfind("</svg>")) {
        (Ok(top), Some(end)) => {
            svg.truncate(end);
            format!("{}{top}</svg>", painted(svg, paint))
        }
        // Drawing into a string fails only by a bug; the table under the chart still has the data.
        _ => String::new(),
    }
}

fn draw<DB: DrawingBackend<ErrorType: 'static>>(
    area: &DrawingArea<DB, Shift>,
    chart: &LineChart,
    Axes { x, y }: &Axes,
    size: Size,
    on_top: impl FnOnce(&Projection) -> String,
) -> DrawingResult<String> {
    let is_narrow = size.width < 600;
    let x_label = |tick: i64| time_label(x, tick, chart.is_daily);
    let mut x_ticks = time_ticks(x, if is_narrow { 2 } else { 6 }, chart.is_daily);
    x_ticks.dedup_by_key(|tick| x_label(*tick));
    let target = chart.shown_target(y);
    let mut canvas = ChartBuilder::on(area)
        .margin_top(size.top)
        .margin_right(right_margin(target))
        .set_label_area_size(LabelAreaPosition::Left, LEFT)
        .set_label_area_size(LabelAreaPosition::Bottom, BOTTOM)
        .build_cartesian_2d(
            x.clone().with_key_points(x_ticks),
            y.clone().with_key_points(percentage_ticks(y)),
        )?;
    // Not by a name: plotters would compare the name in lower case, with 14 kB of tables in the browser.
    let font = FontDesc::new(FontFamily::SansSerif, 12.0, FontStyle::Normal);
    let label = font.color(&INK);
    canvas
        .configure_mesh()
        .disable_x_mesh()
        // The axis is transparent: its ticks keep the labels of time off the lowest percentage.
        .set_tick_mark_size(LabelAreaPosition::Bottom, TICK)
        .axis_style(TRANSPARENT)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .label_style(label.clone())
        .x_label_formatter(&|tick| x_label(*tick))
        .y_label_formatter(&|tick| format!("{}\u{202f}%", short_percentage(*tick)))
        .draw()?;
    if let Some(target) = target {
        canvas.draw_series(LineSeries::new(
            [(x.start, target), (x.end, target)],
            TARGET,
        ))?;
        // Its name is outside the axes, where no line crosses it.
        let (end, level) = canvas.backend_coord(&(x.end, target));
        let (_, heights) = canvas.plotting_area().get_pixel_range();
        let top = (level - NAME / 2).clamp(heights.start, heights.end - NAME);
        let percentage = format!("{}\u{202f}%", short_percentage(target));
        for (text, top) in [("target".to_owned(), top), (percentage, top + LINE)] {
            area.draw(&Text::new(text, (end + GAP, top), label.clone()))?;
        }
    }
    // Draws the first line last, so that it is on top.
    for (index, line) in chart.lines.iter().take(CHART_LINES).enumerate().rev() {
        // A line of one point cannot be seen; its mark is added afterwards.
        for piece in line.pieces.iter().filter(|piece| piece.len() > 1) {
            let points = piece.iter();
            let points = points.map(|point| (point.at.0, basis_points(point.percentage)));
            let color = line_color(index, false);
            canvas.draw_series(LineSeries::new(points, color.stroke_width(2)))?;
        }
        if let Some(last) = line.points().last()
            && chart.stale_days(line).is_some()
        {
            let (from, level) = (last.at.0, basis_points(last.percentage));
            let tail = [(from, level), (x.end, level)];
            let color = line_color(index, true);
            canvas.draw_series(LineSeries::new(tail, color.stroke_width(2)))?;
        }
    }
    area.present()?;
    Ok(on_top(&|point| {
        canvas.backend_coord(&(point.at.0, basis_points(point.percentage)))
    }))
}
