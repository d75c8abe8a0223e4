//! A record with the data of its summary.

use super::{
    AnalysedRecord, Flag, Reader, StoreError, changes,
    matched_paths::PathsRow,
    parts::Alone,
    record::{Record, record_columns},
    run::Run,
    totals::Totals,
};
use domain::{
    BaseRecord, ChangedLines, CommitHash, Count, Explanation, Gate, Ignored, IgnoredFiles,
    LostLines, MatchedPaths, Percentage, PullRequest, RecordChanges, RecordParts, Results,
    sql::IfReadable,
};
use sqlx::FromRow;

/// A record with the data of its summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordSummary {
    /// The record.
    pub record: Record,
    /// Whether its HTML report is stored.
    pub has_report: bool,
    /// How many paths of its coverage file are files of the repository, if the upload listed the files.
    pub paths: Option<MatchedPaths>,
    /// The same numbers for the upload that gets this response, without the other parts of its commit.
    pub uploaded_paths: Option<MatchedPaths>,
    /// The files that the settings ignore; `None` without such rules.
    pub ignored: Option<Ignored>,
    /// Its branches; `None` if they are not known.
    pub branches: Option<Count>,
    /// Its functions; `None` if they are not known.
    pub functions: Option<Count>,
    /// The parts of the record.
    pub parts: RecordParts,
    /// The measured commit, if it differs from the record's.
    pub measured_commit: Option<CommitHash>,
    /// The pull request of its commit, if an upload named it.
    pub pull_request: Option<PullRequest>,
    /// The base record; `None` if there is nothing to compare with.
    pub base: Option<BaseRecord>,
    /// The changed lines, if an upload sent changes and the lines are kept.
    pub changed_lines: Option<ChangedLines>,
    /// Unchanged lines that ran at the base and do not run now; `None` unless the changes start from the base.
    pub lost: Option<LostLines>,
    /// Why the percentage changed since the base; `None` without a base or without counts.
    pub explanation: Option<Explanation>,
    /// The verdict of the gate; `None` if no rule is set.
    pub gate: Option<Gate>,
    /// Files whose hunks do not fit the trees of the base and of this record.
    pub stale_hunks: Vec<String>,
    /// Which changed lines are unknown, and why, in one sentence.
    pub unknown_changes: Option<String>,
    /// The percentage of its lines, if the total that the tool states differs by more than 0.01.
    pub sum_of_lines: Option<Percentage>,
}

pub(super) const SUMMARY: &str = concat!(
    record_columns!(),
    ", r.report_key, l.covered, l.coverable, d.paths_matched, d.paths_of, d.paths_unmatched, d.ignored, r.lines_covered, r.lines_total,
    r.branches_covered, r.branches_total, r.functions_covered, r.functions_total,
    c.pull_request, c.measured_commit, case when c.changes is null then 0 else 1 end as has_changes, c.unknown_reason
    from records r
    join repositories p on p.id = r.repository_id
    join branches b on b.id = r.branch_id
    left join record_details d on d.record_id = r.id
    left join record_lines l on l.record_id = r.id
    left join record_changes c on c.record_id = r.id
    where r.id = $1"
);

#[derive(FromRow)]
struct Row {
    #[sqlx(flatten)]
    record: Record,
    report_key: Option<String>,
    covered: Option<i64>,
    coverable: Option<i64>,
    #[sqlx(flatten, try_from = "PathsRow")]
    paths: Option<MatchedPaths>,
    #[sqlx(try_from = "IfReadable<IgnoredFiles>")]
    ignored: Option<IgnoredFiles>,
    #[sqlx(flatten)]
    totals: Totals,
    #[sqlx(try_from = "IfReadable<PullRequest>")]
    pull_request: Option<PullRequest>,
    #[sqlx(try_from = "IfReadable<CommitHash>")]
    measured_commit: Option<CommitHash>,
    #[sqlx(try_from = "Flag")]
    has_changes: bool,
    unknown_reason: Option<String>,
}

impl RecordSummary {
    /// Whether parts are missing, so that the numbers are not the numbers of the whole commit.
    pub fn is_incomplete(&self) -> bool {
        !self.parts.missing().is_empty()
    }

    /// The change since the base, in parentheses after a space. A decrease because of missing parts is not a change of the
    /// commit.
    fn delta_in_words(&self) -> String {
        match self.delta() {
            Some(delta) if self.is_incomplete() && delta.basis_points() < 0 => {
                " (incomplete)".to_owned()
            }
            Some(delta) => format!(" ({delta})"),
            None => String::new(),
        }
    }

    /// The results, as texts show them.
    pub fn results(&self) -> Results<'_> {
        Results {
            percentage: Some(self.record.percentage),
            delta: self.delta_in_words(),
            changed: self.changed_lines.as_ref(),
            lost: self.lost.as_ref(),
            lacks_lost_lines: self.lacks_lost_lines(),
            gate: self.gate.as_ref(),
        }
    }

    /// Whether the uploads stated the changes, but the lost lines are unknown.
    pub fn lacks_lost_lines(&self) -> bool {
        let are_changed = self.changed_lines.is_some() || self.unknown_changes.is_some();
        are_changed && self.lost.is_none()
    }
}

impl Reader {
    /// Returns a record with the data of its summary; `None` if the record does not exist.
    pub async fn record_summary(&self, id: i64) -> Result<Option<RecordSummary>, StoreError> {
        let Some(store) = self.sees_record(id).await? else {
            return Ok(None);
        };
        let row: Option<Row> = store.first(SUMMARY, [id]).await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let alone = Alone {
            id,
            updated_at: row.record.updated_at,
            percentage: row.record.percentage,
            has_report: row.report_key.is_some(),
        };
        let parts = store.parts_of(alone).await?;
        let AnalysedRecord { base, analysis } = store.analysis_beside(id).await?;
        let gate = analysis.judge(&parts);
        let changes = changes::known(row.has_changes, row.unknown_reason, analysis.changed);
        let unknown_changes = changes.unknown();
        let changed_lines = match changes {
            RecordChanges::Known(changed) => Some(changed),
            RecordChanges::Unknown(_) | RecordChanges::NotSent | RecordChanges::NoLines => None,
        };
        let percentage = row.record.percentage;
        Ok(Some(RecordSummary {
            record: row.record,
            has_report: row.report_key.is_some(),
            paths: row.paths,
            uploaded_paths: None,
            ignored: row
                .ignored
                .map(|ignored| ignored.of_record(percentage, row.totals.lines)),
            branches: row.totals.branches,
            functions: row.totals.functions,
            measured_commit: row.measured_commit,
            pull_request: row.pull_request,
            base,
            changed_lines,
            unknown_changes,
            lost: analysis.lost,
            gate,
            explanation: analysis.explanation,
            stale_hunks: analysis.stale_hunks,
            parts,
            sum_of_lines: sum_of_lines(percentage, (row.covered, row.coverable)),
        }))
    }
}

/// The percentage of the lines of a record, if its total differs by more than 0.01. 0 of 0 has no percentage that could differ.
pub(super) fn sum_of_lines(
    total: Percentage,
    (covered, coverable): (Option<i64>, Option<i64>),
) -> Option<Percentage> {
    let sum = Count::of_columns(covered, coverable)
        .filter(|sum| sum.total > 0)?
        .percentage();
    let differs = sum.basis_points().abs_diff(total.basis_points()) > 1;
    differs.then_some(sum)
}
