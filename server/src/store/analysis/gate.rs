//! What a gate judges: the numbers of a record, of some of its files and of its parts.

use ::lines::{Changes, Difference, Lines, Way};
use domain::{
    ChangedCount, ChangedFile, ChangedLines, Count, Gate, GateInput, GateRules, LineRange,
    LostCount, LostLines, Measured, PartName, PartSet, PartialLines, PathGlob, PlacedRange,
    RecordParts,
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

/// A part that a rule names.
pub(super) struct RuledPart {
    pub(super) name: PartName,
    /// Its lines; none if the record does not have it.
    pub(super) head: Option<Lines>,
    /// Its lines at the base.
    pub(super) base: Option<Lines>,
}

/// A record as far as it is known.
pub(super) struct Known<'a> {
    /// The lines that its tool states.
    pub(super) total: Option<Count>,
    pub(super) lines: Option<&'a Lines>,
    pub(super) changed: Option<&'a ChangedLines>,
    pub(super) lost: Option<&'a LostLines>,
}

impl<'a> Known<'a> {
    /// The changed lines, if those of all files are known.
    fn complete(&self) -> Option<&'a ChangedLines> {
        self.changed.filter(|changed| changed.unknown.is_none())
    }
}

pub(super) fn measure(
    rules: &GateRules,
    known: &Known<'_>,
    parts: Vec<(PartName, Option<Measured>)>,
) -> GateNumbers {
    let partial = rules.partial();
    let of_paths = rules.paths.keys().filter_map(|glob| {
        let measured = of_files(glob, known, partial)?;
        Some((glob.clone(), measured))
    });
    let unknown = known.changed.and_then(|changed| changed.unknown.as_ref());
    GateNumbers {
        rules: rules.clone(),
        input: GateInput {
            all: Measured {
                changed: known.complete().map(|lines| changed(&lines.files, partial)),
                lost: known.lost.map(|lost| lost_count(&lost.files)),
                total: known.total,
            },
            paths: of_paths.collect(),
            parts,
            waiting_for: PartSet::default(),
            unknown_files: unknown.map_or(0, |unknown| unknown.files),
        },
    }
}

/// The files that a pattern matches; none if lines are not known.
fn of_files(glob: &PathGlob, known: &Known<'_>, partial: PartialLines) -> Option<Measured> {
    let files = known.lines?.files().filter(|(path, _)| glob.matches(path));
    let counts = files.map(|(_, file)| file.counts());
    let counts = counts.fold(::lines::Counts::default(), |sum, counts| sum + counts);
    let matching = |files: &[ChangedFile]| -> Vec<ChangedFile> {
        let files = files.iter().filter(|file| glob.matches(&file.path));
        files.cloned().collect()
    };
    let lost = |lost: &LostLines| {
        let files = lost.files.iter().filter(|(path, _)| glob.matches(path));
        lost_count(&files.cloned().collect::<Vec<_>>())
    };
    Some(Measured {
        changed: known
            .complete()
            .map(|lines| changed(&matching(&lines.files), partial)),
        lost: known.lost.map(lost),
        total: Some(Count {
            covered: counts.covered(),
            total: counts.coverable(),
        }),
    })
}

/// The lines of a part. They are compared with the same part of the base, if the changes start from it.
pub(super) fn of_part(
    part: &RuledPart,
    changes: Option<&Changes>,
    is_exact: bool,
    partial: PartialLines,
) -> Option<Measured> {
    let head = part.head.as_ref()?;
    let measured = changes.map(|changes| super::lines::changed(None, &changes.measured(head)));
    let way = Way {
        changes,
        is_exact,
        ..Way::default()
    };
    let base = part.base.as_ref().filter(|_| is_exact);
    let lost = base.map(|base| super::lines::lost(&Difference::between(base, head, way)));
    let counts = head.counts();
    Some(Measured {
        changed: measured.map(|lines| changed(&lines.files, partial)),
        lost: lost.map(|lost| lost_count(&lost.files)),
        total: Some(Count {
            covered: counts.covered(),
            total: counts.coverable(),
        }),
    })
}

fn changed(files: &[ChangedFile], partial: PartialLines) -> ChangedCount {
    let mut count = ChangedCount::default();
    for file in files {
        count.covered += file.covered;
        count.coverable += file.coverable;
        count.partial += lines_of(&file.partial);
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

fn lost_count(files: &[(String, Vec<LineRange>)]) -> LostCount {
    let first = files.iter().flat_map(|(path, ranges)| {
        let ranges = ranges.iter();
        ranges.map(move |range| -> PlacedRange { (path.clone(), *range) })
    });
    LostCount {
        lines: files.iter().map(|(_, ranges)| lines_of(ranges)).sum(),
        first: first.take(NAMED_RANGES).collect(),
    }
}

fn lines_of(ranges: &[LineRange]) -> u64 {
    let lines = ranges
        .iter()
        .map(|(first, last)| u64::from(last - first) + 1);
    lines.sum()
}
