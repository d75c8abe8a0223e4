//! The records of one branch, newest first, a page at a time: found in an index, after the last record of the previous
//! page.

use crate::store::{
    Store, StoreError,
    record::{count, percentage},
};
use domain::{Change, History, HistoryKey, HistoryPlace, HistoryRow, Language, Timestamp};
use sqlx::FromRow;

/// Records on one page.
const PAGE_SIZE: usize = 50;

/// A page of the branch `$1`, on one side of the record `$2`, `$3`.
macro_rules! history {
    ($side:literal, $order:literal, $filter:literal) => {
        concat!(
            "select r.id, r.language, r.commit_hash, r.commit_author, r.percentage_basis_points, r.lines_covered,
                    r.lines_total, r.report_key, r.updated_at, r.unconfirmed_at,
                    (select h.percentage_basis_points from records h
                     where h.branch_id = r.branch_id and h.language = r.language
                       and h.updated_at < r.updated_at and h.unconfirmed_at is null
                     order by h.updated_at desc limit 1) as percentage_before
             from records r
             where r.branch_id = $1 and (r.updated_at, r.id) ",
            $side,
            " ($2, $3) ",
            $filter,
            " order by r.updated_at ", $order, ", r.id ", $order,
            " limit $4"
        )
    };
}

pub(in crate::store) const HISTORY: &str = history!("<", "desc", "");
pub(in crate::store) const HISTORY_OF_LANGUAGE: &str = history!("<", "desc", "and r.language = $5");
pub(in crate::store) const NEWER_HISTORY: &str = history!(">", "asc", "");
const NEWER_HISTORY_OF_LANGUAGE: &str = history!(">", "asc", "and r.language = $5");

/// Later than every record.
const END: HistoryKey = HistoryKey {
    at: Timestamp(i64::MAX),
    record_id: i64::MAX,
};

#[derive(FromRow)]
struct Row {
    id: i64,
    language: String,
    commit_hash: String,
    commit_author: String,
    percentage_basis_points: i64,
    lines_covered: Option<i64>,
    lines_total: Option<i64>,
    report_key: Option<String>,
    updated_at: i64,
    unconfirmed_at: Option<i64>,
    percentage_before: Option<i64>,
}

impl Store {
    /// Returns one page of the records of a branch, in one language or in all.
    pub(super) async fn history(
        &self,
        branch_id: i64,
        language: Option<&Language>,
        place: HistoryPlace,
    ) -> Result<History, StoreError> {
        if let HistoryPlace::NewerThan(key) = place {
            let sql = match language {
                None => NEWER_HISTORY,
                Some(_) => NEWER_HISTORY_OF_LANGUAGE,
            };
            let mut rows = self.history_page(sql, branch_id, language, key).await?;
            // If less than a full page is left, show the first page.
            if rows.len() > PAGE_SIZE {
                rows.truncate(PAGE_SIZE);
                rows.reverse();
                return Ok(History {
                    newer: rows.first().map(|row| HistoryPlace::NewerThan(row.key())),
                    older: rows.last().map(|row| HistoryPlace::OlderThan(row.key())),
                    rows,
                    records: 0,
                });
            }
        }
        let (key, is_first) = match place {
            HistoryPlace::OlderThan(key) => (key, false),
            HistoryPlace::Newest | HistoryPlace::NewerThan(_) => (END, true),
        };
        let sql = match language {
            None => HISTORY,
            Some(_) => HISTORY_OF_LANGUAGE,
        };
        let mut rows = self.history_page(sql, branch_id, language, key).await?;
        let is_last = rows.len() <= PAGE_SIZE;
        rows.truncate(PAGE_SIZE);
        let newer = rows.first().map_or(HistoryPlace::Newest, |row| {
            HistoryPlace::NewerThan(row.key())
        });
        let older = rows.last().map(|row| HistoryPlace::OlderThan(row.key()));
        Ok(History {
            newer: (!is_first).then_some(newer),
            older: older.filter(|_| !is_last),
            rows,
            records: 0,
        })
    }

    /// Returns one row more than a page has, if there are more.
    async fn history_page(
        &self,
        sql: &'static str,
        branch_id: i64,
        language: Option<&Language>,
        key: HistoryKey,
    ) -> Result<Vec<HistoryRow>, StoreError> {
        let mut query = sqlx::query_as(sql)
            .bind(branch_id)
            .bind(key.at.0)
            .bind(key.record_id)
            .bind(PAGE_SIZE as i64 + 1);
        if let Some(language) = language {
            query = query.bind(language.as_str());
        }
        let rows: Vec<Row> = query.fetch_all(&self.readers).await?;
        rows.into_iter().map(HistoryRow::try_from).collect()
    }
}

impl TryFrom<Row> for HistoryRow {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let now = percentage(row.percentage_basis_points);
        let before = row.percentage_before.map(percentage);
        Ok(Self {
            record_id: row.id,
            at: Timestamp(row.updated_at),
            language: row.language.try_into()?,
            commit: row.commit_hash.try_into()?,
            author: row.commit_author.try_into()?,
            percentage: now,
            lines: count(row.lines_covered, row.lines_total),
            change: before.map(|before| Change::between(before, now)),
            has_report: row.report_key.is_some(),
            is_confirmed: row.unconfirmed_at.is_none(),
        })
    }
}
