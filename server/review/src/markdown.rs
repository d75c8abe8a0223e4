//! The results of a commit as Markdown: for the comment of a pull request, the summary of a job, and chats. Names and paths are
//! escaped: they are only text.

#[cfg(test)]
mod tests;

use domain::{
    LineRange, RecordParts, Verdict, lines_in_words,
    links::{self, ReportLinks},
    text::markdown::{code, code_in_table, text},
};
use std::{cmp::Reverse, collections::BTreeMap};
use store::RecordSummary;

/// The maximum number of languages with a section.
const SECTIONS: usize = 10;

/// The maximum number of ranges of missed changed lines that the text before the table of files names.
const NAMED_RANGES: usize = 5;

/// The maximum number of files in a table.
const FILES: usize = 20;

/// The targets of links.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// The address of this service.
    pub public_url: &'a str,
    /// The addresses of HTML reports.
    pub reports: &'a ReportLinks,
}

/// One section for each record of a commit. If there are several, each names its language.
pub(crate) fn markdown(records: &[&RecordSummary], places: Places<'_>) -> String {
    let are_several = records.len() > 1;
    let sections = records.iter().take(SECTIONS);
    let sections = sections.map(|record| section(record, are_several, places));
    let mut sections: Vec<_> = sections.collect();
    if records.len() > SECTIONS {
        let others = records.len() - SECTIONS;
        sections.push(format!("And {others} more languages."));
    }
    sections.join("\n\n")
}

/// Whether a new comment is worth writing: changed or lost lines, missing parts, or a gate that is not passed.
pub(crate) fn is_worth_a_comment(record: &RecordSummary) -> bool {
    let changed = record.changed_lines.as_ref();
    let lost = record.lost.as_ref();
    let gate = record.gate.as_ref();
    changed.is_some_and(|changed| changed.coverable > 0)
        || record.unknown_changes.is_some()
        || lost.is_some_and(|lost| lost.lines > 0)
        || !record.parts.are_complete()
        || gate.is_some_and(|gate| gate.verdict != Verdict::Passed)
}

fn section(record: &RecordSummary, is_named: bool, places: Places<'_>) -> String {
    let paragraphs = [
        Some(first_line(record, is_named, places)),
        gate(record),
        missed(record, places),
        record
            .explanation_sentence()
            .map(|sentence| text(&sentence)),
        table(record, places),
        Some(origin(record)),
    ];
    let paragraphs: Vec<_> = paragraphs.into_iter().flatten().collect();
    paragraphs.join("\n\n")
}

fn first_line(record: &RecordSummary, is_named: bool, places: Places<'_>) -> String {
    let percentage = record.record.percentage;
    let language = text(record.record.language.as_str());
    let coverage = match is_named {
        true => format!("**Coverage of {language}: {percentage} %**"),
        false => format!("**Coverage {percentage} %**"),
    };
    let delta = record.delta_in_words();
    let changed = record.changed_lines.as_ref();
    let changed = changed.map(|changed| match changed.coverable {
        0 => text(&changed.sentence()),
        coverable => {
            let (covered, unknown) = (changed.covered, changed.unknown_in_words());
            format!("changed lines **{covered} of {coverable}**{unknown}")
        }
    });
    let lost = record
        .lacks_lost_lines()
        .then(|| "lost: unknown".to_owned());
    let Places {
        public_url,
        reports,
    } = places;
    let id = record.record.id;
    let report = record.has_report.then(|| {
        let link = reports.report(id);
        let host = if link.starts_with('/') {
            public_url
        } else {
            ""
        };
        format!("[report]({host}{link})")
    });
    let why = format!("[details]({public_url}{})", links::record(id));
    let coverage = Some(format!("{coverage}{delta}"));
    let parts = [coverage, changed, lost, report, Some(why)];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    parts.join(" · ")
}

fn gate(record: &RecordSummary) -> Option<String> {
    let gate = record.gate.as_ref()?;
    let listed = |all: &[String]| {
        all.iter()
            .map(|one| text(one))
            .collect::<Vec<_>>()
            .join("; ")
    };
    let (reasons, skipped) = (listed(&gate.reasons), listed(gate.skipped_beside()));
    let verdict = match gate.verdict {
        Verdict::Failed => format!("❌ **Gate failed**: {reasons}"),
        Verdict::Passed if gate.reasons.is_empty() => "✅ Gate passed".to_owned(),
        Verdict::Passed => format!("✅ Gate passed, {reasons}"),
        Verdict::Incomplete => format!("⏳ Gate incomplete: {reasons}"),
        Verdict::Unknown => format!("❔ **Gate unknown**: {reasons}"),
    };
    Some(match gate.skipped_beside() {
        [] => verdict,
        _ => format!("{verdict} (skipped {skipped})"),
    })
}

fn missed(record: &RecordSummary, places: Places<'_>) -> Option<String> {
    let changed = record.changed_lines.as_ref()?;
    let missed = changed.coverable.checked_sub(changed.covered);
    let lines = missed.filter(|lines| *lines > 0)?;
    let mut files: Vec<_> = changed.files.iter().collect();
    files.sort_by_key(|file| Reverse(file.missed_lines()));
    let ranges = files.iter().flat_map(|file| {
        let ranges = file.not_covered().into_iter();
        ranges.map(move |range| (file, range))
    });
    let count = ranges.clone().count();
    let named = ranges.take(NAMED_RANGES).map(|(file, (first, last))| {
        let href = links::source_line(record.record.id, &file.path, Some(first));
        let (path, lines) = (code(&file.path), lines_in_words((first, last)));
        format!("[{path} {lines}]({}{href})", places.public_url)
    });
    let named: Vec<_> = named.collect();
    let are = if lines == 1 { "line is" } else { "lines are" };
    let others = match count.saturating_sub(NAMED_RANGES) {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let named = named.join(", ");
    Some(format!(
        "{lines} changed {are} not covered: {named}{others}"
    ))
}

fn origin(record: &RecordSummary) -> String {
    let base = record.base.as_ref().map(|base| {
        let (commit, branch) = (code(base.record.commit.short()), text(base.branch.as_str()));
        format!("base {commit} ({branch})")
    });
    let head = format!("head {}", code(record.record.commit.short()));
    let phrases = [base, Some(head), parts(record)];
    let phrases: Vec<_> = phrases.into_iter().flatten().collect();
    format!("<sub>{}</sub>", phrases.join(" · "))
}

/// The parts that arrived, are carried forward, or are missing.
fn parts(record: &RecordSummary) -> Option<String> {
    let RecordParts {
        arrived, carried, ..
    } = &record.parts;
    if record.parts.are_plain() {
        return None;
    }
    let names: Vec<_> = arrived.iter().map(|part| part.name.to_string()).collect();
    let missing = record.parts.missing();
    let of = match missing.is_empty() {
        true => format!("parts: {}", names.join(", ")),
        false => {
            let all = arrived.len() + missing.names().count();
            format!("{} of {all} parts: {}", arrived.len(), names.join(", "))
        }
    };
    let labels = carried
        .iter()
        .map(|part| part.label(record.record.updated_at));
    let carried = labels.map(|part| format!("carried forward: {part}"));
    let waiting = (!record.parts.are_complete()).then(|| format!("waiting for {missing}"));
    let phrases: Vec<_> = [of].into_iter().chain(carried).chain(waiting).collect();
    Some(text(&phrases.join("; ")))
}

#[derive(Default)]
struct Row {
    covered: u64,
    coverable: u64,
    lost: u64,
}

/// The files with changed coverable lines or with lost lines. The files with the most missed and lost lines come first.
fn table(record: &RecordSummary, places: Places<'_>) -> Option<String> {
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
