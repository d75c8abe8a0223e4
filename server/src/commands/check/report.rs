//! The result of `check`: lines for the log, and Markdown for the summary of the job.

use super::Checked;
use crate::{commands::client::variable, text::shown};
use domain::{Change, Verdict};
use std::{
    fs::OpenOptions,
    io::{self, Write},
};

/// The files that are named with their missed lines.
const NAMED_FILES: usize = 20;

pub(super) fn print(out: &mut impl Write, checked: &Checked) -> io::Result<()> {
    writeln!(out, "coverage: {}", line(checked))?;
    for sentence in verdict(checked).iter().chain(&checked.notices) {
        writeln!(out, "coverage: {}", shown(sentence))?;
    }
    Ok(())
}

/// The total, its change and the changed lines.
fn line(checked: &Checked) -> String {
    let percentage = checked.total.map(|count| count.percentage());
    let total = percentage.map_or_else(
        || "the number of lines is not known".to_owned(),
        |percentage| format!("{percentage} %"),
    );
    let before = checked
        .base_record
        .as_ref()
        .and_then(|record| record.percentage());
    let change = before.zip(percentage);
    let change = change.map(|(before, now)| format!(" ({})", Change::between(before, now)));
    let changed = checked.analysis.changed.as_ref();
    let changed = changed.map(|changed| format!(", {}", changed.sentence()));
    format!(
        "{total}{}{}",
        change.unwrap_or_default(),
        changed.unwrap_or_default()
    )
}

/// The verdict with its reasons, one sentence each.
fn verdict(checked: &Checked) -> Vec<String> {
    let Some(gate) = &checked.analysis.gate else {
        return vec!["gate: no rule is set in .coverage.toml".to_owned()];
    };
    let word = match (gate.verdict, checked.verdict()) {
        (Verdict::Failed, _) => "failed",
        (_, None) => "cannot be told",
        _ => "passed",
    };
    let reasons = gate.reasons.iter().map(|reason| format!("  {reason}"));
    let skipped = gate.skipped.iter().map(|rule| format!("  skipped {rule}"));
    std::iter::once(format!("gate: {word}"))
        .chain(reasons)
        .chain(skipped)
        .collect()
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
    let mut text = format!("**Coverage {}**\n\n", line(checked));
    for sentence in verdict(checked) {
        text.push_str(&format!("- {}\n", plain(sentence.trim())));
    }
    let changed = checked
        .analysis
        .changed
        .iter()
        .flat_map(|changed| &changed.files);
    let missed = changed.filter(|file| !file.missed.is_empty());
    let rows: Vec<_> = missed
        .map(|file| {
            let ranges: Vec<_> = file.missed.iter().map(range).collect();
            format!(
                "| {} | {} of {} | {} |\n",
                plain(&file.path),
                file.covered,
                file.coverable,
                ranges.join(", ")
            )
        })
        .collect();
    if !rows.is_empty() {
        text.push_str("\n| file | changed lines covered | not covered |\n|---|--:|---|\n");
        text.extend(rows.iter().take(NAMED_FILES).map(String::as_str));
        if rows.len() > NAMED_FILES {
            text.push_str(&format!("\nand {} more files\n", rows.len() - NAMED_FILES));
        }
    }
    for notice in &checked.notices {
        text.push_str(&format!("\n{}\n", plain(notice)));
    }
    if let Some(base) = &checked.base {
        text.push_str(&format!("\n<sub>base {}</sub>\n", plain(base)));
    }
    text + "\n"
}

fn range(&(first, last): &(u32, u32)) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}–{last}")
    }
}

/// A text without Markdown, HTML or mentions.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for char in shown(text).chars() {
        match char {
            '<' => plain.push_str("&lt;"),
            '&' => plain.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' => {
                plain.push('\\');
                plain.push(char);
            }
            // A zero-width space: nobody is mentioned.
            '@' => plain.push_str("@\u{200b}"),
            char => plain.push(char),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_summary_are_text() {
        assert_eq!(
            plain("a|b`<b>@kim\n#1_x"),
            "a\\|b\\`&lt;b>@\u{200b}kim\u{fffd}\\#1\\_x"
        );
    }
}
