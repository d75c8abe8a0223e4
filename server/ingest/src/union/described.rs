//! The record of a union of parts: its numbers, files and warnings.

use super::{Part, roots::Roots};
use domain::{Count, Counted, MatchedPaths};
use lines::{Lines, TooLarge};
use std::collections::BTreeSet;
use store::{FileCounts, FilesEncoder, NewLines, RecordDetails, StoredFiles, TooManyFiles, Union};

/// Describes the union of the lines of some parts. `measured_files` is the number of files in the measured parts. Blocks.
pub(super) fn described(
    mut parts: Vec<Part>,
    measured_files: usize,
    roots: Roots,
    all: Lines,
) -> Result<Union, TooLarge> {
    parts.sort_by(|one, other| one.name.cmp(&other.name));
    let mut warnings: Vec<String> = Vec::new();
    for part in &parts {
        let named = |warning: &String| format!("Part {}: {warning}", part.name);
        warnings.extend(part.warnings.iter().map(named));
    }
    let tools: BTreeSet<_> = parts.iter().filter_map(|part| part.tool.clone()).collect();
    let matched: Option<Vec<_>> = parts.into_iter().map(|part| part.paths).collect();
    let limits = lines::Limits::default();
    let (all, root, is_doubtful) = roots.strip(all);
    if is_doubtful {
        let differ = "The parts were measured in different folders, so a file may be listed twice; send the part paths (the output of git ls-files -z) with each upload.";
        warnings.push(differ.to_owned());
    }
    let counts = all.counts();
    let lines = Count {
        covered: counts.covered(),
        total: counts.coverable(),
    };
    let files = stored_files(&all, root).unwrap_or_else(|TooManyFiles| {
        let dropped =
            "The parts list more files than the service stores, so only totals are shown.";
        warnings.push(dropped.to_owned());
        StoredFiles::default()
    });
    let details = RecordDetails {
        tool: (!tools.is_empty()).then(|| tools.into_iter().collect::<Vec<_>>().join(", ")),
        counters: vec![Counted {
            counter: LINE.to_owned(),
            count: lines,
        }],
        warnings,
        paths: matched.map(|parts| all_paths(&parts, measured_files)),
        is_root_stated: false,
        files,
    };
    Ok(Union {
        lines,
        details,
        line_states: NewLines {
            covered: counts.covered(),
            coverable: counts.coverable(),
            encoded: all.encode(&limits)?,
        },
        carried: Vec::new(),
    })
}

/// The name of the only counter that all parts have.
const LINE: &str = "line";

fn stored_files(lines: &Lines, root: String) -> Result<StoredFiles, TooManyFiles> {
    let mut encoder = FilesEncoder::new();
    for (path, file) in lines.files() {
        let counts = file.counts();
        let counts = FileCounts {
            lines: Count {
                covered: counts.covered(),
                total: counts.coverable(),
            },
            ..FileCounts::default()
        };
        encoder.add(path, counts)?;
    }
    let (count, encoded) = encoder.finish()?;
    Ok(StoredFiles {
        counter: LINE.to_owned(),
        root,
        count,
        encoded: Some(encoded),
    })
}

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
