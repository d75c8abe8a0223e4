//! A record's page: the record, its previous and next record, its upload, and its files.

mod files;

use super::{
    AnalysedRecord, Flag, Reader, StoreError, changes, compare::compared_columns,
    explanation::explained, parts, run::Run, standing::Series, summary, time::now, totals::Totals,
};
use domain::{
    Against, BaseRecord, BranchName, Change, ComparedRecord, Comparison, PullRequest, RecordBeside,
    RecordChanges, RecordDetail, RecordQuery, RecordView, Standing, Timestamp, sql::IfReadable,
};
use files::read_files;
use sqlx::FromRow;
use std::mem;

pub(super) const RECORD: &str = concat!(
    compared_columns!(),
    ", r.report_removed_at, case when r.pinned_at is null then 0 else 1 end as is_pinned,
        r.created_at, r.superseded_at, r.unconfirmed_at,
        l.covered, l.coverable, case when l.tests is null then 0 else 1 end as has_tests, coalesce(m.name, b.name) as main_branch_name,
        record_changes.pull_request,
        case when record_changes.changes is null then 0 else 1 end as has_changes,
        record_changes.unknown_reason,
        (select c.id from records c
         where c.branch_id = r.branch_id and c.language = r.language and c.superseded_at is null) as current_id
     from records r
     join repositories p on p.id = r.repository_id
     join branches b on b.id = r.branch_id
     left join branches m on m.id = p.main_branch_id
     left join record_lines l on l.record_id = r.id
     left join record_changes on record_changes.record_id = r.id
     where r.id = $1"
);

/// The last record of a branch and language before a time. No two such records have the same time.
pub(super) const BEFORE: &str = "
    select id, commit_hash, percentage_basis_points, updated_at from records
    where branch_id = $1 and language = $2 and updated_at < $3 and unconfirmed_at is null
    order by updated_at desc limit 1";

pub(super) const AFTER: &str = "
    select id, commit_hash, percentage_basis_points, updated_at from records
    where branch_id = $1 and language = $2 and updated_at > $3 and unconfirmed_at is null
    order by updated_at limit 1";

pub(super) const UPLOAD: &str = "
    select received_at, milliseconds, bytes, cast(files as text) as files, token_name, request_id, run_url,
        case when code = 'created' then 1 else 0 end as is_first
    from uploads
    where record_id = $1 and code in ('created', 'replaced') order by id desc limit 1";

#[derive(FromRow)]
struct Row {
    #[sqlx(flatten)]
    record: ComparedRecord,
    #[sqlx(flatten)]
    totals: Totals,
    branch_id: i64,
    report_removed_at: Option<Timestamp>,
    #[sqlx(try_from = "Flag")]
    is_pinned: bool,
    created_at: Timestamp,
    superseded_at: Option<Timestamp>,
    unconfirmed_at: Option<Timestamp>,
    covered: Option<i64>,
    coverable: Option<i64>,
    #[sqlx(try_from = "Flag")]
    has_tests: bool,
    #[sqlx(try_from = "IfReadable<PullRequest>")]
    pull_request: Option<PullRequest>,
    #[sqlx(try_from = "Flag")]
    has_changes: bool,
    unknown_reason: Option<String>,
    #[sqlx(rename = "main_branch_name")]
    main_branch: BranchName,
    current_id: Option<i64>,
}

impl Reader {
    /// Returns a record with the data of its page; `None` if the record does not exist.
    pub async fn record_page(
        &self,
        query: &RecordQuery,
    ) -> Result<Option<RecordDetail>, StoreError> {
        let Some(store) = self.sees_record(query.id).await? else {
            return Ok(None);
        };
        let row: Option<Row> = store.first(RECORD, [query.id]).await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let view = match &query.view {
            Some(view) => self.view_of_record(query.id, view).await?,
            None => None,
        };
        let mut record = row.record;
        let series = Series {
            branch_id: row.branch_id,
            language: record.language.as_str(),
        };
        let here = (series, record.updated_at);
        let older: Option<RecordBeside> = store.first(BEFORE, here).await?;
        let newer = store.first(AFTER, here).await?;
        let AnalysedRecord { base, analysis } = store.analysis_beside(query.id).await?;
        let mut details = store.writer().record_details(query.id).await?;
        let mut compared = compared(query.against, older.as_ref(), base.as_ref());
        let base_files = match (&details, &compared) {
            (Some(_), Some((_, base))) => store.stored_files(base.id).await?,
            _ => None,
        };
        let files = details
            .as_mut()
            .map(|details| mem::take(&mut details.files));
        let counter = files.as_ref().map(|files| files.counter.clone());
        let percentages = compared
            .as_ref()
            .map(|(_, base)| (base.percentage, record.percentage));
        let read = read_files(query, view.clone(), (files, base_files), percentages).await;
        let mut percentages = read.percentages;
        let (explanation, lost) = match &compared {
            Some((Against::Base, _)) if view.is_none() => {
                (analysis.explanation.clone(), analysis.lost.clone())
            }
            Some((against, base)) => {
                let lost = analysis.lost.clone();
                let lost = lost.filter(|_| *against == Against::Base);
                let explained = store.explanation(base.id, query.id, view.clone());
                (explained.await?, lost)
            }
            None => (None, None),
        };
        let has = |path: &str| {
            view.as_ref()
                .is_none_or(|view| view.has(path) == Some(true))
        };
        let lost = lost.map(|lost| lost.of_files(has));
        if view.is_some()
            && let Some(explanation) = explanation.as_ref().filter(|known| !known.is_by_file)
        {
            let sides = [explanation.base, explanation.head].map(|side| side.percentage());
            percentages = Some((sides[0], sides[1]));
        }
        let change = percentages.map(|(base, head)| Change::between(base, head));
        // A percentage of the base is of the view too.
        if let Some(((_, base), (percentage, _))) = compared.as_mut().zip(percentages) {
            base.percentage = percentage;
        }
        let alone = parts::Alone {
            id: query.id,
            updated_at: record.updated_at,
            percentage: record.percentage,
            has_report: record.has_report,
        };
        let parts = store.parts_of(alone).await?;
        let explained = explanation
            .zip(change)
            .and_then(|(explanation, change)| explained(explanation, change, &parts, lost));
        let comparison = compared
            .zip(change)
            .map(|((against, base), change)| Comparison {
                against,
                base,
                change,
                explained,
                moved: read.moved,
            });
        let gate = analysis.judge(&parts);
        let knows_lost_lines = analysis.lost.is_some();
        let changes = changes::known(row.has_changes, row.unknown_reason, analysis.changed);
        let changes = match changes {
            RecordChanges::Known(changed) if view.is_some() => {
                RecordChanges::Known(changed.of_files(has))
            }
            changes => changes,
        };
        let upload = store.first(UPLOAD, [query.id]).await?;
        record.counts = match (&view, read.sums) {
            (None, _) => row.totals.counted(details.as_ref()),
            (Some(_), None) => Vec::new(),
            (Some(_), Some((own, all))) => {
                let counter = counter.unwrap_or_default();
                row.totals.counted_of_files(&counter, own, all)
            }
        };
        let details = details.unwrap_or_default();
        let ignored = details.ignored;
        let ignored = ignored.map(|files| files.of_record(record.percentage, row.totals.lines));
        let now = now();
        let since = store.new_since(&record.repository).await?;
        let new_code = store.new_totals(query.id, &since, now, view.as_ref());
        let new_code = new_code.await?;
        let view = view.filter(|view| !view.is_costly());
        Ok(Some(RecordDetail {
            now,
            new_code,
            view: view.map(|view| RecordView {
                name: view.name().clone(),
                lines: read.sums.map(|(own, _)| own.lines),
                whole: row.totals.lines,
            }),
            views: store.view_choices(&record.repository).await?,
            uncounted: row.totals.uncounted(parts.are_united()),
            main_branch: row.main_branch,
            tool: details.tool,
            warnings: details.warnings,
            paths: details.paths,
            ignored,
            created_at: row.created_at,
            standing: match (row.superseded_at, row.unconfirmed_at, row.current_id) {
                (None, ..) => Standing::Current,
                (Some(_), Some(_), current) if parts.waits_until.is_some() => {
                    Standing::Incomplete(current)
                }
                (Some(_), Some(_), current) => Standing::Unconfirmed(current),
                (Some(_), None, Some(current)) => Standing::Superseded(current),
                (Some(_), None, None) => Standing::Retired,
            },
            gate,
            parts,
            has_tests: row.has_tests,
            pull_request: row.pull_request,
            changes,
            knows_lost_lines,
            sum_of_lines: summary::sum_of_lines(record.percentage, (row.covered, row.coverable)),
            report_removed_at: row.report_removed_at,
            is_pinned: row.is_pinned,
            older,
            newer,
            base,
            comparison,
            upload,
            files: read.files,
            record,
        }))
    }
}

/// Chooses the record to compare with: the requested one if it exists, otherwise the other.
fn compared(
    against: Against,
    older: Option<&RecordBeside>,
    base: Option<&BaseRecord>,
) -> Option<(Against, RecordBeside)> {
    let older = older.map(|older| (Against::Before, older.clone()));
    let base = base.map(|base| (Against::Base, base.record.clone()));
    match against {
        Against::Base => base.or(older),
        Against::Before => older.or(base),
    }
}
