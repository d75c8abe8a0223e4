//! The record of a union of parts: its numbers, files and warnings.

use super::roots::Roots;
use crate::{
    lines::{Content, count, new_lines, of_branches, stored_files},
    tests_of_lines::stored_tests,
};
use domain::{Counted, IgnoredFiles, MatchedPaths};
use lines::{NamedBranches, TooLarge};
use std::collections::BTreeSet;
use store::{FileCounts, NewLines, PartDetails, RecordDetails, StoredFiles, TooManyFiles, Union};

/// Describes the union of some parts. `measured_files` is the number of files in the measured parts, and `ignored` are the ignored
/// files of all parts, if there are rules. The tests may take `room` bytes. Blocks.
pub(super) fn described(
    mut parts: Vec<PartDetails>,
    measured_files: usize,
    roots: Roots,
    all: Content,
    ignored: Option<IgnoredFiles>,
    room: u64,
) -> Result<Union, TooLarge> {
    parts.sort_by(|one, other| one.name.cmp(&other.name));
    let mut warnings: Vec<String> = Vec::new();
    for part in &parts {
        let named = |warning: &String| format!("Part {}: {warning}", part.name);
        warnings.extend(part.warnings.iter().map(named));
    }
    let tools: BTreeSet<_> = parts.iter().filter_map(|part| part.tool.clone()).collect();
    let matched: Option<Vec<_>> = parts.into_iter().map(|part| part.paths).collect();
    let ((all, branches, tests), root, is_doubtful) = roots.strip(all)?;
    if is_doubtful {
        let differ = "The parts were measured in different folders, so a file may be listed twice; send the form field paths (the output of git ls-files -z) with each upload.";
        warnings.push(differ.to_owned());
    }
    let lines = count(all.counts());
    let files = all.files().map(|(path, file)| {
        let counts = FileCounts {
            lines: count(file.counts()),
            branches: branches
                .as_ref()
                .map(|branches| of_branches(branches.count_of(path)))
                .unwrap_or_default(),
            ..FileCounts::default()
        };
        (path, counts)
    });
    let files = stored_files(LINE, root, files).unwrap_or_else(|TooManyFiles| {
        let dropped =
            "The parts list more files than the service stores, so only totals are shown.";
        warnings.push(dropped.to_owned());
        StoredFiles::default()
    });
    let branches = branches
        .as_ref()
        .map(|branches| of_branches(NamedBranches::count(branches)));
    let tests = stored_tests(tests.as_ref(), room);
    warnings.extend(tests.as_ref().err().map(|why| (*why).to_owned()));
    let known = [(LINE, Some(lines)), (BRANCH, branches)].into_iter();
    let known = known.filter_map(|(counter, count)| {
        Some(Counted {
            counter: counter.to_owned(),
            count: count?,
        })
    });
    let details = RecordDetails {
        tool: (!tools.is_empty()).then(|| tools.into_iter().collect::<Vec<_>>().join(", ")),
        counters: known.collect(),
        warnings,
        paths: matched.map(|parts| all_paths(&parts, measured_files)),
        ignored,
        is_root_stated: false,
        files,
    };
    Ok(Union {
        lines,
        branches,
        details,
        line_states: NewLines {
            tests: tests.unwrap_or_default(),
            ..new_lines(&all)?
        },
        carried: Vec::new(),
    })
}

/// The names of the counters that a union can have.
const LINE: &str = "line";
const BRANCH: &str = "branch";

/// Returns how many files of all parts are files of the repository. A part lists only some of its unmatched paths.
pub(super) fn all_paths(parts: &[MatchedPaths], files: usize) -> MatchedPaths {
    let mut unmatched: Vec<_> = parts.iter().flat_map(|part| &part.unmatched).collect();
    unmatched.sort();
    unmatched.dedup_by_key(|unmatched| &unmatched.path);
    let not_named = |part: &MatchedPaths| {
        let count = part.of.saturating_sub(part.matched);
        count.saturating_sub(part.unmatched.len() as u64)
    };
    let not_named = parts.iter().map(not_named).max().unwrap_or(0);
    let count = unmatched.len() as u64 + not_named;
    let of = (files as u64).max(count);
    MatchedPaths {
        matched: of - count,
        of,
        unmatched: unmatched
            .into_iter()
            .take(MatchedPaths::NAMED)
            .cloned()
            .collect(),
        is_by_former_rule: parts.iter().any(|part| part.is_by_former_rule),
    }
}
