//! Branches as a whole: those that are no more, and the reports of those that are.

use super::{
    Store, StoreError, Vouching, ahead,
    counts::{self, Counts},
    main_records,
    text::storable,
    time::next_moment,
    vouching,
    write::{begin, settle},
};
use app::domain::{Repository, Timestamp};
use sqlx::{AnyConnection, Row};
use std::collections::HashSet;

/// A current report of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchReport {
    /// The id of its record.
    pub record_id: i64,
    /// The key of its object.
    pub key: String,
}

/// Makes whoever else writes to the repository wait, and gives the moment of this: later than every upload to it.
const REPOSITORY: &str = "
    update repositories set last_upload_at = case when $3 > last_upload_at then $3 else last_upload_at + 1 end
    where org_name = $1 and repo_name = $2
    returning id, last_upload_at";

const BRANCHES: &str = "
    select b.id, b.name from branches b
    where b.repository_id = $1
      and exists (select 1 from records r where r.branch_id = b.id and r.superseded_at is null)";

impl Store {
    /// Makes the records of all branches but the `active` ones no longer current, and returns how many branches that
    /// were. Their history stays, and their next upload makes them current again.
    ///
    /// # Errors
    ///
    /// [`StoreError::OtherForge`], or when the database fails; nothing has changed then.
    pub async fn retire_branches(
        &self,
        repository: &Repository,
        active: &HashSet<String>,
        vouching: Option<&Vouching>,
    ) -> Result<usize, StoreError> {
        let mut connection = self.writer.acquire().await?;
        let retired = retire(&mut connection, repository, active, vouching).await;
        settle(connection, retired).await
    }

    /// The current reports of a branch, the last updated first. The name is as the addresses of the system that this one
    /// replaces have it: with `_fs_` for each `/`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn branch_reports(
        &self,
        repository: &Repository,
        name: &str,
    ) -> Result<Vec<BranchReport>, StoreError> {
        // Where two branches are written alike, the one that is called so exactly is meant.
        const REPORTS: &str = "
            select r.id, r.branch_id, r.report_key from repositories p
            join branches b on b.repository_id = p.id and replace(b.name, '/', '_fs_') = $3
            join records r on r.branch_id = b.id and r.superseded_at is null and r.report_key is not null
            where p.org_name = $1 and p.repo_name = $2
            order by case when b.name = $3 then 0 else 1 end, r.updated_at desc, r.id desc";
        let rows = sqlx::query(REPORTS)
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
            .bind(storable(name))
            .fetch_all(&self.readers)
            .await?;
        let branch = rows.first().map(|row| row.try_get::<i64, _>("branch_id"));
        let branch = branch.transpose()?;
        let of_branch = rows
            .iter()
            .filter(|row| row.try_get("branch_id").ok() == branch);
        let reports = of_branch.map(|row| {
            Ok(BranchReport {
                record_id: row.try_get("id")?,
                key: row.try_get("report_key")?,
            })
        });
        reports.collect()
    }
}

async fn retire(
    connection: &mut AnyConnection,
    repository: &Repository,
    active: &HashSet<String>,
    vouching: Option<&Vouching>,
) -> Result<usize, StoreError> {
    let mut transaction = begin(connection).await?;
    let now = next_moment();
    let row = sqlx::query(REPOSITORY)
        .bind(repository.org.as_str())
        .bind(repository.repo.as_str())
        .bind(now.0)
        .fetch_optional(&mut *transaction)
        .await?;
    let Some(row) = row else {
        return Ok(0);
    };
    let (repository_id, following) = (
        row.try_get("id")?,
        Timestamp(row.try_get("last_upload_at")?),
    );
    let at = ahead::settle(&mut transaction, repository_id, following, now).await?;
    vouching::claim(&mut transaction, repository_id, vouching).await?;
    let branches = sqlx::query(BRANCHES)
        .bind(repository_id)
        .fetch_all(&mut *transaction)
        .await?;
    let (mut retired, mut records) = (0, 0);
    for branch in branches {
        if !active.contains(&branch.try_get::<String, _>("name")?) {
            records += retire_branch(&mut transaction, branch.try_get("id")?, at).await?;
            retired += 1;
        }
    }
    let no_longer_current = Counts {
        records: 0,
        current: -records,
    };
    counts::add(&mut transaction, repository_id, no_longer_current).await?;
    main_records::refresh(&mut transaction, repository_id).await?;
    transaction.commit().await?;
    Ok(retired)
}

/// How many records that were.
async fn retire_branch(
    connection: &mut AnyConnection,
    branch_id: i64,
    at: Timestamp,
) -> Result<i64, StoreError> {
    const RETIRE: &str =
        "update records set superseded_at = $1 where branch_id = $2 and superseded_at is null";
    let retired = sqlx::query(RETIRE)
        .bind(at.0)
        .bind(branch_id)
        .execute(&mut *connection)
        .await?;
    Ok(i64::try_from(retired.rows_affected()).unwrap_or(i64::MAX))
}
