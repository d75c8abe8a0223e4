//! One line about a record, and the notices about it.

use domain::{Gate, MatchedPaths, Verdict, text::shown};
use store::RecordSummary;

/// One line about a record: its coverage, the change, the changed lines, what is missing, and what fails.
pub fn line(summary: &RecordSummary) -> String {
    let gate = summary.gate.as_ref();
    let failed = gate.filter(|gate| matches!(gate.verdict, Verdict::Failed | Verdict::Unknown));
    let parts = &summary.parts;
    let phrases = [
        Some(summary.results().line()),
        (!parts.are_complete()).then(|| format!("waiting for {}", parts.missing())),
        carried(summary).map(|carried| format!("carried forward: {carried}")),
        failed.map(Gate::sentence),
        gate.and_then(Gate::skipped_in_words),
        few_paths(summary).map(|few| format!("only {few}")),
    ];
    let phrases: Vec<_> = phrases.into_iter().flatten().collect();
    phrases.join("; ")
}

/// The parts that are carried forward, and where their lines come from.
fn carried(summary: &RecordSummary) -> Option<String> {
    let at = summary.record.updated_at;
    let labels = summary.parts.carried.iter().map(|part| part.label(at));
    let labels: Vec<_> = labels.collect();
    (!labels.is_empty()).then(|| labels.join(", "))
}

/// The notices for the uploader about the record.
pub fn notices(summary: &RecordSummary) -> Vec<String> {
    let few = few_paths(summary).map(|few| format!("Only {few}."));
    let sum = summary.sum_of_lines.map(|sum| {
        format!("The lines add up to {sum} %; the percentage is the total that the tool states.")
    });
    let usual = &summary.parts.usual;
    let usual =
        (!usual.is_empty()).then(|| format!("Most commits of the main branch also have {usual}."));
    let stale_hunks = stale_hunks(&summary.stale_hunks);
    let unknown = summary.unknown_changes.clone();
    let notices = [few, unknown, sum, usual, stale_hunks];
    notices.into_iter().flatten().collect()
}

/// The notice that the form field `changes` was made from other trees than the measured ones.
fn stale_hunks(paths: &[String]) -> Option<String> {
    let first = paths.first()?;
    Some(format!(
        "The form field changes does not fit the base and this record, for example in {}; make it with git diff from base_commit to the measured commit.",
        shown(first)
    ))
}

/// The words after “only” about a job if few of its paths are files of the repository.
fn few_paths(summary: &RecordSummary) -> Option<String> {
    // The record may have other parts, with paths of other jobs.
    let paths: &MatchedPaths = summary.uploaded_paths.as_ref().or(summary.paths.as_ref())?;
    let (matched, of) = (paths.matched, paths.of);
    let few =
        || format!("{matched} of {of} paths in the coverage file are files of the repository");
    paths.are_few().then(few)
}
