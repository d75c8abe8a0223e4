//! What other rules would have said about the last pull requests of a repository, by the numbers that are stored with their records.

#[cfg(test)]
mod tests;

use super::{Analysis, GateNumbers, Known, KnownBase, RuledViews};
use crate::{
    Named, Reader, Store, StoreError, blocking::blocking, packed::unpacked, run::Run, time::now,
    totals::Totals,
};
use domain::{Gate, GatePreview, GateRules, PreviewedPullRequest, Repository, Verdict};
use sqlx::FromRow;
use std::collections::HashSet;

/// The counts of a record, and its analysis, if that is of its current revision.
const STORED: &str = "
    select r.lines_covered, r.lines_total, r.branches_covered, r.branches_total, r.functions_covered, r.functions_total,
           case when a.revision = r.revision then a.analysis end as analysis
    from records r
    left join record_analyses a on a.record_id = r.id
    where r.id = $1";

/// An analysis that unpacks to more bytes is not read: its numbers are unknown.
const MAX_UNPACKED_BYTES: u64 = 16 << 20;

const NO_CHANGED: &str = "changed: the changed lines are not stored";
const NO_LOST: &str = "lost: the lost lines are not stored";

#[derive(FromRow)]
struct Stored {
    #[sqlx(flatten)]
    totals: Totals,
    analysis: Option<Vec<u8>>,
}

impl Reader {
    /// Returns the gate of a repository, and what it would have said about the last pull requests if `set` were set for the
    /// repository; `None` if the repository has no uploads.
    pub async fn gate_preview(
        &self,
        repository: &Repository,
        set: &GateRules,
    ) -> Result<Option<GatePreview>, StoreError> {
        let Some((store, main)) = self.main_of(repository).await? else {
            return Ok(None);
        };
        let of = Named::Repository(main.repository.clone());
        let sources = store.operator().gate_sources(&of).await?;
        let of_sources = sources.iter().map(|(_, rules)| rules.clone());
        let rules = of_sources.fold(set.clone(), GateRules::over);
        let has_own = sources.iter().any(|(source, _)| source.is_of(&of));
        let (rows, _) = store.older(main.repository_id, None).await?;
        let mut numbers = HashSet::new();
        let mut pull_requests = Vec::new();
        for row in rows {
            numbers.insert(row.number.clone());
            if numbers.len() > GatePreview::MOST {
                break;
            }
            let foreseen = match row.verdict {
                Some(Verdict::Incomplete) => waiting(&rules),
                _ => store.foreseen(row.record_id, &rules).await?,
            };
            pull_requests.push(PreviewedPullRequest { row, foreseen });
        }
        let sources = sources.into_iter();
        Ok(Some(GatePreview {
            now: now(),
            repository: main.repository,
            sources: sources
                .map(|(source, rules)| (source.to_string(), rules))
                .collect(),
            has_own,
            pull_requests,
        }))
    }
}

impl Store {
    /// The reasons why a record fails `rules`; an empty list for a record that passes, or whose verdict is unknown.
    pub(crate) async fn reasons(
        &self,
        record_id: i64,
        rules: &GateRules,
    ) -> Result<Vec<String>, StoreError> {
        let gate = self.foreseen(record_id, rules).await?;
        let failed = gate.filter(|gate| gate.verdict == Verdict::Failed);
        Ok(failed.map(|gate| gate.reasons).unwrap_or_default())
    }

    /// What `rules` would have said about a record.
    async fn foreseen(
        &self,
        record_id: i64,
        rules: &GateRules,
    ) -> Result<Option<Gate>, StoreError> {
        let stored: Option<Stored> = self.first(STORED, [record_id]).await?;
        // A record that was deleted meanwhile has no numbers.
        let Some(stored) = stored else {
            return Ok(Gate::foresee(rules, &domain::GateInput::default()));
        };
        let rules = rules.clone();
        blocking(move || stored.foreseen(&rules)).await
    }
}

impl Stored {
    fn foreseen(&self, rules: &GateRules) -> Option<Gate> {
        let packed = self.analysis.as_deref();
        let analysis: Option<Analysis> =
            packed.and_then(|packed| unpacked(packed, MAX_UNPACKED_BYTES));
        let kept = analysis.as_ref().and_then(|kept| kept.gate.as_ref());
        let known = Known {
            total: self.totals.lines,
            branches: self.totals.branches,
            functions: self.totals.functions,
            is_united: kept.is_some_and(|kept| kept.input.is_united),
            lines: None,
            changed: analysis.as_ref().and_then(|kept| kept.changed.as_ref()),
            lost: analysis.as_ref().and_then(|kept| kept.lost.as_ref()),
            no_changed: Some(NO_CHANGED),
            no_lost: Some(NO_LOST),
            base: KnownBase {
                total: kept.and_then(|kept| kept.input.all.base),
                branches: kept.and_then(|kept| kept.input.base_branches),
                functions: kept.and_then(|kept| kept.input.base_functions),
                lines: None,
            },
        };
        let mut input =
            GateNumbers::measure(rules, &known, Vec::new(), &RuledViews::default()).input;
        // The numbers of files, parts and views are stored only for the rules of then.
        if let Some(kept) = kept {
            input.paths = kept.input.paths.clone();
            input.parts = kept.input.parts.clone();
            input.views = kept.input.views.clone();
        }
        Gate::foresee(rules, &input)
    }
}

/// A record that waits for parts has no numbers yet.
fn waiting(rules: &GateRules) -> Option<Gate> {
    rules.have_limits().then(|| Gate {
        verdict: Verdict::Incomplete,
        reasons: vec!["it waits for parts".to_owned()],
        kept: Vec::new(),
        skipped: Vec::new(),
        evaluate: false,
    })
}
