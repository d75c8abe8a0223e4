//! What is not known about a source file, or does not fit.

use crate::{
    components::code::rows::{MOST, Rows},
    numbers::{counted, grouped},
};
use domain::{LineState, MissedSince, NotRunSince, SourceDetail, SourceLines};

/// What is not known, or does not fit, each in a sentence.
pub(super) fn notes(detail: &SourceDetail, rows: &Rows<'_>) -> Vec<String> {
    let (of, are) = match &detail.query.part {
        Some(part) => (format!("Part {part}"), "of this part"),
        None => ("This record".to_owned(), "of this record"),
    };
    let lines = match &detail.lines {
        SourceLines::Known(known) if known.lines.is_empty() => {
            Some("No line of this file is coverable.".to_owned())
        }
        SourceLines::Known(known) => {
            let is_complete = known.lines.iter().all(|line| line.state == LineState::Hit);
            is_complete.then(|| "Every line ran, with all its branches.".to_owned())
        }
        SourceLines::NoSuchFile => Some(format!("{of} has no lines of this file.")),
        SourceLines::NotKept => Some(format!(
            "The lines {are} are not kept: its coverage file has no lines, they have expired, or it is older than the storage of lines. Lines of newer uploads are kept."
        )),
    };
    let text = detail.text.is_none().then(|| {
        "The job did not send the text of this file, so its coverable lines are listed without it. The option --sources of the upload script sends it.".to_owned()
    });
    let text = text.filter(|_| !rows.rows.is_empty());
    let beyond = rows.lines_of_text.filter(|_| rows.beyond > 0).map(|last| {
        let beyond = counted(rows.beyond as u64, "coverable line is", "coverable lines are");
        format!(
            "{beyond} after the last line of the text, {}: the file was changed after it was measured, or before. The states may be of other lines.",
            grouped(last.into())
        )
    });
    let tests = detail.tests.as_ref().map(|tests| {
        let of = counted(tests.of, "test", "tests");
        format!(
            "This record names its {of}: the number of a line shows which of them ran the line."
        )
    });
    let since = match &detail.lines {
        SourceLines::Known(known) => known.missed_since.iter().find_map(begins),
        SourceLines::NoSuchFile | SourceLines::NotKept => None,
    };
    let since = since.map(|phrase| format!("Missed lines without a date: {phrase}."));
    let more = rows
        .has_more
        .then(|| format!("Only the first {} rows are shown.", grouped(MOST as u64)));
    [lines, text, beyond, since, tests, more]
        .into_iter()
        .flatten()
        .collect()
}

/// The phrase for lines that are as old as the history of lines.
fn begins(missed: &MissedSince) -> Option<String> {
    let since = missed.since.as_ref();
    let begins = since.filter(|since| matches!(since, NotRunSince::HistoryBegins(_)));
    begins.map(NotRunSince::phrase)
}
