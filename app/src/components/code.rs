//! Source code with the state of its lines: the rows of a file, and excerpts of several files.

pub(crate) mod markup;
pub(crate) mod rows;
mod text;

use super::{card, name::Name};
use crate::{
    links,
    numbers::{counted, grouped},
};
use domain::{Excerpt, LineRange, WantedLines, lines_in_words};
use leptos::prelude::*;
use markup::{Links, markup_of_blocks};
use rows::Rows;

/// The most lines of a file.
const MOST_LINES: usize = 200;

/// How many files are unfolded.
const OPEN: usize = 3;

/// How many ranges of a file are named above its code.
const NAMED_RANGES: usize = 5;

/// The code of lines, each file foldable. Nothing without excerpts: then the text is not stored.
pub(crate) fn excerpts<'a>(excerpts: impl IntoIterator<Item = &'a Excerpt>) -> Option<AnyView> {
    let files = excerpts.into_iter().enumerate();
    let files: Vec<_> = files
        .map(|(place, excerpt)| file(excerpt, place < OPEN))
        .collect();
    (!files.is_empty()).then(|| view! { <div class="excerpts">{files}</div> }.into_any())
}

fn file(excerpt: &Excerpt, is_open: bool) -> impl IntoView + use<> {
    let WantedLines {
        record_id,
        path,
        lines,
        ..
    } = &excerpt.wanted;
    let rows = Rows::around(excerpt, MOST_LINES);
    let links = Links {
        in_report: &|_| None,
        to_line: &|line, _| Some(links::source_lines(*record_id, path, Some((line, line)))),
        on_forge: &|_| None,
        has_anchors: false,
    };
    let markup = markup_of_blocks(&rows, &links);
    let more = rows.has_more.then(|| {
        let sentence = format!("Only {} lines are shown. ", grouped(MOST_LINES as u64));
        let href = links::source(*record_id, path);
        card::note(view! { {sentence}<a class="link" href=href>"The whole file"</a> })
    });
    view! {
        <details open=is_open>
            <summary><Name text=path.clone() class="mono"/><span class="muted small">{named(lines)}</span></summary>
            <div class="code text"><div class="rows" inner_html=markup></div></div>
            {more}
        </details>
    }
}

/// The lines in words, such as `lines 41–46, 50`.
fn named(ranges: &[LineRange]) -> String {
    let named = ranges.iter().take(NAMED_RANGES);
    let named: Vec<_> = named.map(|range| lines_in_words(*range)).collect();
    let is_one = matches!(ranges, [(first, last)] if first == last);
    let word = if is_one { "line" } else { "lines" };
    let others = match ranges.len() - named.len() {
        0 => String::new(),
        others => format!(
            " and {}",
            counted(others as u64, "more range", "more ranges")
        ),
    };
    format!("{word} {}{others}", named.join(", "))
}
