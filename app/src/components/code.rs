//! Source code with the state of its lines: the rows of a file, and excerpts of several files.

pub(crate) mod markup;
pub(crate) mod rows;
mod syntax;
mod text;

use super::{card, name::Name};
use crate::{links, numbers::counted};
use domain::{Excerpt, LineRange, WantedLines, lines_in_words};
use leptos::prelude::*;
use markup::{Links, markup_of_blocks};
use rows::{Rows, class_of};

/// The most lines of a file.
const MOST_LINES: usize = 80;

/// How many lines are shown at first, and the fewest more that are folded.
const FIRST_LINES: usize = 30;
const FEWEST_FOLDED: usize = 10;

/// How many ranges of a file are named above its code.
const NAMED_RANGES: usize = 5;

/// The code of lines, each file foldable, the first one unfolded: on a phone, a file takes a screen or two. Nothing without excerpts:
/// then the text is not stored.
pub(crate) fn excerpts<'a>(excerpts: impl IntoIterator<Item = &'a Excerpt>) -> Option<AnyView> {
    let files = excerpts.into_iter().enumerate();
    let files: Vec<_> = files
        .map(|(place, excerpt)| file(excerpt, place == 0))
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
    let mut rows = Rows::around(excerpt, MOST_LINES);
    let links = Links {
        in_report: &|_| None,
        to_line: &|line, _| Some(links::source_lines(*record_id, path, Some((line, line)))),
        on_forge: &|_| None,
        has_anchors: false,
    };
    let all = rows.rows.len();
    let folded = (all >= FIRST_LINES + FEWEST_FOLDED).then(|| {
        let rest = Rows {
            rows: rows.rows.split_off(FIRST_LINES),
            ..Rows::default()
        };
        let class = class_of(&rest.rows);
        let rest = markup_of_blocks(&rest, &links);
        let name = format!("Show all {all} lines");
        view! {
            <details>
                <summary>{name}</summary>
                <div class=class><div class="rows" inner_html=rest></div></div>
            </details>
        }
    });
    let class = class_of(&rows.rows);
    let markup = markup_of_blocks(&rows, &links);
    let more = rows.has_more.then(|| {
        let href = links::source(*record_id, path);
        card::note(
            view! { <a class="link" href=href>"More of these lines are in the whole file"</a> },
        )
    });
    view! {
        <details open=is_open>
            <summary><Name text=path.clone() class="mono"/><span class="muted small">{named(lines)}</span></summary>
            <div class=class><div class="rows" inner_html=markup></div></div>
            {folded}
            {more}
        </details>
    }
}

/// The lines in words, such as `lines 41–46, 50`.
fn named(ranges: &[LineRange]) -> String {
    // Lines that follow each other are one range, whatever their states.
    let mut joined: Vec<LineRange> = Vec::new();
    for &(first, last) in ranges {
        match joined.last_mut() {
            Some((_, end)) if first <= end.saturating_add(1) => *end = last.max(*end),
            _ => joined.push((first, last)),
        }
    }
    let ranges = joined.as_slice();
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

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{KnownLines, LineState, SourceLine, SourceText};

    /// Lines that ran (`+`) or not (`-`); `wanted` are the lines that a page wants.
    fn excerpt(states: &str, wanted: &[LineRange]) -> Excerpt {
        let lines = (1..).zip(states.chars()).map(|(number, state)| SourceLine {
            number,
            state: match state {
                '+' => LineState::Hit,
                _ => LineState::Missed,
            },
            runs: 7,
            branches: None,
        });
        Excerpt {
            wanted: WantedLines {
                lines: wanted.to_vec(),
                ..WantedLines::default()
            },
            text: SourceText("text\n".repeat(states.len()).into()),
            known: KnownLines {
                lines: lines.collect(),
                ..KnownLines::default()
            },
            changed: Vec::new(),
        }
    }

    /// The numbers of the shown lines, each with the number of lines of the gap that it starts.
    fn shown(excerpt: &Excerpt) -> Vec<(u32, Option<u64>)> {
        let rows = Rows::around(excerpt, MOST_LINES).rows.into_iter();
        rows.map(|row| (row.lines.0, row.starts_gap)).collect()
    }

    #[test]
    fn a_gap_counts_its_lines_that_are_not_shown_and_no_lines_of_another_gap() {
        let found = excerpt("++------++++++++++++-+", &[(8, 8), (21, 21)]);
        let gaps: Vec<_> = shown(&found)
            .into_iter()
            .filter(|(_, gap)| gap.is_some())
            .collect();
        assert_eq!(gaps, [(5, Some(6)), (21, Some(1))]);
        let one = excerpt("--------------------", &[(2, 2), (19, 19)]);
        let gaps = shown(&one).into_iter().filter(|(_, gap)| gap.is_some());
        assert_eq!(gaps.collect::<Vec<_>>(), [(1, Some(20))]);
    }

    #[test]
    fn lines_after_the_first_thirty_thousand_are_not_shown_and_that_is_said() {
        let long = excerpt(&"+".repeat(rows::MOST + 9), &[(1, 1), (30_009, 30_009)]);
        let rows = Rows::around(&long, MOST_LINES);
        assert!(rows.has_more);
        assert_eq!(rows.rows.len(), 4);
    }
}
