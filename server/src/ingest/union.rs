//! Unites the lines of the parts of a commit.

mod roots;

use super::{IngestError, Limit};
use crate::store::{
    FileCounts, FilesEncoder, MainRight, NewLines, NewRecord, OtherPart, OtherParts, RecordDetails,
    RecordKey, Remaining, Store, StoreError, StoredFiles, TooManyFiles, Union, United,
};
use domain::{Count, Counted, MatchedPaths, PartName, Timestamp};
use lines::{Lines, TooLarge};
use roots::{PartRoot, Roots};
use std::collections::BTreeSet;
use tokio::task;

/// What is known of a part besides its lines.
struct Part {
    name: PartName,
    root: PartRoot,
    tool: Option<String>,
    warnings: Vec<String>,
    paths: Option<MatchedPaths>,
}

impl From<OtherPart> for Part {
    fn from(other: OtherPart) -> Self {
        Self {
            name: other.name,
            root: PartRoot {
                folder: other.root,
                is_stated: other.is_root_stated,
            },
            tool: other.tool,
            warnings: other.warnings,
            paths: other.paths,
        }
    }
}

/// The other measured parts of the commit of an upload.
///
/// # Errors
///
/// If the database fails.
pub(super) async fn others(store: &Store, new: &NewRecord) -> Result<OtherParts, IngestError> {
    let commit = RecordKey {
        repository: &new.repository,
        branch: &new.branch,
        language: &new.language,
        commit: &new.commit,
    };
    let others = store.other_parts(commit, &new.part.name).await?;
    // An upload with the right replaces everything of uploads without it.
    if others.is_withheld && new.main_right == MainRight::Granted {
        return Ok(OtherParts::default());
    }
    Ok(others)
}

/// Unites an upload with the other parts of its commit; none if no other part was measured.
///
/// # Errors
///
/// If a part has no lines, if the union has too many, or if the database fails.
pub(super) async fn of_upload(
    store: &Store,
    new: &NewRecord,
    others: OtherParts,
) -> Result<Option<United>, IngestError> {
    let name = &new.part.name;
    let Some(record_id) = others.record_id.filter(|_| !others.parts.is_empty()) else {
        return Ok(None);
    };
    let arrived = arrived(&others);
    // Lines of other branches than the main one expire; then the upload replaces the record.
    if others.parts.iter().any(have_expired) {
        return Ok(Some(United {
            others: arrived,
            union: None,
        }));
    }
    let without = others.parts.iter().find(|part| !part.has_lines);
    if let Some(part) = without {
        return Err(IngestError::PartWithoutLines(part.name.clone()));
    }
    let Some(states) = &new.line_states else {
        return Err(IngestError::PartWithoutLines(name.clone()));
    };
    let own = Lines::decode(&states.encoded, &lines::Limits::default());
    let own = own.map_err(|source| StoreError::Lines {
        record: record_id,
        source,
    })?;
    let details = &new.details;
    let part = Part {
        name: name.clone(),
        root: PartRoot {
            folder: details.files.root.clone(),
            is_stated: details.is_root_stated,
        },
        tool: details.tool.clone(),
        warnings: details.warnings.clone(),
        paths: details.paths.clone(),
    };
    let union = union(store, record_id, Some((part, own)), others.parts).await?;
    Ok(Some(United {
        others: arrived,
        union,
    }))
}

/// What remains of a record without a part; none if the part, or every other one, was not measured.
///
/// # Errors
///
/// [`IngestError::LinesExpired`] if the lines of the others are no longer kept, or if the database fails.
pub(super) async fn without(
    store: &Store,
    record_id: i64,
    part: &PartName,
) -> Result<Option<Remaining>, IngestError> {
    let others = store.other_parts_of(record_id, part).await?;
    if !others.has_part || others.parts.is_empty() {
        return Ok(None);
    }
    let parts = arrived(&others);
    let union = match others.parts.iter().any(have_expired) {
        true => None,
        false => union(store, record_id, None, others.parts).await?,
    };
    let union = union.ok_or(IngestError::LinesExpired)?;
    Ok(Some(Remaining { parts, union }))
}

fn arrived(others: &OtherParts) -> Vec<(PartName, Timestamp)> {
    let parts = others.parts.iter();
    parts
        .map(|part| (part.name.clone(), part.arrived_at))
        .collect()
}

fn have_expired(part: &OtherPart) -> bool {
    part.has_lines && !part.are_lines_kept
}

/// Unites an uploaded part with others, one after another: the memory is that of the union and of one part. None if the lines
/// of one have just expired.
async fn union(
    store: &Store,
    record_id: i64,
    uploaded: Option<(Part, Lines)>,
    others: Vec<OtherPart>,
) -> Result<Option<Union>, IngestError> {
    let mut parts: Vec<Part> = others.into_iter().map(Part::from).collect();
    let mut all = Lines::default();
    let own_root = uploaded.as_ref().map(|(part, _)| &part.root);
    let roots = Roots::of(parts.iter().map(|part| &part.root).chain(own_root));
    let too_large = |TooLarge| IngestError::Limit(Limit::Lines(lines::Limits::default().lines));
    for part in &parts {
        let Some(lines) = store.part_lines(record_id, &part.name).await? else {
            return Ok(None);
        };
        let (roots, root) = (roots.clone(), part.root.clone());
        let add = move || all.united(roots.put(lines, &root), &lines::Limits::default());
        let united = task::spawn_blocking(add).await;
        all = united.map_err(IngestError::Panicked)?.map_err(too_large)?;
    }
    let united = task::spawn_blocking(move || {
        if let Some((part, lines)) = uploaded {
            all = all.united(roots.put(lines, &part.root), &lines::Limits::default())?;
            parts.push(part);
        }
        described(parts, roots, all)
    });
    let united = united.await.map_err(IngestError::Panicked)?;
    united.map(Some).map_err(too_large)
}

/// Describes the union of the lines of some parts. Blocks.
fn described(mut parts: Vec<Part>, roots: Roots, all: Lines) -> Result<Union, TooLarge> {
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
        paths: matched.map(|parts| all_paths(&parts, all.files().len())),
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
    })
}

/// The name of the only counter that parts have in common.
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

/// How many of the files of all parts are files of the repository. A part names only some of its unmatched paths.
fn all_paths(parts: &[MatchedPaths], files: usize) -> MatchedPaths {
    let mut unmatched: Vec<_> = parts.iter().flat_map(|part| &part.unmatched).collect();
    unmatched.sort();
    unmatched.dedup();
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
    }
}

#[cfg(test)]
mod tests;
