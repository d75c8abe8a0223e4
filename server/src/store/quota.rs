//! How many bytes the stored reports of an organisation and of a repository take, and how many they may take.

use super::{Store, StoreError, names, orphaned_reports};
use domain::{BranchName, CommitHash, Language, Repository};
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

/// Replaced reports that are looked up at once.
const CHUNK: i64 = 100;

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

/// The statements that sum up the reports within a quota. SQLite takes a cross join in the order in which it is written.
pub(super) struct Statements {
    /// Bytes of the reports of all records but one.
    pub(super) stored: &'static str,
    /// Bytes of replaced reports that stay for the grace.
    pub(super) released: &'static str,
    /// Some of these, the oldest first.
    pub(super) oldest: &'static str,
}

pub(super) const OF_REPOSITORY: Statements = Statements {
    stored: "
        select cast(coalesce(sum(r.report_bytes), 0) as bigint)
        from repositories p cross join records r
        where p.org_name = $1 and p.repo_name = $2
          and r.repository_id = p.id and r.report_key is not null and r.id <> $3",
    released: "
        select cast(coalesce(sum(l.bytes), 0) as bigint)
        from repositories p cross join orphaned_reports l
        where p.org_name = $1 and p.repo_name = $2
          and l.repository_id = p.id and l.released_at is not null",
    oldest: "
        select l.key, l.bytes
        from repositories p cross join orphaned_reports l
        where p.org_name = $1 and p.repo_name = $2
          and l.repository_id = p.id and l.released_at is not null and l.bytes > 0
        order by l.released_at, l.key limit $3",
};

pub(super) const OF_ORG: Statements = Statements {
    stored: "
        select cast(coalesce(sum(r.report_bytes), 0) as bigint)
        from repositories p cross join records r
        where (p.org_name = $1 or (p.org_name > $1 || '/' and p.org_name < $1 || '0'))
          and r.repository_id = p.id and r.report_key is not null and r.id <> $2",
    released: "
        select cast(coalesce(sum(l.bytes), 0) as bigint)
        from repositories p cross join orphaned_reports l
        where (p.org_name = $1 or (p.org_name > $1 || '/' and p.org_name < $1 || '0'))
          and l.repository_id = p.id and l.released_at is not null",
    oldest: "
        select l.key, l.bytes
        from repositories p cross join orphaned_reports l
        where (p.org_name = $1 or (p.org_name > $1 || '/' and p.org_name < $1 || '0'))
          and l.repository_id = p.id and l.released_at is not null and l.bytes > 0
        order by l.released_at, l.key limit $2",
};

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
        for limit in limits(quotas, &repository) {
            limit.check(&mut connection, replaced, 1).await?;
        }
        Ok(())
    }
}

/// Ends the grace of replaced reports, the oldest first, until those of a repository and of its organisation are within the
/// quotas, within the transaction that publishes a record. Returns their keys.
///
/// # Errors
///
/// [`StoreError::Quota`] where the reports of records alone take too much, or when the database fails.
pub(super) async fn make_room(
    connection: &mut AnyConnection,
    quotas: &Quotas,
    repository: &Repository,
) -> Result<Vec<String>, StoreError> {
    if quotas.org.is_some() {
        hold_sum(connection, topmost(repository)).await?;
    }
    let mut crowded_out = Vec::new();
    for limit in limits(quotas, repository) {
        let stored = limit.check(connection, None, 0).await?;
        limit
            .make_room(connection, stored, &mut crowded_out)
            .await?;
    }
    Ok(crowded_out)
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

/// One of the quotas, and what it is for.
struct Limit<'a> {
    bytes: u64,
    /// What the statements ask for first.
    names: Vec<&'a str>,
    statements: &'static Statements,
    setting: &'static str,
}

fn limits<'a>(quotas: &Quotas, repository: &'a Repository) -> impl Iterator<Item = Limit<'a>> {
    let of_repository = quotas.repository.map(|bytes| Limit {
        bytes,
        names: vec![repository.org.as_str(), repository.repo.as_str()],
        statements: &OF_REPOSITORY,
        setting: "QUOTA_BYTES_PER_REPOSITORY",
    });
    let of_org = quotas.org.map(|bytes| Limit {
        bytes,
        names: vec![topmost(repository)],
        statements: &OF_ORG,
        setting: "QUOTA_BYTES_PER_ORG",
    });
    of_repository.into_iter().chain(of_org)
}

impl Limit<'_> {
    /// The bytes of the reports of all records but `replaced`, where there is room for so many more.
    async fn check(
        &self,
        connection: &mut AnyConnection,
        replaced: Option<i64>,
        more: u64,
    ) -> Result<u64, StoreError> {
        let mut sum = sqlx::query_scalar(self.statements.stored);
        for name in &self.names {
            sum = sum.bind(*name);
        }
        // No record has the number 0.
        let stored: i64 = sum
            .bind(replaced.unwrap_or(0))
            .fetch_one(&mut *connection)
            .await?;
        let stored = u64::try_from(stored).unwrap_or_default();
        if stored.saturating_add(more) > self.bytes {
            return Err(StoreError::Quota(QuotaExceeded {
                whose: self.names.join("/"),
                bytes: self.bytes,
                setting: self.setting,
            }));
        }
        Ok(stored)
    }

    async fn make_room(
        &self,
        connection: &mut AnyConnection,
        stored: u64,
        crowded_out: &mut Vec<String>,
    ) -> Result<(), StoreError> {
        let mut sum = sqlx::query_scalar(self.statements.released);
        for name in &self.names {
            sum = sum.bind(*name);
        }
        let released: i64 = sum.fetch_one(&mut *connection).await?;
        let released = u64::try_from(released).unwrap_or_default();
        let mut excess = stored.saturating_add(released).saturating_sub(self.bytes);
        while excess > 0 {
            let mut oldest = sqlx::query_as(self.statements.oldest);
            for name in &self.names {
                oldest = oldest.bind(*name);
            }
            let oldest: Vec<(String, i64)> = oldest.bind(CHUNK).fetch_all(&mut *connection).await?;
            if oldest.is_empty() {
                break;
            }
            for (key, bytes) in oldest {
                if excess == 0 {
                    break;
                }
                orphaned_reports::end_grace(connection, &key).await?;
                excess = excess.saturating_sub(u64::try_from(bytes).unwrap_or_default());
                crowded_out.push(key);
            }
        }
        Ok(())
    }
}
