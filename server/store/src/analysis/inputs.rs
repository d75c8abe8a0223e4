//! Reads the inputs of an analysis, and computes it.

mod side;

use super::{
    Analysis,
    gate::{self, GateNumbers, RuledPart, RuledViews},
    lines, parts,
    view::InView,
};
use crate::{Store, StoreError, StoredFiles, flicker, record_details, views::ViewFiles};
use ::lines::{AbsentParts, Changes, Flicker, IgnoredPaths, Lines, TooLarge};
use domain::{ChangeCause, ChangedLines, CommitHash, Explanation, GateRules, GlobList};
#[cfg(test)]
pub(crate) use side::SIDE;
pub(crate) use side::Side;

/// Why changed lines are unknown although the changes are known.
const NO_LINES: &str = "changed: the lines of this record are not known";

pub(super) struct Inputs {
    head: Side,
    head_files: Option<StoredFiles>,
    base: Option<Base>,
    rules: Option<GateRules>,
    ruled_parts: Vec<RuledPart>,
    ruled_views: RuledViews,
    /// The files that an explanation is about; all if `None`.
    pub(super) view: Option<ViewFiles>,
    /// Whether the groups of an explanation name their lines.
    pub(super) names_lines: bool,
}

struct Base {
    side: Side,
    files: Option<StoredFiles>,
    /// Whether the changes of the head start from the tree of this base.
    is_exact: bool,
    absent: Option<AbsentParts>,
    flicker: Option<Flicker>,
}

impl Base {
    async fn read(store: &Store, id: i64, head: &Side) -> Result<Option<Self>, StoreError> {
        let Some(side) = Side::read(store, id).await? else {
            return Ok(None);
        };
        let is_same_series =
            side.repository_id == head.repository_id && side.language == head.language;
        let is_compared = is_same_series && side.lines.is_some() && head.lines.is_some();
        Ok(Some(Self {
            files: store.stored_files(id).await?,
            is_exact: is_same_series && head.starts_from(&side),
            absent: match is_compared {
                true => parts::absent(store, id, head.id).await?,
                false => None,
            },
            flicker: match is_compared {
                true => flicker::known(store, head.repository_id, &head.language).await?,
                false => None,
            },
            side,
        }))
    }
}

impl Inputs {
    /// Reads two records, and the parts that the rules of a gate need. `None` if a record does not exist.
    pub(super) async fn read(
        store: &Store,
        base: Option<i64>,
        head: i64,
        rules: Option<GateRules>,
        views: RuledViews,
    ) -> Result<Option<Self>, StoreError> {
        let Some(head) = Side::read(store, head).await? else {
            return Ok(None);
        };
        let mut inputs = Self {
            head_files: None,
            head,
            base: None,
            ruled_parts: Vec::new(),
            ruled_views: views,
            view: None,
            names_lines: false,
            rules,
        };
        if let Some(base) = base {
            let Some(base) = Base::read(store, base, &inputs.head).await? else {
                return Ok(None);
            };
            inputs.base = Some(base);
            inputs.head_files = store.stored_files(inputs.head.id).await?;
        }
        let ruled = inputs.rules.iter().flat_map(|rules| &rules.parts);
        for (part, limits) in ruled {
            let base = match &inputs.base {
                Some(base) if base.is_exact || limits.floor.is_some() => {
                    store.encoded_part_lines(base.side.id, part).await?
                }
                _ => None,
            };
            inputs.ruled_parts.push(RuledPart {
                name: part.clone(),
                head: store.encoded_part_lines(inputs.head.id, part).await?,
                base,
            });
        }
        Ok(Some(inputs))
    }

    /// Blocks the thread.
    pub(super) fn analyse(self) -> Result<Analysis, StoreError> {
        let changes = self.head.changes()?;
        let needs_lines = changes.is_some() || self.base.is_some() || self.rules.is_some();
        let head = if needs_lines {
            self.head.lines()?
        } else {
            None
        };
        let base_lines = self.base.as_ref().map(|base| base.side.lines());
        let base_lines = base_lines.transpose()?.flatten();
        let named = changes.iter().flat_map(Changes::files);
        let named = named.flat_map(|file| [&file.path, &file.old_path]);
        let named = named.flatten().map(AsRef::as_ref);
        let measured = head.iter().chain(&base_lines).flat_map(Lines::files);
        let paths: Vec<&str> = measured.map(|(path, _)| path).chain(named).collect();
        let at_head = self.head.ignoring(paths.iter().copied())?;
        let at_base = match &self.base {
            Some(base) => base.side.ignoring(paths)?,
            None => GlobList::default().compiled(),
        };
        let ignored = IgnoredPaths {
            at_base: &|path| at_base.matches(path),
            at_head: &|path| at_head.matches(path),
        };
        let base_commit = self.head.base_commit.as_ref();
        let base_commit: Option<CommitHash> = base_commit.and_then(|text| text.parse().ok());
        let partial = self.rules.as_ref().map(GateRules::partial);
        let changed = |(changes, head): (&Changes, &Lines)| {
            let mut measured = changes.measured(head);
            measured.unmeasured.retain(|path| !at_head.matches(path));
            let changed = lines::changed(base_commit, &measured, partial.unwrap_or_default());
            ChangedLines {
                unknown: self.head.unknown_files().or(changed.unknown),
                ..changed
            }
        };
        let mut analysis = Analysis {
            changed: changes.as_ref().zip(head.as_ref()).map(changed),
            ..Analysis::default()
        };
        let is_exact = self.base.as_ref().is_some_and(|base| base.is_exact);
        match (&self.base, &base_lines, &head) {
            (Some(base), Some(base_lines), Some(head)) => {
                let way = ::lines::Way {
                    changes: changes.as_ref(),
                    is_exact,
                    absent: base.absent.as_ref(),
                    flicker: base.flicker.as_ref(),
                    ignored: Some(ignored),
                    names_lines: self.names_lines,
                };
                let compared = self.compare(base, (base_lines, head), way, &mut analysis);
                compared.map_err(|error| self.head.damaged()(error.into()))?;
            }
            // Counts of files have no lines.
            _ if self.view.is_some() => {}
            _ => analysis.explanation = self.explanation_by_file()?,
        }
        let changed = analysis.changed.as_ref();
        let is_known = changed.is_none_or(|changed| changed.unknown.is_none());
        if let Some(rules) = &self.rules {
            let known = gate::Known {
                total: self.head.count(),
                branches: self.head.totals.branches,
                functions: self.head.totals.functions,
                // Known when the gate is judged.
                is_united: false,
                lines: head.as_ref(),
                changed,
                lost: analysis.lost.as_ref(),
                no_changed: (changes.is_some() && head.is_none()).then_some(NO_LINES),
                no_lost: self.no_lost(),
                base: self.known_base(base_lines.as_ref()),
            };
            let parts = self.ruled_parts.iter().map(|part| {
                let changes = changes.as_ref().filter(|_| is_known);
                let way = ::lines::Way {
                    changes,
                    is_exact,
                    ignored: Some(ignored),
                    ..::lines::Way::default()
                };
                let measured = gate::of_part(part, way, rules.partial());
                Ok((part.name.clone(), measured.map_err(self.head.damaged())?))
            });
            let parts = parts.collect::<Result<_, StoreError>>()?;
            analysis.gate = Some(GateNumbers::measure(
                rules,
                &known,
                parts,
                &self.ruled_views,
            ));
        }
        Ok(analysis)
    }

    /// What the gate may say about the base.
    fn known_base<'a>(&self, lines: Option<&'a Lines>) -> gate::KnownBase<'a> {
        let Some(base) = &self.base else {
            return gate::KnownBase::default();
        };
        let totals = &base.side.totals;
        gate::KnownBase {
            total: totals.lines,
            branches: totals.branches,
            functions: totals.functions,
            lines: lines.filter(|_| self.head.has_paths_like(&base.side)),
        }
    }

    /// Why lost lines are unknown, if the base is the one that the uploads named.
    fn no_lost(&self) -> Option<&'static str> {
        let base = self.base.as_ref()?;
        if !self.head.names(&base.side) {
            None
        } else if self.head.changes.is_none() {
            Some("lost: no changes were sent")
        } else if !self.head.has_paths_like(&base.side) {
            Some("lost: the paths of the base were read by a former rule")
        } else if base.side.lines.is_none() {
            Some("lost: the lines of the base commit's record are not known")
        } else {
            Some("lost: the lines of this record are not known")
        }
    }

    fn compare(
        &self,
        base: &Base,
        (base_lines, head): (&Lines, &Lines),
        way: ::lines::Way<'_>,
        analysis: &mut Analysis,
    ) -> Result<(), TooLarge> {
        let roots = (base.files.as_ref(), self.head_files.as_ref());
        let (base_lines, head) = lines::below_one_root(roots, base_lines, head)?;
        if let Some(view) = &self.view {
            analysis.explanation = InView::of(view, (&base_lines, &head), way.changes).explain(way);
            return Ok(());
        }
        let difference = ::lines::Difference::between(&base_lines, &head, way);
        let groups = lines::groups(&difference, &base_lines, &head);
        let counts = base.side.count().zip(self.head.count());
        analysis.explanation = counts.and_then(|(base, head)| Explanation::new(base, head, groups));
        analysis.lost = match base.is_exact {
            true => lines::lost(&difference, &head),
            false => None,
        };
        analysis.stale_hunks = lines::stale_hunks(&difference);
        Ok(())
    }

    /// Explains the change by the counts of files, if lines are not kept.
    fn explanation_by_file(&self) -> Result<Option<Explanation>, StoreError> {
        let Some(base) = &self.base else {
            return Ok(None);
        };
        let files = base.files.as_ref().zip(self.head_files.as_ref());
        let groups = files.map(|(base, head)| record_details::groups(base, head));
        let mut groups = groups.unwrap_or_default();
        for (side, cause) in [
            (&self.head, ChangeCause::Vanished),
            (&base.side, ChangeCause::Appeared),
        ] {
            let paths = groups.iter().filter_map(|group| group.path.as_deref());
            let ignored = side.ignoring(paths)?;
            for group in groups.iter_mut().filter(|group| group.cause == cause) {
                let path = group.path.as_deref();
                if path.is_some_and(|path| ignored.matches(path)) {
                    group.cause = ChangeCause::Ignored;
                }
            }
        }
        let counts = base.side.count().zip(self.head.count());
        let explanation = counts.and_then(|(base, head)| Explanation::new(base, head, groups));
        Ok(explanation.map(Explanation::by_file))
    }
}
