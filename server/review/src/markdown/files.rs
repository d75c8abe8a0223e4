//! The table of changed files.

use super::Places;
use domain::{LineRange, links, text::markdown::code_in_table};
use std::{cmp::Reverse, collections::BTreeMap};
use store::RecordSummary;

const FILES: usize = 20;

#[derive(Default)]
struct Row {
    covered: u64,
    coverable: u64,
    lost: u64,
}

/// The files with changed coverable lines or with lost lines. The files with the most missed and lost lines come first.
pub(super) fn table(record: &RecordSummary, places: Places<'_>) -> Option<String> {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let changed = record
        .changed_lines
        .iter()
        .flat_map(|changed| &changed.files);
    for file in changed.filter(|file| file.coverable > 0) {
        let row = rows.entry(&file.path).or_default();
        (row.covered, row.coverable) = (file.covered, file.coverable);
    }
    for (path, ranges) in record.lost.iter().flat_map(|lost| &lost.files) {
        rows.entry(path).or_default().lost = ranges.iter().map(length).sum();
    }
    if rows.is_empty() {
        return None;
    }
    let count = rows.len();
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by_key(|(_, row)| Reverse(row.coverable - row.covered + row.lost));
    let lines = rows.iter().take(FILES).map(|(path, row)| {
        let href = links::source(record.record.id, path);
        let path = code_in_table(path);
        let lost = match &record.lost {
            Some(_) => row.lost.to_string(),
            None => "unknown".to_owned(),
        };
        let changed = match row.coverable {
            0 => "–".to_owned(),
            coverable => format!("{} of {coverable}", row.covered),
        };
        let url = places.public_url;
        format!("| [{path}]({url}{href}) | {changed} | {lost} |")
    });
    let lines: Vec<_> = lines.collect();
    let others = match count.saturating_sub(FILES) {
        0 => String::new(),
        others => format!("\n\nAnd {others} more files."),
    };
    let files = if count == 1 {
        "1 file".to_owned()
    } else {
        format!("{count} files")
    };
    // Markdown within HTML needs the empty lines.
    Some(format!(
        "<details><summary>{files}</summary>\n\n| file | changed lines covered | lines lost |\n|---|--:|--:|\n{}{others}\n\n</details>",
        lines.join("\n")
    ))
}

fn length((first, last): &LineRange) -> u64 {
    u64::from(last.saturating_sub(*first)) + 1
}
