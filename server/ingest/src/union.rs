//! Unites the lines of the parts of a commit.

mod described;
mod of_files;
mod roots;

use super::{
    Ingest, IngestError, Limit,
    details::{TOO_COSTLY, leave_out_of_branches, leave_out_of_lines, leave_out_of_tests},
    lines::{Content, new_lines},
    tests_of_lines::room_for,
    turns::Turn,
};
use ::lines::{DecodeError, Flicker, Lines, NamedBranches, TestSets, TooLarge};
use described::described;
use domain::{GlobList, IgnoredFiles, PartName, PartSet, Timestamp};
pub(super) use of_files::of_files;
use roots::{Roots, with_prefix};
use store::{
    Carried, Carrying, Followed, MainRight, NewCarried, NewLines, NewRecord, OtherPart, OtherParts,
    PartDetails, RecordKey, RecordNames, Remaining, Store, StoreError, Union, United,
};
use tokio::task;

/// Returns the other measured parts of the commit of an upload.
pub(super) async fn others(store: &Store, new: &NewRecord) -> Result<OtherParts, IngestError> {
    let (key, right) = (new.stated.key(), &new.stated.main_right);
    let others = store.writer().other_parts(key, right, &new.part.name);
    Ok(others.await?)
}

/// Returns the parts that the commit of an upload carries.
pub(super) async fn carried(
    store: &Store,
    new: &NewRecord,
    others: &OtherParts,
) -> Result<Carried, IngestError> {
    // Without lines, nothing can be united.
    if new.line_states.is_none() || others.parts.iter().any(have_expired) {
        return Ok(Carried::default());
    }
    let mut measured = measured(others);
    measured.extend([&new.part.name]);
    let commit = Carrying {
        commit: new.stated.key(),
        record_id: others.record_id,
        change: Some(&new.stated.change),
        already: None,
    };
    let mut carried = store.writer().carried(commit, &measured).await?;
    carried.drop_other_rules(&new.ignore);
    Ok(carried)
}

/// Unites an upload with the other parts of its commit, and with the parts that it carries. `None` if there are none. `own` is the
/// content of the upload, if it is still in memory.
///
/// # Errors
///
/// If a part has no lines, if the union has too many, or if the database fails.
pub(super) async fn of_upload(
    store: &Store,
    new: &NewRecord,
    own: Option<Content>,
    others: OtherParts,
    carried: &Carried,
) -> Result<Option<United>, IngestError> {
    let name = &new.part.name;
    if others.parts.is_empty() && carried.sources.is_empty() {
        return Ok(None);
    }
    let record_id = others.record_id.unwrap_or_default();
    let arrived = arrived(&others);
    // The lines of another branch than the main branch are deleted after some days. Without them nothing can be united, so the upload
    // replaces the record.
    if others.parts.iter().any(have_expired) {
        return Ok(Some(United {
            others: arrived,
            union: None,
        }));
    }
    let without = others.parts.iter().find(|part| !part.has_lines);
    let without = without.map(|part| &part.details.name);
    let (None, Some(states)) = (without, &new.line_states) else {
        return Err(IngestError::PartWithoutLines(
            without.unwrap_or(name).clone(),
        ));
    };
    let own = own.map_or_else(|| decoded(states), Ok);
    let own = own.map_err(|source| StoreError::Lines {
        record: record_id,
        source,
    })?;
    let details = &new.details;
    let part = PartDetails {
        name: name.clone(),
        tool: details.tool.clone(),
        warnings: details.warnings.clone(),
        paths: details.paths.clone(),
        ignored: details.ignored,
        root: details.files.root.clone(),
        is_root_stated: details.is_root_stated,
    };
    let of_record = (record_id, &new.ignore);
    let union = union(store, of_record, Some((part, own)), others.parts, carried).await?;
    if arrived.is_empty() && union.as_ref().is_some_and(|union| union.carried.is_empty()) {
        return Ok(None);
    }
    Ok(Some(United {
        others: arrived,
        union,
    }))
}

/// Compares the part in an upload to the main branch with the stored part that it replaces. Returns the lines whose state differs.
/// `None` if no line differs, if one of the two has no lines, or if so many lines differ that one of the test runs must have failed.
pub(super) async fn both_states(
    ingest: &Ingest,
    record_id: i64,
    new: &NewRecord,
    turn: &mut Option<Turn>,
) -> Result<Option<Flicker>, IngestError> {
    let may_count = new.stated.main_right == MainRight::Granted;
    let Some(states) = new.line_states.as_ref().filter(|_| may_count) else {
        return Ok(None);
    };
    let part = &new.part.name;
    let former = ingest.store.writer().lines_to_replace(record_id, part);
    let Some(former) = former.await? else {
        return Ok(None);
    };
    if turn.is_none() {
        *turn = Some(ingest.turns.unite(&new.stated.repository).await?);
    }
    let encoded = states.encoded.clone();
    let compared = task::spawn_blocking(move || {
        let lines = Lines::decode(&encoded, &lines::Limits::default())?;
        Ok(lines::differing(&lines, &former).filter(|both| both.files().len() > 0))
    });
    let compared = compared.await?;
    let damaged = |source| StoreError::Lines {
        record: record_id,
        source,
    };
    Ok(compared.map_err(damaged)?)
}

/// Returns the remaining parts of a record without `part`. `None` if the part was not measured, or if no other part was.
///
/// # Errors
///
/// [`IngestError::LinesExpired`] if the lines of the other parts have expired, or if the database fails.
pub(super) async fn without(
    store: &Store,
    record_id: i64,
    names: &RecordNames,
    part: &PartName,
) -> Result<Option<Remaining>, IngestError> {
    let others = store.writer().other_parts_of(record_id, Some(part)).await?;
    if !others.has_part {
        return Ok(None);
    }
    let carried = carried_again(store, record_id, names, &others, None).await?;
    reunited(store, record_id, others, &carried).await
}

/// Returns the parts that a record with the measured parts `others` carries now. With `already`, only parts
/// of that set.
pub(super) async fn carried_again(
    store: &Store,
    record_id: i64,
    names: &RecordNames,
    others: &OtherParts,
    already: Option<&PartSet>,
) -> Result<Carried, IngestError> {
    let commit = Carrying {
        commit: RecordKey {
            repository: &names.repository,
            branch: &names.branch,
            language: &names.language,
            commit: &names.commit,
        },
        record_id: Some(record_id),
        change: None,
        already,
    };
    let mut carried = store.writer().carried(commit, &measured(others)).await?;
    carried.drop_other_rules(&store.writer().ignore_rules_of(record_id).await?);
    Ok(carried)
}

/// Unites the measured parts `others` of a record with carried ones. `None` if no part was measured.
///
/// # Errors
///
/// [`IngestError::LinesExpired`] if their lines have expired, or if the database fails.
pub(super) async fn reunited(
    store: &Store,
    record_id: i64,
    others: OtherParts,
    carried: &Carried,
) -> Result<Option<Remaining>, IngestError> {
    if others.parts.is_empty() {
        return Ok(None);
    }
    if others.parts.iter().any(have_expired) {
        return Err(IngestError::LinesExpired);
    }
    let parts = arrived(&others);
    let rules = store.writer().ignore_rules_of(record_id).await?;
    let union = union(store, (record_id, &rules), None, others.parts, carried).await?;
    let union = union.ok_or(IngestError::LinesExpired)?;
    Ok(Some(Remaining { parts, union }))
}

fn decoded(states: &NewLines) -> Result<Content, DecodeError> {
    let limits = lines::Limits::default();
    let branches = states.branches.as_deref();
    let branches = branches.map(|blob| NamedBranches::decode(blob, &limits));
    let tests = states.tests.as_deref();
    let tests = tests.map(|blob| TestSets::decode(blob, &limits));
    Ok((
        Lines::decode(&states.encoded, &limits)?,
        branches.transpose()?,
        Some(tests.transpose()?.unwrap_or_default()),
    ))
}

fn arrived(others: &OtherParts) -> Vec<(PartName, Timestamp)> {
    let parts = others
        .parts
        .iter()
        .map(|part| (part.details.name.clone(), part.arrived_at));
    parts.collect()
}

fn measured(others: &OtherParts) -> PartSet {
    let parts = others.parts.iter();
    parts.map(|part| part.details.name.clone()).collect()
}

fn have_expired(part: &OtherPart) -> bool {
    part.has_lines && !part.are_lines_kept
}

/// Unites an uploaded part with other parts and with carried parts, which are read one at a time to save memory.
/// `None` if the lines of a part have just expired.
async fn union(
    store: &Store,
    (record_id, rules): (i64, &GlobList),
    uploaded: Option<(PartDetails, Content)>,
    others: Vec<OtherPart>,
    carried: &Carried,
) -> Result<Option<Union>, IngestError> {
    let mut parts: Vec<_> = others.into_iter().map(|other| other.details).collect();
    let mut all: Content = (
        Lines::default(),
        Some(NamedBranches::default()),
        Some(TestSets::default()),
    );
    let mut room = 0;
    let own_root = uploaded.as_ref().map(|(part, _)| &part.root);
    let carried_roots = carried.sources.iter().map(|source| &source.root);
    let roots = parts.iter().map(|part| &part.root).chain(own_root);
    let roots = Roots::of(roots.chain(carried_roots).map(String::as_str));
    for part in &parts {
        let Some(lines) = store.writer().part_lines(record_id, &part.name).await? else {
            return Ok(None);
        };
        let branches = match &all.1 {
            Some(_) => store.writer().part_branches(record_id, &part.name).await?,
            None => None,
        };
        let tests = store.writer().part_tests(record_id, &part.name).await?;
        let content = (lines, branches, Some(tests));
        room += room_of(&content);
        all = added(all, content, &roots, &part.root, part.is_root_stated).await?;
    }
    if let Some((part, content)) = uploaded {
        room += room_of(&content);
        all = added(all, content, &roots, &part.root, part.is_root_stated).await?;
        parts.push(part);
    }
    let measured_files = all.0.files().len();
    let mut stored = Vec::new();
    let mut followed = Followed::default();
    let (mut of_carried, mut warnings) = (Vec::new(), Vec::new());
    for place in carried.nearest_first() {
        let source = &carried.sources[place];
        let lines = store.writer().carried_lines(carried, &mut followed, source);
        let Some(lines) = lines.await? else {
            continue;
        };
        let of_record = rules.clone();
        let left_out = task::spawn_blocking(move || leave_out_of_lines(lines, &of_record));
        let (lines, ignored) = left_out.await?;
        if let Some(why) = ignored.is_none().then_some(TOO_COSTLY) {
            warnings.push(format!("Part {}: {why}", source.part.name));
        }
        of_carried.extend([source.ignored, ignored.unwrap_or(IgnoredFiles::NONE)]);
        let branches = match &all.1 {
            Some(_) => store.writer().carried_branches(&followed, source).await?,
            None => None,
        };
        // If the rules do not count for lines, they do not for branches.
        let of_record = rules.clone();
        let branches = blocking(move || {
            let of_kept = |branches| leave_out_of_branches(branches, &of_record);
            Ok(match ignored {
                Some(_) => branches.map(of_kept),
                None => branches,
            })
        });
        let branches = branches.await?;
        let tests = store.writer().carried_tests(&followed, source).await?;
        let of_record = rules.clone();
        let tests = blocking(move || {
            Ok(match ignored {
                Some(_) => leave_out_of_tests(tests, &of_record),
                None => tests,
            })
        });
        let tests = tests.await?;
        let has_tests = !tests.is_empty();
        let (lines, own) = blocking(move || Ok((new_lines(&lines)?, lines))).await?;
        let content = (own, branches, Some(tests));
        room += room_of(&content);
        all = added(all, content, &roots, &source.root, source.is_root_stated).await?;
        let part = source.part.clone();
        stored.push(NewCarried {
            part,
            lines,
            has_tests,
        });
    }
    stored.sort_by(|one, other| one.part.name.cmp(&other.part.name));
    let of_parts = parts.iter().filter_map(|part| part.ignored);
    let ignored = IgnoredFiles::of_parts(of_parts.chain(of_carried));
    let ignored = (!rules.is_empty()).then_some(ignored);
    let described = blocking(move || described(parts, measured_files, roots, all, ignored, room));
    let mut union = described.await?;
    union.details.warnings.extend(warnings);
    Ok(Some(Union {
        carried: stored,
        ..union
    }))
}

async fn added(
    all: Content,
    part: Content,
    roots: &Roots,
    root: &str,
    is_root_stated: bool,
) -> Result<Content, IngestError> {
    let prefix = roots.prefix(root, is_root_stated).to_owned();
    blocking(move || unite(all, with_prefix(part, &prefix)?)).await
}

fn unite((all, branches, tests): Content, part: Content) -> Result<Content, TooLarge> {
    let limits = lines::Limits::default();
    let both = branches.zip(part.1);
    let branches = both.and_then(|(branches, of_part)| branches.united(of_part, &limits));
    let both = tests.zip(part.2);
    let tests = both.and_then(|(tests, of_part)| tests.united(of_part, &limits).ok());
    Ok((all.united(part.0, &limits)?, branches, tests))
}

/// The bytes that the tests of a part may take in the union.
fn room_of((lines, _, tests): &Content) -> u64 {
    match tests {
        Some(tests) if !tests.is_empty() => room_for(lines.counts().covered()),
        _ => 0,
    }
}

/// Runs work on many lines in another thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, TooLarge> + Send + 'static,
) -> Result<T, IngestError> {
    let too_large = |TooLarge| IngestError::Limit(Limit::Lines(lines::Limits::default()));
    task::spawn_blocking(work).await?.map_err(too_large)
}

#[cfg(test)]
mod tests;
