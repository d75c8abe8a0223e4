//! The colours of a chart. Plotters writes literal ones; these stand for the design's tokens until those are put in their
//! place.

use super::MAX_LINES;
use plotters::style::RGBColor;

pub(super) const INK: RGBColor = RGBColor(1, 1, 1);
pub(super) const GRID: RGBColor = RGBColor(1, 1, 2);
pub(super) const TARGET: RGBColor = RGBColor(1, 1, 3);
pub(super) const LINES: [RGBColor; MAX_LINES] = [
    RGBColor(2, 1, 1),
    RGBColor(2, 1, 2),
    RGBColor(2, 1, 3),
    RGBColor(2, 1, 4),
];
pub(super) const STALE_LINES: [RGBColor; MAX_LINES] = [
    RGBColor(3, 1, 1),
    RGBColor(3, 1, 2),
    RGBColor(3, 1, 3),
    RGBColor(3, 1, 4),
];

/// What is written for a colour, the token of the design that it means, and whether its line is dashed.
const STAND_INS: [(&str, &str, bool); 3 + 2 * MAX_LINES] = [
    ("#010101", "ink-2", false),
    ("#010102", "line", false),
    ("#010103", "ink-2", true),
    ("#020101", "series-1", false),
    ("#020102", "series-2", false),
    ("#020103", "series-3", false),
    ("#020104", "series-4", false),
    ("#030101", "series-1", true),
    ("#030102", "series-2", true),
    ("#030103", "series-3", true),
    ("#030104", "series-4", true),
];

/// From the name of a token to what stands for it in an attribute.
pub(super) type Paint = fn(&str) -> String;

/// For a page, whose style sheet knows the tokens.
pub(super) fn of_the_page(token: &str) -> String {
    format!("var(--{token})")
}

/// The only place that names a raw colour.
const STYLE: &str = include_str!("../../../style/tokens.css");

/// What a token is in the light and in the dark theme.
pub(super) fn colors(token: &str) -> (&'static str, &'static str) {
    let start = format!("--{token}: light-dark(");
    let value = STYLE
        .split_once(&start)
        .and_then(|(_, rest)| rest.split_once(')'));
    value
        .and_then(|(value, _)| value.split_once(", "))
        .unwrap_or(("#777777", "#777777"))
}

/// For an image by itself: the colour of the light theme, and a class by which a style of its own finds it for the dark
/// one. It is seen also where styles are not read.
pub(super) fn of_itself(token: &str) -> String {
    // The colour stands at the end of its attribute, so another one may follow.
    format!("{}\" class=\"{token}", colors(token).0)
}

/// The drawing with `paint` in place of the colours that stood for tokens.
pub(super) fn painted(svg: String, paint: Paint) -> String {
    STAND_INS
        .iter()
        .fold(svg, |svg, (color, token, is_dashed)| {
            let mut attribute = paint(token);
            if *is_dashed {
                // The colour stands at the end of its attribute, so another one may follow.
                attribute.push_str("\" stroke-dasharray=\"5 4");
            }
            svg.replace(color, &attribute)
        })
}
