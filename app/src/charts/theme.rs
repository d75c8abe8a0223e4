//! The colours of a chart. plotters writes literal colours; these placeholders are replaced with the design's tokens.

use domain::CHART_LINES;
use plotters::style::RGBColor;

pub(super) const INK: RGBColor = RGBColor(1, 1, 1);
pub(super) const GRID: RGBColor = RGBColor(1, 1, 2);
pub(super) const TARGET: RGBColor = RGBColor(1, 1, 3);
pub(super) const LINES: [RGBColor; CHART_LINES] = [
    RGBColor(2, 1, 1),
    RGBColor(2, 1, 2),
    RGBColor(2, 1, 3),
    RGBColor(2, 1, 4),
    RGBColor(2, 1, 5),
    RGBColor(2, 1, 6),
    RGBColor(2, 1, 7),
    RGBColor(2, 1, 8),
];
pub(super) const STALE_LINES: [RGBColor; CHART_LINES] = [
    RGBColor(3, 1, 1),
    RGBColor(3, 1, 2),
    RGBColor(3, 1, 3),
    RGBColor(3, 1, 4),
    RGBColor(3, 1, 5),
    RGBColor(3, 1, 6),
    RGBColor(3, 1, 7),
    RGBColor(3, 1, 8),
];

/// The text of a placeholder colour, its design token, and whether its line is dashed.
const STAND_INS: [(&str, &str, bool); 3 + 2 * CHART_LINES] = [
    ("#010101", "ink-2", false),
    ("#010102", "line", false),
    ("#010103", "ink-2", true),
    ("#020101", "series-1", false),
    ("#020102", "series-2", false),
    ("#020103", "series-3", false),
    ("#020104", "series-4", false),
    ("#020105", "series-5", false),
    ("#020106", "series-6", false),
    ("#020107", "series-7", false),
    ("#020108", "series-8", false),
    ("#030101", "series-1", true),
    ("#030102", "series-2", true),
    ("#030103", "series-3", true),
    ("#030104", "series-4", true),
    ("#030105", "series-5", true),
    ("#030106", "series-6", true),
    ("#030107", "series-7", true),
    ("#030108", "series-8", true),
];

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
    STAND_INS
        .iter()
        .fold(svg, |svg, (color, token, is_dashed)| {
            let mut attribute = paint(token);
            if *is_dashed {
                // The colour is at the end of its attribute, so another attribute can follow.
                attribute.push_str("\" stroke-dasharray=\"5 4");
            }
            svg.replace(color, &attribute)
        })
}
