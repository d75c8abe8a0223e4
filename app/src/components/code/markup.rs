//! The rows of a source file as markup. A file can have thousands of rows, so they are written as text.

use super::{
    rows::{Row, Rows},
    text,
};
use crate::{escaped::escaped, numbers::counted};
use domain::{LineBranches, LineState, NotRunSince, SourceTests, lines_in_words};
use std::fmt::Write;

/// Rows that the browser lays out together, when they are near the window.
const BLOCK: usize = 100;

/// What rows link to.
pub(crate) struct Links<'a> {
    /// The line in the HTML report, if there is one, and the frame that shows it.
    pub(crate) in_report: &'a dyn Fn(u32) -> Option<(&'static str, String)>,
    /// A page about the line, if there is one; the second argument is whether the line is coverable.
    pub(crate) to_line: &'a dyn Fn(u32, bool) -> Option<String>,
    /// Whether links can name the lines of this page. A page with several files has no such anchors.
    pub(crate) has_anchors: bool,
    /// The line on the forge, if it is known.
    pub(crate) on_forge: &'a dyn Fn(u32) -> Option<String>,
}

/// The markup of all rows. `are_united`: whether numbers of runs are the greatest of several parts.
pub(crate) fn markup(rows: &Rows<'_>, are_united: bool, links: &Links<'_>) -> String {
    let mut markup = String::with_capacity(rows.rows.len() * 128);
    for block in rows.rows.chunks(BLOCK) {
        write_block(&mut markup, block, are_united, links);
    }
    markup
}

/// The markup of rows with gaps between them: a block for each range of lines.
pub(super) fn markup_of_blocks(rows: &Rows<'_>, links: &Links<'_>) -> String {
    let mut markup = String::with_capacity(rows.rows.len() * 192);
    let follow = |row: &Row<'_>, next: &Row<'_>| row.lines.1 + 1 == next.lines.0;
    for block in rows.rows.chunk_by(follow) {
        write_block(&mut markup, block, true, links);
    }
    markup
}

/// Rows that follow each other.
fn write_block(to: &mut String, rows: &[Row<'_>], are_united: bool, links: &Links<'_>) {
    to.push_str("<div>");
    for row in rows {
        // Writing to a text cannot fail.
        let _ = write_row(to, row, are_united, links);
    }
    to.push_str("</div>");
}

fn write_row(
    to: &mut String,
    row: &Row<'_>,
    are_united: bool,
    links: &Links<'_>,
) -> std::fmt::Result {
    let (first, last) = row.lines;
    to.push_str("<div");
    if links.has_anchors {
        write!(to, " id=\"L{first}\"")?;
    }
    if last > first {
        write!(to, " data-last=\"{last}\"")?;
    }
    let classes = [
        (row.state == Some(LineState::Missed), "m"),
        (row.state == Some(LineState::Partial), "p"),
        (row.state == Some(LineState::Hit), "h"),
        (row.is_chosen, "on"),
        (row.flickers, "f"),
    ];
    attribute(to, "class", classes)?;
    let stops = [
        (row.starts_gap.is_some(), "gap"),
        (row.starts_change, "change"),
    ];
    attribute(to, "data-stop", stops)?;
    to.push('>');
    if row.is_changed {
        to.push_str("<b title=\"changed\">+</b>");
    } else if row.is_lost {
        to.push_str("<b title=\"lost: it ran at the base\">▼</b>");
    } else if row.flickers {
        to.push_str("<b title=\"flickers\">~</b>");
    } else if row.is_gained {
        to.push_str("<b title=\"gained: it did not run at the base\">▲</b>");
    }
    let in_report = match row.text {
        None => (links.in_report)(first),
        Some(_) => None,
    };
    match &in_report {
        Some((frame, href)) => {
            let href = escaped(href);
            write!(to, "<a rel=\"external\" target=\"{frame}\" href=\"{href}\"")?;
        }
        None => match (links.to_line)(first, row.coverable > 0) {
            Some(href) => write!(to, "<a href=\"{}\"", escaped(&href))?,
            None => write!(to, "<a href=\"#L{first}\"")?,
        },
    }
    if row.has_focus {
        // Without a hash, the browser scrolls to the line.
        to.push_str(" autofocus");
    }
    match row.starts_gap {
        Some(lines) => {
            let gap = counted(lines, "line", "lines");
            write!(to, " aria-label=\"Line {first}: {gap} missed or partial\"")?;
        }
        // Tab goes from gap to gap: thousands of other lines would be in the way.
        None if in_report.is_none() => to.push_str(" tabindex=\"-1\""),
        None => {}
    }
    write!(to, ">{}</a>", lines_in_words(row.lines))?;
    match row.state {
        Some(LineState::Missed) => to.push_str("<i title=\"missed\">✗</i>"),
        Some(LineState::Partial) => write!(to, "<i title=\"partial{}\">◐</i>", by_tests(row))?,
        Some(LineState::Hit) => {
            let runs = runs(row.runs, are_united);
            write!(to, "<i title=\"hit{}\">{runs}</i>", by_tests(row))?;
        }
        None => {}
    }
    match row.text {
        Some(line) => {
            match text::indentation(line) {
                0 => to.push_str("<code>"),
                levels => write!(to, "<code class=\"in{levels}\">")?,
            }
            let left_out = text::write(to, line, row.colours);
            if left_out > 0 {
                let left_out = counted(left_out as u64, "more character", "more characters");
                write!(to, "<small>… and {left_out}</small>")?;
            }
            note(to, &notes(row))?;
            to.push_str("</code>");
        }
        None => {
            write!(to, "<span>{}", what(row))?;
            note(to, &notes(row))?;
            if row.state != Some(LineState::Hit)
                && let Some(href) = (links.on_forge)(first)
            {
                let href = escaped(&href);
                write!(
                    to,
                    " <a class=\"link\" rel=\"external\" href=\"{href}\">code ↗</a>"
                )?;
            }
            to.push_str("</span>");
        }
    }
    to.push_str("</div>");
    Ok(())
}

fn attribute<const N: usize>(
    to: &mut String,
    name: &str,
    words: [(bool, &str); N],
) -> std::fmt::Result {
    let words = words.into_iter().filter(|(has, _)| *has);
    let words: Vec<_> = words.map(|(_, word)| word).collect();
    match words.is_empty() {
        true => Ok(()),
        false => write!(to, " {name}=\"{}\"", words.join(" ")),
    }
}

fn note(to: &mut String, notes: &[String]) -> std::fmt::Result {
    match notes.is_empty() {
        true => Ok(()),
        false => write!(to, "<small>{}</small>", escaped(&notes.join(" · "))),
    }
}

/// How often a line ran. 1 also means that the coverage file only states that it ran.
fn runs(runs: u8, are_united: bool) -> String {
    match runs {
        0 | 1 => "✓".to_owned(),
        u8::MAX => "≥255×".to_owned(),
        runs if are_united => format!("≥{runs}×"),
        runs => format!("{runs}×"),
    }
}

/// What happened to lines whose text is not known.
fn what(row: &Row<'_>) -> String {
    let lines = counted(row.coverable, "line", "lines");
    match row.state {
        Some(LineState::Missed) => format!("{lines} missed"),
        Some(LineState::Partial) => format!("{lines} partial"),
        Some(LineState::Hit) => format!("{lines} hit"),
        None => String::new(),
    }
}

fn by_tests(row: &Row<'_>) -> String {
    match row.tests {
        0 => String::new(),
        tests => format!(", run by {}", counted(tests, "test", "tests")),
    }
}

/// How many tests of a line are named.
const NAMED_TESTS: usize = 20;

/// The tests of the line that the address names.
fn named(tests: &SourceTests) -> String {
    let SourceTests { of, named, .. } = tests;
    let (count, of) = (named.len(), counted(*of, "test", "tests"));
    let names = named.iter().take(NAMED_TESTS).cloned();
    let mut names: Vec<_> = names.collect();
    if count > NAMED_TESTS {
        names.push(format!("and {} more", count - NAMED_TESTS));
    }
    let names = names.join(", ");
    match tests.are_former {
        true => format!(
            "at the base, {} ran it: {names}",
            counted(count as u64, "test", "tests")
        ),
        false => format!("run by {count} of {of}: {names}"),
    }
}

fn notes(row: &Row<'_>) -> Vec<String> {
    let since = row.since.map(NotRunSince::phrase);
    let lost = (row.starts_loss && since.is_none()).then(|| "lost: ran at the base".to_owned());
    let branches = match (row.state, row.branches) {
        (Some(LineState::Partial), Some(branches)) => Some(of_branches(branches)),
        (Some(LineState::Partial), None) => Some("not all branches taken".to_owned()),
        _ => None,
    };
    let tests = row.named_tests.map(named);
    let flickers = row.flickers.then(|| "flickers".to_owned());
    let notes = [flickers, branches, lost, since, tests];
    notes.into_iter().flatten().collect()
}

/// How many names of branches are shown.
const NAMED_BRANCHES: usize = 8;

fn of_branches(branches: &LineBranches) -> String {
    let LineBranches {
        taken,
        total,
        missed,
    } = branches;
    let named = missed.iter().take(NAMED_BRANCHES).cloned();
    let mut named: Vec<_> = named.collect();
    if missed.len() > NAMED_BRANCHES {
        named.push("…".to_owned());
    }
    let sentence = format!("{taken} of {total} branches taken");
    match named.is_empty() {
        true => sentence,
        false => format!("{sentence}, not: {}", named.join(", ")),
    }
}
