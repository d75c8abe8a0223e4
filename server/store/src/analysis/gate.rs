//! What a gate judges: the numbers of a record, of some of its files and of its parts.

use ::lines::{Changes, DecodeError, Difference, Lines, Way};
use domain::{
    ChangedCount, ChangedFile, ChangedLines, Count, Gate, GateInput, GateRules, LineRange,
    LostCount, LostLines, Measured, PartName, PartSet, PartialLines, PathGlob, PathGlobs,
    PlacedRange, RecordParts,
};
use serde::{Deserialize, Serialize};

/// How many ranges of lines are named.
const NAMED_RANGES: usize = 20;

/// What the gate of a record is judged by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateNumbers {
    /// The rules for which the numbers were measured.
    pub rules: GateRules,
    /// The numbers.
    pub input: GateInput,
}

impl GateNumbers {
    /// The numbers by which `rules` judge a record. `parts` are those that rules name.
    pub fn measure(
        rules: &GateRules,
        known: &Known<'_>,
        parts: Vec<(PartName, Option<Measured>)>,
    ) -> Self {
        let partial = rules.partial();
        let of_paths = of_paths(rules, known);
        let unknown = known.changed.and_then(|changed| changed.unknown.as_ref());
        Self {
            rules: rules.clone(),
            input: GateInput {
                all: Measured {
                    changed: known.complete().map(|lines| changed(&lines.files, partial)),
                    lost: known
                        .lost
                        .map(|lost| lost_count(&lost.files, &lost.unmeasured)),
                    total: known.total,
                },
                has_costly_paths: matches!(of_paths, Some(Err(TooCostly))),
                paths: of_paths.and_then(Result::ok).unwrap_or_default(),
                parts,
                waiting_for: PartSet::default(),
                unknown_files: unknown.map_or(0, |unknown| unknown.files),
                no_changed: known.no_changed.map(ToOwned::to_owned),
                no_lost: known.no_lost.map(ToOwned::to_owned),
            },
        }
    }

    /// The verdict about a record with these parts; none if no rule has a limit.
    #[must_use]
    pub fn judge(&self, parts: &RecordParts) -> Option<Gate> {
        let input = GateInput {
            waiting_for: match parts.are_complete() {
                true => PartSet::default(),
                false => parts.missing(),
            },
            ..self.input.clone()
        };
        Gate::judge(&self.rules, &input)
    }
}

/// A part that a rule names. Its lines are encoded: only those of one part are in memory.
pub(super) struct RuledPart {
    pub(super) name: PartName,
    /// Its lines; none if the record does not have it.
    pub(super) head: Option<Vec<u8>>,
    /// Its lines at the base.
    pub(super) base: Option<Vec<u8>>,
}

/// A record as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The lines that its tool states.
    pub total: Option<Count>,
    /// Its lines.
    pub lines: Option<&'a Lines>,
    /// Its changed lines.
    pub changed: Option<&'a ChangedLines>,
    /// Its lost lines.
    pub lost: Option<&'a LostLines>,
    /// Why the changed lines are not known, if not because no changes were sent.
    pub no_changed: Option<&'static str>,
    /// Why the lost lines are not known, if not because the base commit has no record.
    pub no_lost: Option<&'static str>,
}

impl<'a> Known<'a> {
    /// The changed lines, if those of all files are known.
    fn complete(&self) -> Option<&'a ChangedLines> {
        self.changed.filter(|changed| changed.unknown.is_none())
    }
}

/// The most steps that matching the files of a record with its patterns may take: less than a second or two.
const MAX_STEPS: u64 = 1_000_000_000;

/// Matching would take more steps.
struct TooCostly;

/// What one pattern matches.
#[derive(Default)]
struct Matched<'a> {
    counts: ::lines::Counts,
    changed: Vec<&'a ChangedFile>,
    lost: Vec<&'a (String, Vec<LineRange>)>,
}

/// What the patterns measure; none if lines are not known.
fn of_paths(
    rules: &GateRules,
    known: &Known<'_>,
) -> Option<Result<Vec<(PathGlob, Measured)>, TooCostly>> {
    let lines = known.lines?;
    let globs = PathGlobs::new(rules.paths.keys());
    let changes = known.complete().map(|changed| &changed.files);
    let changes = changes.into_iter().flatten();
    let lost = known.lost.map(|lost| &lost.files).into_iter().flatten();
    let of_lines = lines.files().map(|(path, _)| path);
    let of_changes = changes.clone().map(|file| file.path.as_str());
    let of_lost = lost.clone().map(|(path, _)| path.as_str());
    let all = of_lines.chain(of_changes).chain(of_lost);
    if all.map(|path| globs.steps(path)).sum::<u64>() > MAX_STEPS {
        return Some(Err(TooCostly));
    }
    let mut matched: Vec<Matched<'_>> = Vec::new();
    matched.resize_with(rules.paths.len(), Matched::default);
    for (path, file) in lines.files() {
        let places = globs.matching(path);
        if places.is_empty() {
            continue;
        }
        let counts = file.counts();
        for place in places {
            matched[place].counts += counts;
        }
    }
    for file in changes {
        for place in globs.matching(&file.path) {
            matched[place].changed.push(file);
        }
    }
    for file in lost {
        for place in globs.matching(&file.0) {
            matched[place].lost.push(file);
        }
    }
    let measured = matched.into_iter().map(|matched| Measured {
        changed: known
            .complete()
            .map(|_| changed(matched.changed, rules.partial())),
        lost: known
            .lost
            .map(|lost| lost_count(matched.lost, &lost.unmeasured)),
        total: Some(Count {
            covered: matched.counts.covered(),
            total: matched.counts.coverable(),
        }),
    });
    Some(Ok(rules.paths.keys().cloned().zip(measured).collect()))
}

/// The lines of a part. They are compared with the same part of the base, if the changes start from it.
pub(super) fn of_part(
    part: &RuledPart,
    changes: Option<&Changes>,
    is_exact: bool,
    partial: PartialLines,
) -> Result<Option<Measured>, DecodeError> {
    let decoded = |blob: &Option<Vec<u8>>| {
        let blob = blob.as_deref();
        blob.map(|blob| Lines::decode(blob, &::lines::Limits::default()))
            .transpose()
    };
    let Some(head) = decoded(&part.head)? else {
        return Ok(None);
    };
    let head = &head;
    let measured =
        changes.map(|changes| super::lines::changed(None, &changes.measured(head), partial));
    let way = Way {
        changes,
        is_exact,
        ..Way::default()
    };
    let base = match is_exact {
        true => decoded(&part.base)?,
        false => None,
    };
    let lost = base.as_ref().and_then(|base| {
        let difference = Difference::between(base, head, way);
        super::lines::lost(&difference, head)
    });
    let counts = head.counts();
    Ok(Some(Measured {
        changed: measured.map(|lines| changed(&lines.files, partial)),
        lost: lost
            .as_ref()
            .map(|lost| lost_count(&lost.files, &lost.unmeasured)),
        total: Some(Count {
            covered: counts.covered(),
            total: counts.coverable(),
        }),
    }))
}

fn changed<'a>(
    files: impl IntoIterator<Item = &'a ChangedFile>,
    partial: PartialLines,
) -> ChangedCount {
    let mut count = ChangedCount::default();
    for file in files {
        let of_partial = lines_of(&file.partial);
        count.covered += file.covered;
        // Here partial lines are among the covered ones.
        if partial == PartialLines::Miss {
            count.covered += of_partial;
        }
        count.coverable += file.coverable;
        count.partial += of_partial;
        if count.missed.len() < NAMED_RANGES {
            let mut ranges = file.missed.clone();
            if partial == PartialLines::Miss {
                ranges.extend(&file.partial);
                ranges.sort_unstable();
            }
            let ranges = ranges.into_iter();
            count
                .missed
                .extend(ranges.map(|range| (file.path.clone(), range)));
        }
    }
    count.missed.truncate(NAMED_RANGES);
    count
}

/// `unmeasured` are the files that nothing measures any more.
fn lost_count<'a>(
    files: impl IntoIterator<Item = &'a (String, Vec<LineRange>)>,
    unmeasured: &[String],
) -> LostCount {
    let mut count = LostCount::default();
    for (path, ranges) in files {
        count.lines += lines_of(ranges);
        let room = NAMED_RANGES - count.first.len();
        let first = ranges.iter().take(room);
        let placed = first.map(|range| -> PlacedRange { (path.clone(), *range) });
        count.first.extend(placed);
        if room > 0 && unmeasured.contains(path) {
            count.unmeasured.push(path.clone());
        }
    }
    count
}

fn lines_of(ranges: &[LineRange]) -> u64 {
    let lines = ranges
        .iter()
        .map(|(first, last)| u64::from(last - first) + 1);
    lines.sum()
}
