//! The numbers that a gate judges: of a record, of some of its files and of its parts.

use crate::views::{Definitions, ViewFiles};
use ::lines::{DecodeError, Difference, FileLines, Lines, Way};
use domain::{
    ChangedCount, ChangedFile, ChangedLines, Count, Gate, GateInput, GateRules, LineRange,
    LostCount, LostLines, Measured, PartName, PartSet, PartialLines, PathGlob, PathGlobs,
    PlacedRange, RecordParts, ViewName, text::hexadecimal,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The maximum number of ranges of lines that are named.
const NAMED_RANGES: usize = 20;

/// The numbers that the gate of a record judges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateNumbers {
    /// The rules for which the numbers were measured.
    pub rules: GateRules,
    /// The numbers for these rules.
    pub input: GateInput,
    /// The definitions of views for which the numbers were measured; `None` if no rule names a view.
    #[serde(default)]
    pub definitions: Option<String>,
}

impl GateNumbers {
    /// Measures the numbers that `rules` judge. `parts` are the parts that rules name.
    pub fn measure(
        rules: &GateRules,
        known: &Known<'_>,
        parts: Vec<(PartName, Option<Measured>)>,
        views: &RuledViews,
    ) -> Self {
        let partial = rules.partial();
        let of_paths = of_paths(rules, known);
        let of_views = views.files.iter().map(|(view, files)| {
            let measured = files
                .as_ref()
                .and_then(|files| of_view(files, rules, known));
            (view.clone(), measured)
        });
        let unknown = known.changed.and_then(|changed| changed.unknown.as_ref());
        Self {
            rules: rules.clone(),
            input: GateInput {
                all: Measured {
                    changed: known.complete().map(|lines| changed(&lines.files, partial)),
                    lost: known.lost.map(all_lost),
                    total: known.total,
                    base: known.base.total,
                },
                branches: known.branches,
                functions: known.functions,
                base_branches: known.base.branches,
                base_functions: known.base.functions,
                is_united: known.is_united,
                has_costly_paths: matches!(of_paths, Some(Err(TooCostly))),
                paths: of_paths.and_then(Result::ok).unwrap_or_default(),
                parts,
                views: of_views.collect(),
                waiting_for: PartSet::default(),
                unknown_files: unknown.map_or(0, |unknown| unknown.files),
                no_changed: known.no_changed.map(ToOwned::to_owned),
                no_lost: known.no_lost.map(ToOwned::to_owned),
            },
            definitions: views.definitions.clone(),
        }
    }

    /// The verdict about a record with these parts; `None` if no rule has a limit.
    #[must_use]
    pub fn judge(&self, parts: &RecordParts) -> Option<Gate> {
        let input = GateInput {
            waiting_for: match parts.are_complete() {
                true => PartSet::default(),
                false => parts.missing(),
            },
            is_united: parts.are_united(),
            ..self.input.clone()
        };
        Gate::judge(&self.rules, &input)
    }
}

/// The views that rules name.
#[derive(Clone, Debug, Default)]
pub struct RuledViews {
    /// The files of each view; `None` if no such view is defined.
    pub(super) files: Vec<(ViewName, Option<ViewFiles>)>,
    /// Identifies the definitions; `None` if no rule names a view.
    pub(super) definitions: Option<String>,
}

impl RuledViews {
    /// The views that `rules` name.
    #[must_use]
    pub fn of(rules: &GateRules, definitions: &Arc<Definitions>) -> Self {
        let views = rules.views.keys();
        let files = views.map(|view| (view.clone(), ViewFiles::of(definitions.clone(), view)));
        Self {
            files: files.collect(),
            definitions: Some(hexadecimal(&definitions.digest)),
        }
    }
}

/// The numbers of a view; `None` if lines are not known, or if finding the files takes too many steps.
fn of_view(files: &ViewFiles, rules: &GateRules, known: &Known<'_>) -> Option<Measured> {
    let mut matched = Matched::default();
    for (path, file) in known.lines?.files() {
        if files.has(path)? {
            matched.counts += file.counts();
        }
    }
    for (path, file) in known.base.files() {
        if files.has(path)? {
            matched.base += file.counts();
        }
    }
    for file in known.complete().iter().flat_map(|changed| &changed.files) {
        if files.has(&file.path)? {
            matched.changed.push(file);
        }
    }
    for file in known.lost.iter().flat_map(|lost| &lost.files) {
        if files.has(&file.0)? {
            matched.lost.push(file);
        }
    }
    Some(matched.measured(rules, known))
}

/// A part that a rule names. Its lines stay encoded, so that only one part at a time is decoded in memory.
pub(super) struct RuledPart {
    pub(super) name: PartName,
    /// `None` if the record does not have the part.
    pub(super) head: Option<Vec<u8>>,
    /// The lines of the part at the base; `None` if no rule needs them.
    pub(super) base: Option<Vec<u8>>,
}

/// The known data of a record.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The total that its tool states.
    pub total: Option<Count>,
    /// Its branches.
    pub branches: Option<Count>,
    /// Its functions.
    pub functions: Option<Count>,
    /// Whether it unites several parts or coverage files.
    pub is_united: bool,
    /// Its lines.
    pub lines: Option<&'a Lines>,
    /// Its changed lines.
    pub changed: Option<&'a ChangedLines>,
    /// Its lost lines.
    pub lost: Option<&'a LostLines>,
    /// Why the changed lines are unknown, unless the reason is that no changes were sent.
    pub no_changed: Option<&'static str>,
    /// Why the lost lines are unknown, unless the reason is that the base commit has no record.
    pub no_lost: Option<&'static str>,
    /// The known data of its base, which explain why a floor is not reached.
    pub base: KnownBase<'a>,
}

/// The known data of a base; empty without a base.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownBase<'a> {
    /// The total that its tool states.
    pub total: Option<Count>,
    /// Its branches.
    pub branches: Option<Count>,
    /// Its functions.
    pub functions: Option<Count>,
    /// Its lines.
    pub lines: Option<&'a Lines>,
}

impl<'a> KnownBase<'a> {
    fn files(self) -> impl Iterator<Item = (&'a str, &'a FileLines)> {
        self.lines.into_iter().flat_map(Lines::files)
    }
}

impl<'a> Known<'a> {
    /// The changed lines, if they are known for all files.
    fn complete(&self) -> Option<&'a ChangedLines> {
        self.changed.filter(|changed| changed.unknown.is_none())
    }
}

struct TooCostly;

#[derive(Default)]
struct Matched<'a> {
    counts: ::lines::Counts,
    base: ::lines::Counts,
    changed: Vec<&'a ChangedFile>,
    lost: Vec<&'a (String, Vec<LineRange>)>,
}

impl Matched<'_> {
    fn measured(self, rules: &GateRules, known: &Known<'_>) -> Measured {
        Measured {
            changed: known
                .complete()
                .map(|_| changed(self.changed, rules.partial())),
            lost: known
                .lost
                .map(|lost| lost_count(self.lost, &lost.unmeasured)),
            total: Some(count(self.counts)),
            base: some(self.base),
        }
    }
}

/// The numbers of each pattern; `None` if lines are not known.
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
    let steps: u64 = all.map(|path| globs.steps(path)).sum();
    if steps > PathGlobs::MAX_STEPS {
        return Some(Err(TooCostly));
    }
    // The base only explains a failure: it is left out if it takes too many steps.
    let of_base = known.base.files().map(|(path, _)| globs.steps(path));
    let of_base: u64 = of_base.sum();
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
    if steps + of_base <= PathGlobs::MAX_STEPS {
        for (path, file) in known.base.files() {
            for place in globs.matching(path) {
                matched[place].base += file.counts();
            }
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
    let measured = matched.into_iter();
    let measured = measured.map(|matched| matched.measured(rules, known));
    Some(Ok(rules.paths.keys().cloned().zip(measured).collect()))
}

/// The numbers of a part, compared with the same part of the base if the changes start from the base.
pub(super) fn of_part(
    part: &RuledPart,
    way: Way<'_>,
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
    let measured = way
        .changes
        .map(|changes| super::lines::changed(None, &changes.measured(head), partial));
    let base = decoded(&part.base)?;
    let lost = base.as_ref().filter(|_| way.is_exact).and_then(|base| {
        let difference = Difference::between(base, head, way);
        super::lines::lost(&difference, head)
    });
    Ok(Some(Measured {
        changed: measured.map(|lines| changed(&lines.files, partial)),
        lost: lost.as_ref().map(all_lost),
        total: Some(count(head.counts())),
        base: base.and_then(|base| some(base.counts())),
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
        // In this count, partly covered lines are among the covered lines.
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

fn count(counts: ::lines::Counts) -> Count {
    Count {
        covered: counts.covered(),
        total: counts.coverable(),
    }
}

/// The count of the lines of a base; `None` if it has none.
fn some(counts: ::lines::Counts) -> Option<Count> {
    Some(count(counts)).filter(|count| count.total > 0)
}

fn all_lost(lost: &LostLines) -> LostCount {
    lost_count(&lost.files, &lost.unmeasured)
}

/// `unmeasured` are the files that are no longer measured.
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
