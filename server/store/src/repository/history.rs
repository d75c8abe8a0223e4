//! The records of one branch, without provisional ones. Newest first, a page at a time: found with an index, after the last
//! record of the previous page. In other orders there is only the first page: it is found among all records of the branch, so
//! such a page counts as a heavy read.

use crate::{
    Store, StoreError, Unsigned, provisional::is_provisional, record::listed_columns, run::Run,
};
use domain::{
    Change, HISTORY_PAGE, History, HistoryColumn, HistoryPosition, HistoryRow, Language, Order,
    RecordPosition,
};
use std::ops::Range;

const PAGE_SIZE: usize = HISTORY_PAGE as usize;

/// The column `verdict` of the record `r`.
macro_rules! verdict {
    () => {
        "case when exists (select 1 from record_completions w where w.record_id = r.id and w.waits_until is not null)
              then 'incomplete'
              else (select a.verdict from record_analyses a where a.record_id = r.id) end as verdict"
    };
}

pub(super) use verdict;

/// The columns of a [`HistoryRow`] for the record `r`.
macro_rules! columns {
    ($change:expr) => {
        concat!(
            listed_columns!($change),
            ", case when r.unconfirmed_at is null then 1 else 0 end as is_confirmed,
             case when exists (select 1 from record_completions w where w.record_id = r.id and w.waits_until is not null)
                  then 0 else 1 end as is_complete,
             (select c.pull_request from record_changes c where c.record_id = r.id) as pull_request, ",
            verdict!()
        )
    };
}

/// The change since the previous confirmed record.
macro_rules! change {
    () => {
        "r.percentage_basis_points - (select h.percentage_basis_points from records h
          where h.branch_id = r.branch_id and h.language = r.language
            and h.updated_at < r.updated_at and h.unconfirmed_at is null
          order by h.updated_at desc limit 1)"
    };
}

/// A page of the branch `$1` from the time `$5` to the time `$6`, before or after the record `$2`, `$3`.
macro_rules! history {
    ($side:literal, $order:literal, $filter:literal) => {
        concat!(
            "select ",
            columns!(change!()),
            "
             from records r
             where r.branch_id = $1 and (r.updated_at, r.id) ",
            $side,
            " ($2, $3) and r.updated_at >= $5 and r.updated_at < $6 ",
            $filter,
            " and not ",
            is_provisional!("r.id"),
            " order by r.updated_at ",
            $order,
            ", r.id ",
            $order,
            " limit $4"
        )
    };
}

pub(crate) const HISTORY: &str = history!("<", "desc", "");
pub(crate) const HISTORY_OF_LANGUAGE: &str = history!("<", "desc", "and r.language = $7");
pub(crate) const NEWER_HISTORY: &str = history!(">", "asc", "");
const NEWER_HISTORY_OF_LANGUAGE: &str = history!(">", "asc", "and r.language = $7");

macro_rules! count {
    ($filter:literal) => {
        concat!(
            "select count(*) from records r
             where r.branch_id = $1 and r.updated_at >= $2 and r.updated_at < $3 ",
            $filter,
            " and not ",
            is_provisional!("r.id")
        )
    };
}

pub(crate) const HISTORY_COUNT: &str = count!("");
const HISTORY_COUNT_OF_LANGUAGE: &str = count!("and r.language = $4");

/// The first records of the branch `$1` from the time `$3` to the time `$4`, in another order. Finds them among all records of
/// the branch, and reads the other columns only for them.
macro_rules! sorted {
    ($found:literal, $change:expr, $order:literal, $filter:literal) => {
        concat!(
            "select ",
            columns!($change),
            "
             from (
                 select f.id, f.value from (",
            $found,
            $filter,
            ") f
                 where not ",
            is_provisional!("f.id"),
            " and f.value is not null and f.updated_at >= $3 and f.updated_at < $4
                 order by f.value ",
            $order,
            ", f.id desc
                 limit $2
             ) page
             join records r on r.id = page.id
             order by page.value ",
            $order,
            ", page.id desc"
        )
    };
}

macro_rules! by_time {
    ($order:literal, $filter:literal) => {
        sorted!(
            "select id, updated_at, updated_at as value from records where branch_id = $1 ",
            change!(),
            $order,
            $filter
        )
    };
}

macro_rules! by_coverage {
    ($order:literal, $filter:literal) => {
        sorted!(
            "select id, updated_at, percentage_basis_points as value from records where branch_id = $1 ",
            change!(),
            $order,
            $filter
        )
    };
}

macro_rules! by_change {
    ($order:literal, $filter:literal) => {
        sorted!(
            "select id, updated_at, percentage_basis_points - lag(percentage_basis_points)
                    over (partition by language order by updated_at, id) as value
             from records where branch_id = $1 and unconfirmed_at is null ",
            // The shown change is the value that sorts, even for records with the same time.
            "page.value",
            $order,
            $filter
        )
    };
}

/// The queries of an order: in all languages, and in one language.
const fn sorted_by(order: Order<HistoryColumn>) -> [&'static str; 2] {
    macro_rules! by {
        ($value:ident) => {
            if order.is_descending {
                [$value!("desc", ""), $value!("desc", "and language = $5")]
            } else {
                [$value!("", ""), $value!("", "and language = $5")]
            }
        };
    }
    match order.column {
        HistoryColumn::Uploaded => by!(by_time),
        HistoryColumn::Coverage => by!(by_coverage),
        HistoryColumn::Change => by!(by_change),
    }
}

impl Store {
    /// The number of records of a branch between two times, in one language or in all languages.
    pub(super) async fn history_count(
        &self,
        branch_id: i64,
        language: Option<&Language>,
        times: &Range<i64>,
    ) -> Result<u64, StoreError> {
        let (start, end) = (times.start, times.end);
        let count: i64 = match language {
            Some(language) => {
                let values = (branch_id, start, end, language);
                self.value(HISTORY_COUNT_OF_LANGUAGE, values).await?
            }
            None => self.value(HISTORY_COUNT, [branch_id, start, end]).await?,
        };
        Ok(Unsigned::from(count).into())
    }

    /// Returns one page of the records of a branch between two times, in one language or in all languages.
    pub(super) async fn history(
        &self,
        branch_id: i64,
        language: Option<&Language>,
        times: &Range<i64>,
        place: HistoryPosition,
    ) -> Result<History, StoreError> {
        if let HistoryPosition::Sorted(order) = place {
            return self.sorted_history(branch_id, language, times, order).await;
        }
        let page = async |sql, key| {
            self.history_page(sql, branch_id, language, times, key)
                .await
        };
        if let HistoryPosition::NewerThan(key) = place {
            let sql = match language {
                None => NEWER_HISTORY,
                Some(_) => NEWER_HISTORY_OF_LANGUAGE,
            };
            let mut rows = page(sql, key).await?;
            // If less than a full page is left, show the first page.
            if rows.len() > PAGE_SIZE {
                rows.truncate(PAGE_SIZE);
                rows.reverse();
                return Ok(History {
                    newer: rows
                        .first()
                        .map(|row| HistoryPosition::NewerThan(row.record.position())),
                    older: rows
                        .last()
                        .map(|row| HistoryPosition::OlderThan(row.record.position())),
                    rows,
                    records: 0,
                });
            }
        }
        let (key, is_first) = match place {
            HistoryPosition::OlderThan(key) => (key, false),
            _ => (RecordPosition::START, true),
        };
        let sql = match language {
            None => HISTORY,
            Some(_) => HISTORY_OF_LANGUAGE,
        };
        let mut rows = page(sql, key).await?;
        let is_last = rows.len() <= PAGE_SIZE;
        rows.truncate(PAGE_SIZE);
        let newer = rows.first().map_or(HistoryPosition::Newest, |row| {
            HistoryPosition::NewerThan(row.record.position())
        });
        let older = rows
            .last()
            .map(|row| HistoryPosition::OlderThan(row.record.position()));
        Ok(History {
            newer: (!is_first).then_some(newer),
            older: older.filter(|_| !is_last),
            rows,
            records: 0,
        })
    }

    async fn sorted_history(
        &self,
        branch_id: i64,
        language: Option<&Language>,
        times: &Range<i64>,
        order: Order<HistoryColumn>,
    ) -> Result<History, StoreError> {
        let [of_all, of_language] = sorted_by(order);
        let limit = PAGE_SIZE as i64;
        let rows = match language {
            Some(language) => {
                let values = (branch_id, limit, times.start, times.end, language);
                self.all(of_language, values).await?
            }
            None => {
                let values = [branch_id, limit, times.start, times.end];
                self.all(of_all, values).await?
            }
        };
        Ok(History {
            rows: shown(rows),
            ..History::default()
        })
    }

    /// Returns at most one row more than a page has.
    async fn history_page(
        &self,
        sql: &'static str,
        branch_id: i64,
        language: Option<&Language>,
        times: &Range<i64>,
        key: RecordPosition,
    ) -> Result<Vec<HistoryRow>, StoreError> {
        let limit = PAGE_SIZE as i64 + 1;
        let (at, id) = (key.updated_at.0, key.record_id);
        let (start, end) = (times.start, times.end);
        let rows = match language {
            Some(language) => {
                let values = (branch_id, at, id, limit, start, end, language);
                self.all(sql, values).await?
            }
            None => {
                self.all(sql, [branch_id, at, id, limit, start, end])
                    .await?
            }
        };
        Ok(shown(rows))
    }
}

/// A decrease because of missing parts is not a change of the commit.
fn shown(mut rows: Vec<HistoryRow>) -> Vec<HistoryRow> {
    for row in &mut rows {
        let is_change = |change: &Change| row.is_complete || change.basis_points() >= 0;
        row.record.change = row.record.change.filter(is_change);
    }
    rows
}
