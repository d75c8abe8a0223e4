//! The result of `check`: lines for the log, and Markdown for the summary of the job.

use super::{Checked, Judged};
use crate::environment::variable;
use domain::{
    Change, Verdict, lines_in_words,
    text::{markdown, printed},
};
use std::{
    fs::OpenOptions,
    io::{self, Write},
};

/// The most files that are listed with their missed lines.
const NAMED_FILES: usize = 20;

pub(super) fn print(out: &mut impl Write, checked: &Checked) -> io::Result<()> {
    for judged in &checked.languages {
        let name = name(checked, judged);
        writeln!(out, "coverage: {name}{}", line(judged))?;
        for sentence in verdict(checked, judged) {
            writeln!(out, "coverage: {}", printed(sentence))?;
        }
    }
    for notice in &checked.notices {
        writeln!(out, "coverage: {}", printed(notice))?;
    }
    Ok(())
}

/// The language, if there are several.
fn name(checked: &Checked, judged: &Judged) -> String {
    match &judged.language {
        _ if checked.languages.len() == 1 => String::new(),
        Some(language) => format!("{language}: "),
        None => "other languages: ".to_owned(),
    }
}

/// The total, its change and the changed lines.
fn line(judged: &Judged) -> String {
    let percentage = judged.total.map(|count| count.percentage());
    let total = percentage.map(|percentage| format!("{percentage} %"));
    let total = total.unwrap_or_else(|| "the number of lines is not known".to_owned());
    let base = judged.base_record.as_ref();
    let change = base.and_then(|record| record.percentage()).zip(percentage);
    let change = change.map(|(before, now)| format!(" ({})", Change::between(before, now)));
    let changed = judged.analysis.changed.as_ref();
    let changed = changed.map(|changed| format!(", {}", changed.sentence()));
    let lacks_lost = changed.is_some() && judged.analysis.lost.is_none();
    let lost = if lacks_lost { ", lost: unknown" } else { "" };
    let (change, changed) = (change.unwrap_or_default(), changed.unwrap_or_default());
    format!("{total}{change}{changed}{lost}")
}

/// The verdict with its reasons, one sentence each.
fn verdict(checked: &Checked, judged: &Judged) -> Vec<String> {
    let name = name(checked, judged);
    let Some(gate) = &judged.analysis.gate else {
        let no_rule = "gate: no rule is set in coverage-dashboard.toml";
        return vec![format!("{name}{no_rule}")];
    };
    let word = match (gate.verdict, checked.verdict_of(judged)) {
        (Verdict::Failed, _) => "failed",
        (Verdict::Unknown, _) | (_, None) => "unknown",
        _ => "passed",
    };
    // The reasons of an unknown verdict are the skipped rules.
    let reasons = gate.reasons.iter().map(|reason| format!("  {reason}"));
    let reasons = reasons.filter(|_| gate.verdict != Verdict::Unknown);
    let skipped = gate.skipped.iter().map(|rule| format!("  skipped {rule}"));
    let verdict = std::iter::once(format!("{name}gate: {word}"));
    verdict.chain(reasons).chain(skipped).collect()
}

/// Adds Markdown to the summary of a job, on systems that have one.
pub(super) fn write_summary(checked: &Checked) -> io::Result<()> {
    match variable("GITHUB_STEP_SUMMARY") {
        Some(path) => {
            let mut file = OpenOptions::new().append(true).create(true).open(path)?;
            file.write_all(markdown(checked).as_bytes())
        }
        None => Ok(()),
    }
}

fn markdown(checked: &Checked) -> String {
    let sections = checked.languages.iter();
    let mut text: String = sections.map(|judged| section(checked, judged)).collect();
    for notice in &checked.notices {
        text.push_str(&format!("\n{}\n", markdown::text(notice)));
    }
    if let Some(base) = &checked.base {
        text.push_str(&format!("\n<sub>base {}</sub>\n", markdown::text(base)));
    }
    text + "\n"
}

fn section(checked: &Checked, judged: &Judged) -> String {
    let name = name(checked, judged);
    let mut text = format!("**Coverage {}{}**\n\n", markdown::text(&name), line(judged));
    for sentence in verdict(checked, judged) {
        let sentence = sentence.strip_prefix(&name).unwrap_or(&sentence);
        text.push_str(&format!("- {}\n", markdown::text(sentence.trim())));
    }
    let changed = judged
        .analysis
        .changed
        .iter()
        .flat_map(|changed| &changed.files);
    let missed = changed.map(|file| (file, file.not_covered()));
    let missed = missed.filter(|(_, ranges)| !ranges.is_empty());
    let rows = missed.map(|(file, ranges)| {
        let ranges: Vec<_> = ranges.into_iter().map(lines_in_words).collect();
        let (path, ranges) = (markdown::code_in_table(&file.path), ranges.join(", "));
        format!(
            "| {path} | {} of {} | {ranges} |\n",
            file.covered, file.coverable
        )
    });
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        text.push_str("\n| file | changed lines covered | not covered |\n|---|--:|---|\n");
        text.extend(rows.iter().take(NAMED_FILES).map(String::as_str));
        if rows.len() > NAMED_FILES {
            text.push_str(&format!("\nand {} more files\n", rows.len() - NAMED_FILES));
        }
    }
    text + "\n"
}
