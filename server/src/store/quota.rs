//! How many bytes the stored reports of an organisation and of a repository take, and how many they may take.

use super::{Store, StoreError, names};
use app::domain::{BranchName, CommitHash, Language, Repository};
use sqlx::AnyConnection;
use thiserror::Error;

/// How many bytes stored reports may take; none is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quotas {
    /// Those of an organisation, with its nested groups: these can be made at will.
    pub org: Option<u64>,
    /// Those of a repository.
    pub repository: Option<u64>,
}

/// Whose reports take more than they may.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the reports of {whose} would take more than {bytes} bytes ({setting})")]
pub struct QuotaExceeded {
    /// An organisation or a repository.
    pub whose: String,
    /// What they may take.
    pub bytes: u64,
    /// The setting that says so.
    pub setting: &'static str,
}

/// The record that an upload makes or replaces.
#[derive(Clone, Copy, Debug)]
pub struct RecordKey<'a> {
    /// Its repository.
    pub repository: &'a Repository,
    /// Its branch.
    pub branch: &'a BranchName,
    /// Its language.
    pub language: &'a Language,
    /// Its commit.
    pub commit: &'a CommitHash,
}

/// SQLite takes a cross join in the order in which it is written.
pub(super) const OF_REPOSITORY: &str = "
    select cast(coalesce(sum(r.report_bytes), 0) as bigint)
    from repositories p cross join records r
    where p.org_name = $1 and p.repo_name = $2
      and r.repository_id = p.id and r.report_key is not null and r.id <> $3";

pub(super) const OF_ORG: &str = "
    select cast(coalesce(sum(r.report_bytes), 0) as bigint)
    from repositories p cross join records r
    where (p.org_name = $1 or (p.org_name > $1 || '/' and p.org_name < $1 || '0'))
      and r.repository_id = p.id and r.report_key is not null and r.id <> $2";

const SAME: &str = "
    select r.id from repositories p
    join branches b on b.repository_id = p.id
    join records r on r.branch_id = b.id
    where p.org_name = $1 and p.repo_name = $2 and b.name = $3 and r.language = $4 and r.commit_hash = $5";

impl Store {
    /// Whether there is room for the report of an upload that has not come yet. What it will replace does not count.
    ///
    /// # Errors
    ///
    /// [`StoreError::Quota`] where nothing fits any more, or when the database fails.
    pub async fn check_quotas(
        &self,
        quotas: &Quotas,
        upload: RecordKey<'_>,
    ) -> Result<(), StoreError> {
        if *quotas == Quotas::default() {
            return Ok(());
        }
        let mut connection = self.readers.acquire().await?;
        let repository = names::as_stored(&mut connection, upload.repository).await?;
        let replaced: Option<i64> = sqlx::query_scalar(SAME)
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
            .bind(upload.branch.as_str())
            .bind(upload.language.as_str())
            .bind(upload.commit.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        let report = Report {
            replaced,
            least_bytes: 1,
        };
        check(&mut connection, quotas, &repository, report).await
    }
}

/// Whether the report of a record that was just written is within the quotas, within the transaction that publishes it.
///
/// # Errors
///
/// [`StoreError::Quota`], or when the database fails.
pub(super) async fn check_published(
    connection: &mut AnyConnection,
    quotas: &Quotas,
    repository: &Repository,
) -> Result<(), StoreError> {
    if quotas.org.is_some() {
        hold_sum(connection, topmost(repository)).await?;
    }
    check(connection, quotas, repository, Report::STORED).await
}

/// Makes whoever else publishes a report in the organisation wait until this transaction ends: neither would see the report
/// of the other. It comes after the row of the repository, of which each has its own. SQLite has one writer.
async fn hold_sum(connection: &mut AnyConnection, org: &str) -> Result<(), StoreError> {
    // Of all that this service locks by number, 16 stands for quotas. The function's own answer has no type to be read.
    const LOCK: &str = "select pg_advisory_xact_lock(16, hashtext($1))::text";
    if connection.backend_name() == "SQLite" {
        return Ok(());
    }
    sqlx::query(LOCK).bind(org).execute(connection).await?;
    Ok(())
}

/// The outermost organisation around a repository.
fn topmost(repository: &Repository) -> &str {
    let org = repository.org.as_str();
    org.split_once('/').map_or(org, |(topmost, _)| topmost)
}

/// A report that is to fit in.
struct Report {
    /// The record whose report it replaces.
    replaced: Option<i64>,
    /// What it takes at least beside what is stored.
    least_bytes: u64,
}

impl Report {
    const STORED: Self = Self {
        replaced: None,
        least_bytes: 0,
    };
}

async fn check(
    connection: &mut AnyConnection,
    quotas: &Quotas,
    repository: &Repository,
    report: Report,
) -> Result<(), StoreError> {
    // No record has this number.
    let replaced = report.replaced.unwrap_or(0);
    if let Some(quota) = quotas.repository {
        let stored: i64 = sqlx::query_scalar(OF_REPOSITORY)
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
            .bind(replaced)
            .fetch_one(&mut *connection)
            .await?;
        let whose = repository.to_string();
        within(
            stored,
            report.least_bytes,
            quota,
            whose,
            "QUOTA_BYTES_PER_REPOSITORY",
        )?;
    }
    if let Some(quota) = quotas.org {
        let org = topmost(repository);
        let stored: i64 = sqlx::query_scalar(OF_ORG)
            .bind(org)
            .bind(replaced)
            .fetch_one(&mut *connection)
            .await?;
        let whose = org.to_owned();
        within(
            stored,
            report.least_bytes,
            quota,
            whose,
            "QUOTA_BYTES_PER_ORG",
        )?;
    }
    Ok(())
}

fn within(
    stored: i64,
    more: u64,
    quota: u64,
    whose: String,
    setting: &'static str,
) -> Result<(), StoreError> {
    let stored = u64::try_from(stored).unwrap_or_default();
    match stored.saturating_add(more) <= quota {
        true => Ok(()),
        false => Err(StoreError::Quota(QuotaExceeded {
            whose,
            bytes: quota,
            setting,
        })),
    }
}
