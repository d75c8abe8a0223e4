//! The branches of a repository: the current records of all branches or of one, and the branches to choose from.

use super::{Main, history::verdict};
use crate::{
    Store, StoreError, Unsigned,
    base::base_id,
    record::listed_columns,
    run::Run,
    text::{containing, containing_as_written},
};
use domain::{BranchColumn, BranchName, BranchPage, BranchRow, Order, RepositoryQuery};

const PAGE_SIZE: i64 = 50;

/// The maximum number of branches to choose from; the table's filter finds the others.
const MOST_CHOICES: i64 = 200;

/// The maximum number of current records of one branch on a page, one for each language.
const MOST_CURRENT: i64 = 24;

/// The columns of a [`BranchRow`], for the record `r` on the branch `b` with the changes `c`; `$2` is the main branch.
macro_rules! row_columns {
    () => {
        concat!(
            "b.name as branch, case when r.branch_id = $2 then null else base.id end as base_id,
             r.percentage_basis_points - base.percentage_basis_points as change_of_base, c.pull_request, ",
            verdict!(),
            ", ",
            listed_columns!(
                "r.percentage_basis_points - (
                     select h.percentage_basis_points from records h
                     where h.branch_id = r.branch_id and h.language = r.language and h.id <> r.id and h.unconfirmed_at is null
                     order by h.updated_at desc limit 1)"
            )
        )
    };
}

/// Finds the rows of one page first, and reads the other columns only for these rows.
pub(crate) const BRANCH_ROWS: &str = concat!(
    "select ",
    row_columns!(),
    " from (
        select c.id from records c
        join branches d on d.id = c.branch_id
        where c.repository_id = $1 and c.superseded_at is null
          and (lower(d.name) like $3 escape '!' or d.name like $4 escape '!')
        order by case when d.id = $2 then 0 else 1 end, c.updated_at desc, c.id desc
        limit $5 offset $6
    ) page
    join records r on r.id = page.id
    join branches b on b.id = r.branch_id
    left join record_changes c on c.record_id = r.id
    left join records base on base.id = ",
    base_id!("$2"),
    "
    order by case when b.id = $2 then 0 else 1 end, r.updated_at desc, r.id desc"
);

/// Like `BRANCH_ROWS`, in the order of a value. Reads the other columns only for the rows of the page. Rows without a value are
/// last.
macro_rules! sorted_rows {
    ($value:expr, $joins:expr, $order:literal) => {
        concat!(
            "select ",
            row_columns!(),
            " from (
                select f.id, f.value from (
                    select r.id, r.branch_id, r.updated_at, ",
            $value,
            " as value from records r
                    join branches d on d.id = r.branch_id ",
            $joins,
            "
                    where r.repository_id = $1 and r.superseded_at is null
                      and (lower(d.name) like $3 escape '!' or d.name like $4 escape '!')
                ) f
                order by case when f.value is null then 1 else 0 end, f.value ",
            $order,
            ", case when f.branch_id = $2 then 0 else 1 end, f.updated_at desc, f.id desc
                limit $5 offset $6
            ) page
            join records r on r.id = page.id
            join branches b on b.id = r.branch_id
            left join record_changes c on c.record_id = r.id
            left join records base on base.id = ",
            base_id!("$2"),
            "
            order by case when page.value is null then 1 else 0 end, page.value ",
            $order,
            ", case when b.id = $2 then 0 else 1 end, r.updated_at desc, r.id desc"
        )
    };
}

/// The queries of a column: ascending, descending.
macro_rules! by {
    ($value:expr) => {
        by!($value, "")
    };
    ($value:expr, $joins:expr) => {
        [
            sorted_rows!($value, $joins, ""),
            sorted_rows!($value, $joins, "desc"),
        ]
    };
}

pub(crate) const fn sorted_by(order: Order<BranchColumn>) -> &'static str {
    let [ascending, descending] = match order.column {
        BranchColumn::Name => by!("lower(d.name) || ' ' || r.language"),
        BranchColumn::Coverage => by!("r.percentage_basis_points"),
        BranchColumn::Change => by!(
            "case when r.branch_id = $2 then null
                  else r.percentage_basis_points - base.percentage_basis_points end",
            concat!(
                "left join record_changes c on c.record_id = r.id
                 left join records base on base.id = ",
                base_id!("$2")
            )
        ),
        BranchColumn::Author => by!("lower(r.commit_author)"),
        BranchColumn::Uploaded => by!("r.updated_at"),
    };
    if order.is_descending {
        descending
    } else {
        ascending
    }
}

pub(crate) const BRANCH_COUNT: &str = "
    select count(*) from records c
    join branches d on d.id = c.branch_id
    where c.repository_id = $1 and c.superseded_at is null
      and (lower(d.name) like $2 escape '!' or d.name like $3 escape '!')";

pub(crate) const CURRENT_ROWS: &str = concat!(
    "select ",
    row_columns!(),
    " from records r
    join branches b on b.id = r.branch_id
    left join record_changes c on c.record_id = r.id
    left join records base on base.id = ",
    base_id!("$2"),
    "
    where r.branch_id = $1 and r.superseded_at is null
    order by r.language
    limit $3"
);

pub(crate) const CHOICES: &str = "
    select b.name from records r
    join branches b on b.id = r.branch_id
    where r.repository_id = $1 and r.superseded_at is null
    group by b.id, b.name
    order by case when b.id = $2 then 0 else 1 end, max(r.updated_at) desc, b.id
    limit $3";

impl Store {
    /// Returns one page of the current records of all branches that match the keyword; the last page if the requested one is past
    /// the end. The order of the query applies even if all rows are on one page.
    pub(super) async fn branch_page(
        &self,
        main: &Main,
        query: &RepositoryQuery,
    ) -> Result<BranchPage, StoreError> {
        let id = main.repository_id;
        let lower = containing(&query.keyword);
        let as_written = containing_as_written(&query.keyword);
        let matching: i64 = self.value(BRANCH_COUNT, (id, &lower, &as_written)).await?;
        let pages = ((matching + PAGE_SIZE - 1) / PAGE_SIZE).max(1);
        let page = i64::from(query.page).clamp(1, pages);
        let sql = query.branches.map_or(BRANCH_ROWS, sorted_by);
        let offset = (page - 1) * PAGE_SIZE;
        let values = (id, main.branch_id, &lower, &as_written, PAGE_SIZE, offset);
        let rows = self.all(sql, values).await?;
        let number = |count: i64| Unsigned::from(count).into();
        Ok(BranchPage {
            rows,
            matching: number(matching),
            page: number(page),
            pages: number(pages),
        })
    }

    /// Returns the current records of one branch, sorted by language.
    pub(super) async fn current_rows(
        &self,
        branch_id: i64,
        main: &Main,
    ) -> Result<Vec<BranchRow>, StoreError> {
        self.all(CURRENT_ROWS, (branch_id, main.branch_id, MOST_CURRENT))
            .await
    }

    /// Returns the main branch, then the branches that were uploaded last.
    pub(super) async fn branch_choices(&self, main: &Main) -> Result<Vec<BranchName>, StoreError> {
        self.values(CHOICES, (main.repository_id, main.branch_id, MOST_CHOICES))
            .await
    }
}
