//! Explains why the percentage of a record differs from another one, also as a sentence.

use super::{Reader, RecordSummary, StoreError, run::Run, views::ViewFiles};
use domain::{Change, Explained, Explanation, LostLines, Percentage, RecordParts, text::shown};

const PERCENTAGE: &str = "select r.percentage_basis_points from records r where r.id = $1";

/// The explanation of the difference of two records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordExplanation {
    /// The known reasons.
    Known(Box<ExplainedRecord>),
    /// There is nothing to compare with.
    NoBase,
    /// One of the two records has no counts, or no lines to cover.
    NoCounts,
}

/// The reasons why two records differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedRecord {
    /// The id of the base.
    pub base: i64,
    /// The id of the head.
    pub head: i64,
    /// The difference of their percentages.
    pub delta: Change,
    /// The groups of lines.
    pub explanation: Explanation,
    /// The most important groups, in a sentence.
    pub sentence: String,
    /// Whether the changes of the head are known, but not the lines that they lost.
    pub lacks_lost_lines: bool,
}

impl Reader {
    /// Explains the difference between a record and another one, or its own base; only of the lines in `view`, if given. `None` if the
    /// record does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if stored lines or changes are damaged.
    pub async fn explained(
        &self,
        record_id: i64,
        base: Option<i64>,
        view: Option<ViewFiles>,
    ) -> Result<Option<RecordExplanation>, StoreError> {
        let Some(summary) = self.record_summary(record_id).await? else {
            return Ok(None);
        };
        let own = summary.base.as_ref().map(|base| base.record.id);
        let Some(base) = base.or(own) else {
            return Ok(Some(RecordExplanation::NoBase));
        };
        // The base of a record is in the same repository, which `self` may see.
        let Some(store) = self.sees_record(base).await? else {
            return Ok(Some(RecordExplanation::NoBase));
        };
        let explanation = match own {
            Some(own) if own == base && view.is_none() => summary.explanation.clone(),
            _ => {
                store
                    .writer()
                    .explain(base, record_id, view.clone())
                    .await?
            }
        };
        let percentage: Option<Percentage> = store.first_value(PERCENTAGE, [base]).await?;
        let Some(percentage) = percentage else {
            return Ok(Some(RecordExplanation::NoBase));
        };
        let Some(explanation) = explanation else {
            return Ok(Some(RecordExplanation::NoCounts));
        };
        let delta = match view {
            Some(_) => {
                Change::between(explanation.base.percentage(), explanation.head.percentage())
            }
            None => Change::between(percentage, summary.record.percentage),
        };
        let sentence = sentence(&explanation, delta, &summary.parts);
        Ok(Some(RecordExplanation::Known(Box::new(ExplainedRecord {
            base,
            head: record_id,
            delta,
            explanation,
            sentence,
            lacks_lost_lines: summary.lacks_lost_lines(),
        }))))
    }
}

impl RecordSummary {
    /// The change since the base; `None` without a base.
    #[must_use]
    pub fn delta(&self) -> Option<Change> {
        let base = self.base.as_ref()?;
        Some(Change::between(
            base.record.percentage,
            self.record.percentage,
        ))
    }

    /// Why the percentage changed since the base, in a sentence.
    #[must_use]
    pub fn explanation_sentence(&self) -> Option<String> {
        let explanation = self.explanation.as_ref()?;
        Some(sentence(explanation, self.delta()?, &self.parts))
    }
}

/// The explanation for a page; `None` if lines were not compared.
pub(super) fn explained(
    explanation: Explanation,
    delta: Change,
    parts: &RecordParts,
    lost: Option<LostLines>,
) -> Option<Explained> {
    (!explanation.is_by_file).then(|| Explained {
        sentence: sentence(&explanation, delta, parts),
        explanation,
        lost,
    })
}

/// The sentence, escaped: no path in it can change the text around it.
pub(super) fn sentence(explanation: &Explanation, delta: Change, parts: &RecordParts) -> String {
    shown(explanation.sentence(delta, parts))
}
