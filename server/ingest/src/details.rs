//! The details of a coverage file that are stored with its totals: tool, counters, warnings, and files with normalised paths.

mod ignore;
mod paths;
mod repair;

pub(super) use ignore::{
    TOO_COSTLY, leave_out_of_branches, leave_out_of_lines, leave_out_of_tests,
};
pub(super) use paths::{Root, tidy};
pub(super) use repair::Checkout;

use super::{
    lines::{self, Content, take_lines},
    repository_paths::Job,
    source_file::{SourceFile, sort_and_unite},
    tests_of_lines::take_tests,
};
use domain::{Count, Counted, GlobList, IgnoredFiles};
use formats::{Counter, Coverage, Report};
use repair::repair;
use std::collections::HashSet;
use store::{FileCounts, RecordDetails, StoredFiles, TooManyFiles};

/// The counters that replace lines in a coverage file without lines, in order of preference.
const IN_PLACE_OF_LINES: [Counter; 7] = [
    Counter::Line,
    Counter::Statement,
    Counter::Instruction,
    Counter::Block,
    Counter::Region,
    Counter::Element,
    Counter::Probe,
];

/// Moves the files out of `report`. Returns them with the other stored details, and the state of every line. Paths become paths
/// of the repository if the repository's paths are listed. The files that `rules` ignore are left out; if
/// they cannot be, also returns why, in a sentence.
pub(super) fn take_details(
    report: &mut Report,
    checkout: Option<&Checkout<'_>>,
    rules: &GlobList,
) -> (RecordDetails, Option<Content>, Option<&'static str>) {
    let files = std::mem::take(&mut report.files).into_iter();
    let mut files: Vec<_> = files.map(SourceFile::from).collect();
    for file in &mut files {
        paths::tidy(&mut file.path);
    }
    let sources = paths::tidy_sources(std::mem::take(&mut report.sources));
    let (root, matched) = match checkout {
        Some(checkout) => {
            let mut groups = std::mem::take(&mut report.groups);
            groups.iter_mut().for_each(paths::tidy);
            let groups: HashSet<_> = groups.into_iter().collect();
            let job = Job {
                sources: &sources,
                project: report.project.as_deref(),
                ..checkout.job
            };
            let (repaired, matched) = repair(files, &groups, &Checkout { job, ..*checkout });
            files = repaired;
            // With a common folder removed, a path outside of the repository could equal the path of a file in it.
            (Root::of(std::iter::empty()), Some(matched))
        }
        None => (Root::of_files(&mut files, &sources), None),
    };
    let is_root_stated = root.is_stated;
    for file in &mut files {
        root.strip(&mut file.path);
    }
    sort_and_unite(&mut files);
    let warnings = report.warnings.iter();
    let mut warnings: Vec<_> = warnings
        .map(|warning| sentence(&warning.to_string()))
        .collect();
    let (ignored, why_not) = match ignore::leave_out(&mut files, report, rules) {
        Ok(ignored) => (ignored, None),
        Err(why) => (Some(IgnoredFiles::NONE), Some(why)),
    };
    warnings.extend(why_not.map(str::to_owned));
    let is_empty = match report.total {
        Coverage::Counts(count, _) => count.total() == 0,
        Coverage::Rate(_) => false,
        Coverage::Empty { .. } => true,
    };
    let branches = report.counters.get(Counter::Branch).map(domain);
    let tests = take_tests(std::mem::take(&mut report.tests), &mut files);
    let (lines, left_out) = take_lines(&mut files, is_empty, branches);
    warnings.extend(without_long_paths(left_out));
    let lines = lines.map(|(lines, branches)| (lines, branches, tests));
    let files = stored(&files, root, report.total).unwrap_or_else(|TooManyFiles| {
        let dropped = "The coverage file lists more files than the service stores, so only its totals are shown.";
        warnings.push(dropped.to_owned());
        StoredFiles::default()
    });
    let counters = report.counters.iter().map(|(counter, count)| Counted {
        counter: counter.name().to_owned(),
        count: domain(count),
    });
    let formats::Tool { name, version } = &report.tool;
    let tool = match (name, version) {
        (None, Some(version)) => Some(format!("not named, version {version}")),
        (Some(name), Some(version)) => Some(format!("{name} {version}")),
        (name, None) => name.clone(),
    };
    let details = RecordDetails {
        tool: tool.filter(|tool| !tool.is_empty()),
        counters: counters.collect(),
        warnings,
        paths: matched,
        ignored,
        is_root_stated,
        files,
    };
    (details, lines, why_not)
}

/// Returns the warning about files whose lines are left out.
fn without_long_paths(files: usize) -> Option<String> {
    let whose = match files {
        0 => return None,
        1 => "1 file are left out: its path is".to_owned(),
        files => format!("{files} files are left out: their paths are"),
    };
    Some(format!("The lines of {whose} longer than 4096 bytes."))
}

fn stored(files: &[SourceFile], root: Root, total: Coverage) -> Result<StoredFiles, TooManyFiles> {
    let Some(counter) = counter_of(files, total) else {
        return Ok(StoredFiles::default());
    };
    let files = files.iter().map(|file| {
        let known = |counter| file.counters.get(counter).map(domain).unwrap_or_default();
        let counts = FileCounts {
            lines: known(counter),
            branches: known(Counter::Branch),
            functions: known(Counter::Function),
        };
        (file.path.as_str(), counts)
    });
    lines::stored_files(counter.name(), root.folder, files)
}

/// Returns the counter behind the percentage, if files have it too, else the best counter of the files.
fn counter_of(files: &[SourceFile], total: Coverage) -> Option<Counter> {
    let of_total = match total {
        Coverage::Counts(_, counter) => Some(counter),
        Coverage::Rate(_) | Coverage::Empty { .. } => None,
    };
    let has = |file: &SourceFile, counter| file.counters.get(counter).is_some();
    let is_present = |counter: &Counter| files.iter().any(|file| has(file, *counter));
    let wanted = of_total.into_iter().chain(IN_PLACE_OF_LINES);
    // Also stores files that have nothing to cover.
    let fallback = (!files.is_empty()).then_some(Counter::Line);
    wanted.into_iter().find(is_present).or(fallback)
}

pub(super) fn domain(count: formats::Count) -> Count {
    Count {
        covered: count.covered(),
        total: count.total(),
    }
}

/// Turns a clause into a sentence: capital first letter, period at the end.
fn sentence(clause: &str) -> String {
    let mut chars = clause.chars();
    let first = chars.next().into_iter();
    let first: String = first.flat_map(char::to_uppercase).collect();
    let end = if clause.ends_with('.') { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}

#[cfg(test)]
mod tests;
