//! The strip beside the lines: where missed, partial and changed lines are, as links for the pointer. Keys and buttons lead to the
//! same lines.

use crate::components::code::rows::Row;
use domain::LineState;
use std::fmt::Write;

/// The height of the drawing, in units: the most marks in a column.
const HEIGHT: usize = 200;

/// The markup of the strip.
pub(super) fn strip(rows: &[Row<'_>]) -> String {
    let mut markup = format!(
        "<svg viewBox=\"0 0 10 {HEIGHT}\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
    );
    let of_state = |wanted: LineState| move |row: &Row<'_>| row.state == Some(wanted);
    column(&mut markup, rows, "p", (3, 7), of_state(LineState::Partial));
    column(&mut markup, rows, "m", (3, 7), of_state(LineState::Missed));
    column(&mut markup, rows, "c", (0, 2), |row| row.is_changed);
    markup.push_str("</svg>");
    markup
}

/// Draws a mark for each group of adjacent rows that `is_marked`. Every mark is at least a unit high.
fn column(
    markup: &mut String,
    rows: &[Row<'_>],
    class: &str,
    (x, width): (u32, u32),
    is_marked: impl Fn(&Row<'_>) -> bool,
) {
    let place = |index: usize| index * HEIGHT / rows.len().max(1);
    let mut marks: Vec<(usize, usize, u32)> = Vec::new();
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| is_marked(row)) {
        let (top, end) = (place(index), place(index + 1).max(place(index) + 1));
        match marks.last_mut() {
            Some((_, last, _)) if *last >= top => *last = end.max(*last),
            _ => marks.push((top, end, row.lines.0)),
        }
    }
    for (top, end, line) in marks {
        let height = end - top;
        // Writing to a text cannot fail.
        let _ = write!(
            markup,
            "<a href=\"#L{line}\" tabindex=\"-1\"><path class=\"{class}\" d=\"M{x} {top}h{width}v{height}h-{width}z\"/></a>"
        );
    }
}
