//! Ranges of lines of a source file, such as `41–42, 50`, each a link to its lines.

use crate::{links, numbers::grouped};
use domain::{LineRange, lines_in_words};
use leptos::prelude::*;

/// Links to at most `most` ranges of a file of a record.
pub(crate) fn line_links(id: i64, path: &str, ranges: &[LineRange], most: usize) -> AnyView {
    let link = |(index, range): (usize, &LineRange)| {
        let href = links::source_lines(id, path, Some(*range));
        let comma = (index > 0).then_some(", ");
        view! { {comma}<a class="link" href=href>{lines_in_words(*range)}</a> }
    };
    let named = ranges.iter().take(most).enumerate();
    let named = named.map(link).collect_view();
    let others = match ranges.len().saturating_sub(most) {
        0 => String::new(),
        others => format!(" and {} more", grouped(others as u64)),
    };
    view! { {named}{others} }.into_any()
}
