//! The colours of a chart. plotters writes literal colours; these placeholders are replaced with the design's tokens.

use domain::CHART_LINES;
use plotters::style::RGBColor;

pub(super) const INK: RGBColor = RGBColor(1, 1, 1);
pub(super) const GRID: RGBColor = RGBColor(1, 1, 2);
pub(super) const TARGET: RGBColor = RGBColor(1, 1, 3);

/// The colour of a line. The line of a stale branch goes on, dashed.
pub(super) fn line(index: usize, is_stale: bool) -> RGBColor {
    RGBColor(2 + u8::from(is_stale), 1, index as u8 + 1)
}

/// Maps the name of a token to its text in an attribute.
pub(super) type Paint = fn(&str) -> String;

/// For a page, whose style sheet has the tokens.
pub(super) fn of_the_page(token: &str) -> String {
    format!("var(--{token})")
}

/// The only file with raw colours.
const STYLE: &str = include_str!("../../../style/tokens.css");

/// The colours of a token in the light and in the dark theme.
pub(super) fn colors(token: &str) -> (&'static str, &'static str) {
    let start = format!("--{token}: light-dark(");
    let value = STYLE
        .split_once(&start)
        .and_then(|(_, rest)| rest.split_once(')'));
    value
        .and_then(|(value, _)| value.split_once(", "))
        .unwrap_or(("#777777", "#777777"))
}

/// For a standalone image: the colour of the light theme, and a class for the style of the dark theme. So the image is
/// visible even if styles are ignored.
pub(super) fn of_itself(token: &str) -> String {
    // The colour is at the end of its attribute, so another attribute can follow.
    format!("{}\" class=\"{token}", colors(token).0)
}

/// Replaces the placeholder colours in the drawing using `paint`.
pub(super) fn painted(svg: String, paint: Paint) -> String {
    let replace = |svg: String, color: &str, token: &str, is_dashed: bool| {
        let mut attribute = paint(token);
        if is_dashed {
            // The colour is at the end of its attribute, so another attribute can follow.
            attribute.push_str("\" stroke-dasharray=\"5 4");
        }
        svg.replace(color, &attribute)
    };
    let svg = replace(svg, "#010101", "ink-2", false);
    let svg = replace(svg, "#010102", "line", false);
    let svg = replace(svg, "#010103", "ink-2", true);
    (1..=CHART_LINES).fold(svg, |svg, number| {
        let token = format!("series-{number}");
        let svg = replace(svg, &format!("#02010{number}"), &token, false);
        replace(svg, &format!("#03010{number}"), &token, true)
    })
}
