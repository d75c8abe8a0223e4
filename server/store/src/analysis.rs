//! Analyses the lines of a record and of its base: changed lines, lost lines, and why the percentage changed.
//!
//! An analysis is computed once, and stored with the record until the record or its base changes.

mod gate;
mod inputs;
mod lines;
mod parts;
mod preview;
mod stored;
#[cfg(test)]
mod tests;
mod view;

pub use gate::{GateNumbers, Known, KnownBase, RuledViews};
pub(super) use inputs::Side;
pub use lines::{changed as changed_lines, lost as lost_lines};
#[cfg(test)]
pub(super) use {inputs::SIDE, parts::MEASURED, stored::FIND};

use super::{Flag, Reader, Store, StoreError, Writer};
use crate::{blocking::blocking, slots::Slots, views::ViewFiles};
use domain::{
    BaseRecord, ChangedLines, Explanation, Gate, GateRules, LostLines, RecordParts, Repository,
    text::chain,
};
use inputs::Inputs;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::sync::Mutex;

/// The analyses that are being computed, by record. Other readers of the record wait for the result.
pub(super) type Analysing = Slots<i64, Mutex<Option<New>>>;

/// A computed analysis that is not stored yet.
#[derive(Clone, Debug)]
pub(super) struct New {
    key: stored::Key,
    rules: Option<GateRules>,
    definitions: Option<String>,
    analysis: Analysis,
}

/// The results of comparing the lines of a record with its base.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Analysis {
    /// The changed lines; `None` if no upload sent changes, or if the lines are not kept.
    pub changed: Option<ChangedLines>,
    /// Why the percentage changed; `None` without a base, or if one of the two records has no counts.
    pub explanation: Option<Explanation>,
    /// Unchanged lines that ran at the base and do not run now; `None` unless the changes start from the base.
    pub lost: Option<LostLines>,
    /// Files whose hunks do not fit the two trees.
    pub stale_hunks: Vec<String>,
    /// The numbers that the gate judges; `None` if no rule is set.
    pub gate: Option<GateNumbers>,
}

impl Analysis {
    /// The verdict of the gate about a record with these parts; `None` if no rule has a limit.
    #[must_use]
    pub fn judge(&self, parts: &RecordParts) -> Option<Gate> {
        self.gate.as_ref()?.judge(parts)
    }
}

/// A record's analysis, and its base.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnalysedRecord {
    /// The base; `None` if there is nothing to compare with.
    pub base: Option<BaseRecord>,
    /// The analysis.
    pub analysis: Analysis,
}

type Analysed = (
    AnalysedRecord,
    Option<(stored::Key, Arc<Mutex<Option<New>>>)>,
);

impl Reader {
    /// Returns the stored analysis of a record if it is current. Otherwise computes it, because the base may have changed since
    /// the upload, and stores it after this returns. `None` if the record does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if stored lines or changes are damaged.
    pub async fn analysis(&self, record_id: i64) -> Result<Option<AnalysedRecord>, StoreError> {
        match self.sees_record(record_id).await? {
            Some(store) => store.analysis_of(record_id).await,
            None => Ok(None),
        }
    }
}

impl Store {
    /// Returns the analysis of a record, and stores a new one in a separate task.
    pub(super) async fn analysis_of(
        &self,
        record_id: i64,
    ) -> Result<Option<AnalysedRecord>, StoreError> {
        let Some((record, new)) = self.writer().analysed(record_id).await? else {
            return Ok(None);
        };
        if let Some((key, computed)) = new {
            let (store, analysis) = (self.clone(), record.analysis.clone());
            // Reading must not wait for the writer.
            tokio::spawn(async move {
                // Until the analysis is stored, other readers take it from memory.
                let _computed = computed;
                if let Err(error) = stored::keep(&store, record_id, key, &analysis).await {
                    let cause = chain(&error);
                    tracing::warn!(
                        record_id,
                        cause,
                        "an analysis was not stored: each reader computes it again"
                    );
                }
            });
        }
        Ok(Some(record))
    }

    /// Like `analysis_of`, for responses with more contents: logs damaged lines and returns no analysis instead of an error.
    pub(super) async fn analysis_beside(
        &self,
        record_id: i64,
    ) -> Result<AnalysedRecord, StoreError> {
        match self.analysis_of(record_id).await {
            Ok(analysed) => Ok(analysed.unwrap_or_default()),
            Err(error @ StoreError::Lines { .. }) => {
                let cause = chain(&error);
                tracing::error!(cause, "a response lacks the lines of a record");
                Ok(AnalysedRecord {
                    base: self.writer().base(record_id).await?,
                    analysis: Analysis::default(),
                })
            }
            Err(error) => Err(error),
        }
    }
}

impl Writer<'_> {
    /// Computes the analysis of a record and stores it, unless a current one is stored.
    pub async fn analyse(self, record_id: i64) -> Result<Option<AnalysedRecord>, StoreError> {
        let Some((record, new)) = self.analysed(record_id).await? else {
            return Ok(None);
        };
        if let Some((key, _computed)) = new {
            stored::keep(self.store, record_id, key, &record.analysis).await?;
        }
        Ok(Some(record))
    }

    /// Returns the analysis of a record. A newly computed one comes with its key and with the slot that shares it with other
    /// readers.
    async fn analysed(self, record_id: i64) -> Result<Option<Analysed>, StoreError> {
        // Read the base before the lines: if the lines change meanwhile, the stored analysis does not count as current.
        let base = self.base(record_id).await?;
        let base_id = base.as_ref().map(|base| base.record.id);
        let Some(found) = stored::find(self.store, record_id, base_id).await? else {
            return Ok(None);
        };
        let names = self.store.everything().names_of_record(record_id).await?;
        let rules = match &names {
            Some(names) => self.gate_rules(&names.repository).await?,
            None => None,
        };
        let is_on_main = self.is_on_main(record_id).await?;
        let rules = match is_on_main {
            Some(Flag(true)) => rules.map(GateRules::of_main),
            _ => rules,
        };
        let views = match (&names, &rules) {
            (Some(names), Some(rules)) => self.ruled_views(&names.repository, rules).await?,
            _ => RuledViews::default(),
        };
        let kept = found.analysis;
        let is_current = |kept: &Analysis| match (&kept.gate, &rules) {
            (Some(gate), Some(rules)) => {
                gate.rules == *rules && gate.definitions == views.definitions
            }
            (gate, rules) => gate.is_none() && rules.is_none(),
        };
        if let Some(analysis) = kept.filter(is_current) {
            return Ok(Some((AnalysedRecord { base, analysis }, None)));
        }
        let place = self.store.analysing.get(record_id);
        let mut computed = place.lock().await;
        if let Some(new) = &*computed
            && new.key == found.key
            && new.rules == rules
            && new.definitions == views.definitions
        {
            let analysis = new.analysis.clone();
            return Ok(Some((AnalysedRecord { base, analysis }, None)));
        }
        let definitions = views.definitions.clone();
        let inputs = Inputs::read(self.store, base_id, record_id, rules.clone(), views);
        let Some(inputs) = inputs.await? else {
            return Ok(None);
        };
        let analysis = blocking(move || inputs.analyse()).await??;
        *computed = Some(New {
            key: found.key,
            rules,
            definitions,
            analysis: analysis.clone(),
        });
        drop(computed);
        let record = AnalysedRecord { base, analysis };
        Ok(Some((record, Some((found.key, place)))))
    }

    /// The views that rules name.
    async fn ruled_views(
        self,
        repository: &Repository,
        rules: &GateRules,
    ) -> Result<RuledViews, StoreError> {
        if rules.views.is_empty() {
            return Ok(RuledViews::default());
        }
        let definitions = self.store.definitions(repository).await?;
        Ok(RuledViews::of(rules, &definitions))
    }

    /// Explains the difference between any two records, or only of their lines in `view`. Applies the hunks of the head if they start from the base. `None` if a
    /// record does not exist or has no counts.
    pub async fn explain(
        self,
        base: i64,
        head: i64,
        view: Option<ViewFiles>,
    ) -> Result<Option<Explanation>, StoreError> {
        let Some(mut inputs) =
            Inputs::read(self.store, Some(base), head, None, RuledViews::default()).await?
        else {
            return Ok(None);
        };
        inputs.view = view;
        inputs.names_lines = true;
        Ok(blocking(move || inputs.analyse()).await??.explanation)
    }
}
