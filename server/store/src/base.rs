//! Finds the base record: the record that a record's change is compared with.

use super::{Reader, StoreError, Writer, run::Run};
use domain::{BaseRecord, BranchName, FoundBy, RecordBeside};
use sqlx::FromRow;

/// The ids of the possible bases of the record `r`. `c` is the row of `record_changes` about it, `$main` the main branch of its
/// repository. All bases are complete records of the same repository and language. They are confirmed; what a commit or tree names may be
/// provisional.
macro_rules! base_by {
    (commit, $main:literal) => {
        $crate::base::base_by!(
            $main,
            "records x where x.commit_hash = c.base_commit"
        )
    };
    (tree, $main:literal) => {
        $crate::base::base_by!(
            $main,
            "record_changes t cross join records x where x.id = t.record_id and t.tree_hash = c.base_tree"
        )
    };
    (target, $main:literal) => {
        "(select h.id from branches d
          join records h on h.branch_id = d.id
          where d.repository_id = r.repository_id and d.name = c.target_branch and h.language = r.language
            and h.updated_at < r.updated_at and h.unconfirmed_at is null
          order by h.updated_at desc limit 1)"
    };
    (main, $main:literal) => {
        concat!(
            "(select h.id from records h
              where h.branch_id = ",
            $main,
            " and h.language = r.language and h.updated_at < r.updated_at and h.unconfirmed_at is null
              order by h.updated_at desc limit 1)"
        )
    };
    // The main branch first, then the newest record. SQLite orders a subquery only by its own columns. The `+` and `||` operators
    // keep SQLite from searching all records of the repository.
    ($main:literal, $candidates:literal) => {
        concat!(
            "(select k.id from (
                select x.id, case when x.branch_id = ",
            $main,
            " then 0 else 1 end as place from ",
            $candidates,
            " and +x.repository_id = r.repository_id and x.language || '' = r.language
                and x.id <> r.id and ",
            $crate::provisional::is_exact_base!("x"),
            ") k
              order by k.place, k.id desc limit 1)"
        )
    };
}

/// The id of the base of the record `r`; see [`base_by`].
macro_rules! base_id {
    ($main:literal) => {
        concat!(
            "coalesce(",
            $crate::base::base_by!(commit, $main),
            ", ",
            $crate::base::base_by!(tree, $main),
            ", ",
            $crate::base::base_by!(target, $main),
            ", ",
            $crate::base::base_by!(main, $main),
            ")"
        )
    };
}

pub(super) use {base_by, base_id};

pub(super) const BASE: &str = concat!(
    "select ",
    base_by!(commit, "p.main_branch_id"),
    " as by_commit, ",
    base_by!(tree, "p.main_branch_id"),
    " as by_tree, ",
    base_by!(target, "p.main_branch_id"),
    " as by_target, ",
    base_by!(main, "p.main_branch_id"),
    " as by_main
    from records r
    join repositories p on p.id = r.repository_id
    left join record_changes c on c.record_id = r.id
    where r.id = $1"
);

const RECORD: &str = "
    select r.id, b.name as branch_name, r.commit_hash, r.percentage_basis_points, r.updated_at from records r
    join branches b on b.id = r.branch_id
    where r.id = $1";

#[derive(FromRow)]
struct Found {
    by_commit: Option<i64>,
    by_tree: Option<i64>,
    by_target: Option<i64>,
    by_main: Option<i64>,
}

#[derive(FromRow)]
struct Row {
    #[sqlx(flatten)]
    record: RecordBeside,
    #[sqlx(rename = "branch_name")]
    branch: BranchName,
}

impl Found {
    /// The base by the first way that found a record.
    fn first(&self) -> Option<(i64, FoundBy)> {
        let ways = [
            (self.by_commit, FoundBy::Commit),
            (self.by_tree, FoundBy::Tree),
            (self.by_target, FoundBy::TargetBranch),
            (self.by_main, FoundBy::MainBranch),
        ];
        ways.into_iter().find_map(|(id, by)| Some((id?, by)))
    }
}

impl Reader {
    /// Returns the base of a record; `None` if there is nothing to compare with.
    pub async fn base(&self, record_id: i64) -> Result<Option<BaseRecord>, StoreError> {
        match self.sees_record(record_id).await? {
            Some(store) => store.writer().base(record_id).await,
            None => Ok(None),
        }
    }
}

impl Writer<'_> {
    /// Returns the base of a record; `None` if there is nothing to compare with.
    pub async fn base(self, record_id: i64) -> Result<Option<BaseRecord>, StoreError> {
        let found: Option<Found> = self.store.first(BASE, [record_id]).await?;
        let Some((id, found_by)) = found.and_then(|found| found.first()) else {
            return Ok(None);
        };
        let row: Option<Row> = self.store.first(RECORD, [id]).await?;
        Ok(row.map(|row| BaseRecord {
            record: row.record,
            branch: row.branch,
            found_by,
        }))
    }
}
