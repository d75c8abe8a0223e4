//! The result of `check`: lines for the log, and Markdown for the summary of the job.

use super::{Checked, Judged};
use crate::environment::variable;
use domain::{
    Gate,
    text::{markdown, printed},
};
use std::{
    fs::OpenOptions,
    io::{self, Write},
    iter::once,
};

/// The most ranges of missed lines that the summary of a job names. No page has the others.
const NAMED_RANGES: usize = 1_000;

const NO_RULE: &str = "gate: no rule is set in coverage-dashboard.toml";

pub(super) fn print(out: &mut impl Write, checked: &Checked) -> io::Result<()> {
    for judged in &checked.languages {
        let prefix = prefix(checked, judged);
        writeln!(out, "coverage: {prefix}{}", judged.results().line())?;
        for line in verdict(&prefix, judged.gate.as_ref()) {
            writeln!(out, "coverage: {}", printed(line))?;
        }
    }
    for notice in &checked.notices {
        writeln!(out, "coverage: {}", printed(notice))?;
    }
    Ok(())
}

/// The language before a line of the log, if there are several.
fn prefix(checked: &Checked, judged: &Judged) -> String {
    let language = checked.name(judged);
    language.map_or_else(String::new, |name| format!("{name}: "))
}

/// The verdict with its reasons, one line each.
fn verdict(prefix: &str, gate: Option<&Gate>) -> Vec<String> {
    let Some(gate) = gate else {
        return vec![format!("{prefix}{NO_RULE}")];
    };
    let reasons = gate.reasons.iter().map(|reason| format!("  {reason}"));
    let skipped = gate.skipped_beside().iter();
    let skipped = skipped.map(|rule| format!("  skipped {rule}"));
    let verdict = once(format!("{prefix}gate: {}", gate.verdict.word()));
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
    let mut paragraphs = Vec::new();
    for judged in &checked.languages {
        let results = judged.results();
        let verdict = results.verdict();
        paragraphs.push(results.headline(checked.name(judged)));
        paragraphs.push(verdict.unwrap_or_else(|| markdown::text(NO_RULE)));
        paragraphs.extend(results.missed(NAMED_RANGES, |text, _, _| text));
        paragraphs.extend(results.table(|text, _, _| text));
    }
    let notices = checked.notices.iter();
    paragraphs.extend(notices.map(|notice| markdown::text(notice)));
    let base = checked.base.iter();
    paragraphs.extend(base.map(|base| format!("<sub>base {}</sub>", markdown::text(base))));
    paragraphs.join("\n\n") + "\n\n"
}
