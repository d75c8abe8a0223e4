//! Converts the results of the crate `lines` into domain types.

use crate::{StoredFiles, record_details::left_out};
use ::lines::{Cause, Difference, Limits, LineGroup, Lines, TooLarge};
use domain::{
    ChangeCause, ChangeGroup, ChangedFile, ChangedLines, CommitHash, LineRange, LostLines,
    PartialLines, UnknownFiles,
};
use std::{borrow::Cow, ops::RangeInclusive};

/// The maximum number of named files whose hunks do not fit.
const NAMED_STALE_HUNKS: usize = 10;

/// Why the changed lines of a file are unknown.
const BINARY: &str = "git treated them as binary files, for example because of -diff or binary in .gitattributes; make the diff with --text.";

/// The coverage of changed lines. `partial` states how partly covered lines count.
pub fn changed(
    base_commit: Option<CommitHash>,
    measured: &::lines::ChangedLines<'_>,
    partial: PartialLines,
) -> ChangedLines {
    let covered = |counts: ::lines::Counts| match partial {
        PartialLines::Hit => counts.covered(),
        PartialLines::Miss => counts.hit,
    };
    let counts = measured.counts();
    let binary = u64::try_from(measured.binary.len()).unwrap_or(u64::MAX);
    let files = measured.files.iter().map(|file| ChangedFile {
        path: file.path.to_owned(),
        old_path: file.old_path.map(ToOwned::to_owned),
        covered: covered(file.counts),
        coverable: file.counts.coverable(),
        missed: ranges(&file.missed),
        partial: ranges(&file.partial),
    });
    ChangedLines {
        base_commit,
        covered: covered(counts),
        coverable: counts.coverable(),
        files: files.collect(),
        unmeasured: measured
            .unmeasured
            .iter()
            .map(|&path| path.to_owned())
            .collect(),
        unknown: (binary > 0).then(|| UnknownFiles {
            files: binary,
            reason: BINARY.to_owned(),
        }),
    }
}

pub(super) fn groups(difference: &Difference<'_>, base: &Lines, head: &Lines) -> Vec<ChangeGroup> {
    let group = |group: &LineGroup<'_>| ChangeGroup {
        cause: match group.cause {
            Cause::Added => ChangeCause::Added,
            Cause::Removed => ChangeCause::Removed,
            Cause::Gained => ChangeCause::Gained,
            Cause::Lost => ChangeCause::Lost,
            Cause::Appeared => ChangeCause::Appeared,
            Cause::Vanished => ChangeCause::Vanished,
            Cause::PartAbsent => ChangeCause::PartAbsent,
            Cause::Ignored => ChangeCause::Ignored,
            Cause::ChangedSince => ChangeCause::ChangedSince,
        },
        path: Some(group.path.to_owned()),
        part: group.part.and_then(|part| part.to_owned().try_into().ok()),
        covered: group.effect.covered,
        total: group.effect.coverable,
        flickering: group.flickering,
        lines: ranges(&group.lines),
        files: 1,
        is_whole_file: match group.cause {
            Cause::Appeared => base.get(group.path).is_none(),
            Cause::Vanished => head.get(group.path).is_none(),
            Cause::Ignored => true,
            _ => false,
        },
    };
    difference.groups.iter().map(group).collect()
}

/// The lost lines; `None` if the unchanged lines of a file of the base are unknown.
pub fn lost(difference: &Difference<'_>, head: &Lines) -> Option<LostLines> {
    let files = difference.lost.iter();
    let unmeasured = files.clone().filter(|(path, _)| head.get(path).is_none());
    difference.unknown.is_empty().then(|| LostLines {
        lines: difference.lost_lines(),
        files: files
            .map(|(path, lost)| ((*path).to_owned(), ranges(lost)))
            .collect(),
        unmeasured: unmeasured.map(|(path, _)| (*path).to_owned()).collect(),
    })
}

pub(super) fn stale_hunks(difference: &Difference<'_>) -> Vec<String> {
    let stale_hunks = difference.stale_hunks.iter().take(NAMED_STALE_HUNKS);
    stale_hunks.map(|&path| path.to_owned()).collect()
}

/// Restores the starts of paths that were removed from only one of two records.
pub(super) fn below_one_root<'a>(
    (base_files, head_files): (Option<&StoredFiles>, Option<&StoredFiles>),
    base: &'a Lines,
    head: &'a Lines,
) -> Result<(Cow<'a, Lines>, Cow<'a, Lines>), TooLarge> {
    let (Some(base_files), Some(head_files)) = (base_files, head_files) else {
        return Ok((Cow::Borrowed(base), Cow::Borrowed(head)));
    };
    Ok((
        with_start(left_out(base_files, head_files), base)?,
        with_start(left_out(head_files, base_files), head)?,
    ))
}

fn with_start<'a>(start: &str, lines: &'a Lines) -> Result<Cow<'a, Lines>, TooLarge> {
    if start.is_empty() {
        return Ok(Cow::Borrowed(lines));
    }
    let started = |path| format!("{start}{path}").into();
    let renamed = lines.clone().renamed(&Limits::default(), started);
    renamed.map(Cow::Owned)
}

fn ranges(ranges: &[RangeInclusive<u32>]) -> Vec<LineRange> {
    let ranges = ranges.iter();
    ranges.map(|range| (*range.start(), *range.end())).collect()
}
