//! The records that a record can be compared with.

use super::Side;
use crate::{Store, StoreError, run::Run};
use domain::{BranchName, CommitHash, Percentage, RecordChoice, Timestamp};
use sqlx::FromRow;

/// The maximum number of branches whose current records are offered. The repository's page lists all.
const MOST_BRANCHES: i64 = 100;

/// The maximum number of earlier records of a branch that are offered.
const MOST_EARLIER: i64 = 30;

/// Selects the columns of a [`ChoiceRow`], for records `r` on branches `b`.
macro_rules! choice_rows {
    () => {
        "select r.id, b.name as branch_name, r.commit_hash, r.percentage_basis_points, r.updated_at, r.superseded_at
         from records r
         join branches b on b.id = r.branch_id "
    };
}

/// The current records of a repository's branches in one language, the main branch first.
pub(crate) const BRANCHES: &str = concat!(
    choice_rows!(),
    "join repositories p on p.id = r.repository_id
     where r.repository_id = $1 and r.superseded_at is null and r.language = $2
     order by case when b.id = p.main_branch_id then 0 else 1 end, r.updated_at desc, r.id desc
     limit $3"
);

/// The confirmed records of a branch in one language before a time.
pub(crate) const EARLIER: &str = concat!(
    choice_rows!(),
    "where r.branch_id = $1 and r.language = $2 and r.updated_at < $3 and r.unconfirmed_at is null
     order by r.updated_at desc
     limit $4"
);

#[derive(FromRow)]
struct ChoiceRow {
    id: i64,
    #[sqlx(rename = "branch_name")]
    branch: BranchName,
    #[sqlx(rename = "commit_hash")]
    commit: CommitHash,
    #[sqlx(rename = "percentage_basis_points")]
    percentage: Percentage,
    updated_at: Timestamp,
    superseded_at: Option<i64>,
}

impl Store {
    /// Returns the records that `side` can be compared with, in its repository and language.
    pub(super) async fn record_choices(
        &self,
        side: &Side,
    ) -> Result<Vec<RecordChoice>, StoreError> {
        let language = side.record.language.as_str();
        let mut rows: Vec<ChoiceRow> = self
            .all(BRANCHES, (side.repository_id, language, MOST_BRANCHES))
            .await?;
        let earlier: Vec<ChoiceRow> = sqlx::query_as(EARLIER)
            .bind(side.branch_id)
            .bind(language)
            .bind(side.record.updated_at)
            .bind(MOST_EARLIER)
            .fetch_all(&self.read_pool)
            .await?;
        rows.extend(earlier);
        Ok(rows.into_iter().map(RecordChoice::from).collect())
    }
}

impl From<ChoiceRow> for RecordChoice {
    fn from(row: ChoiceRow) -> Self {
        Self {
            id: row.id,
            branch: row.branch,
            commit: row.commit,
            percentage: row.percentage,
            updated_at: row.updated_at,
            is_current: row.superseded_at.is_none(),
        }
    }
}
