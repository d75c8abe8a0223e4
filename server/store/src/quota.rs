//! Limits the bytes that the stored HTML reports, lines, lists and source text of an org and of a repository use.

use super::{
    QuotaExceeded, StoreError, Unsigned, Writer, names, orphaned_reports,
    run::{Parameter, Run},
    sources,
};
use domain::{BranchName, CommitHash, Language, Repository};
use sqlx::{AnyConnection, any::AnyArguments};

/// The limits of stored HTML reports, lines, lists and source text in bytes; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quotas {
    /// The limit of an org including its subgroups, because uploads can create any number of subgroups.
    pub org: Option<u64>,
    /// The limit of a repository.
    pub repository: Option<u64>,
}

/// Replaced reports per query.
const CHUNK: i64 = 100;

/// The record that an upload creates or replaces.
#[derive(Clone, Copy, Debug)]
pub struct RecordKey<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// The branch.
    pub branch: &'a BranchName,
    /// The language.
    pub language: &'a Language,
    /// The commit.
    pub commit: &'a CommitHash,
}

/// The key of the repository, the branch, the language and the commit.
impl Parameter for RecordKey<'_> {
    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), sqlx::Error> {
        self.repository.add_to(arguments)?;
        self.branch.add_to(arguments)?;
        self.language.add_to(arguments)?;
        self.commit.add_to(arguments)
    }
}

/// The statements that sum up the stored bytes within a quota. SQLite runs a cross join in the written order.
pub(super) struct Statements {
    /// The bytes of the reports of all records, except one.
    pub(super) stored: &'static str,
    /// The bytes of the lines, lists of files and changes of the same records.
    pub(super) in_database: &'static str,
    /// The bytes of the texts of source files.
    pub(super) in_sources: &'static str,
    /// The bytes of replaced reports in their grace period.
    pub(super) released: &'static str,
    /// Some of the replaced reports, oldest first.
    pub(super) oldest: &'static str,
}

/// The statements about the repositories `p` that a condition on `$1` selects.
macro_rules! statements {
    ($of:literal) => {
        Statements {
            stored: concat!(
                "select cast(coalesce(sum(r.report_bytes), 0) as bigint)
                 from repositories p cross join records r where ",
                $of,
                " and r.repository_id = p.id and r.report_key is not null and r.id <> $2"
            ),
            in_database: concat!(
                "select cast(coalesce(sum(r.database_bytes), 0) as bigint)
                 from repositories p cross join records r where ",
                $of,
                " and r.repository_id = p.id and r.database_bytes > 0 and r.id <> $2"
            ),
            in_sources: concat!(
                "select cast(coalesce(sum(t.bytes), 0) as bigint)
                 from repositories p cross join source_texts t where ",
                $of,
                " and t.repository_id = p.id"
            ),
            released: concat!(
                "select cast(coalesce(sum(l.bytes), 0) as bigint)
                 from repositories p cross join orphaned_reports l where ",
                $of,
                " and l.repository_id = p.id and l.released_at is not null"
            ),
            oldest: concat!(
                "select l.key, l.bytes from repositories p cross join orphaned_reports l where ",
                $of,
                " and l.repository_id = p.id and l.released_at is not null and l.bytes > 0
                 order by l.released_at, l.key limit $2"
            ),
        }
    };
}

pub(super) const OF_REPOSITORY: Statements = statements!("p.name_key = $1");

pub(super) const OF_ORG: Statements =
    statements!("(p.org_name = $1 or (p.org_name > $1 || '/' and p.org_name < $1 || '0'))");

const SAME: &str = "
    select r.id from repositories p
    join branches b on b.repository_id = p.id
    join records r on r.branch_id = b.id
    where p.name_key = $1 and b.name = $2 and r.language = $3 and r.commit_hash = $4";

impl Writer<'_> {
    /// Checks before an upload whether there is room for it. Data that it will replace does not count.
    ///
    /// # Errors
    ///
    /// [`StoreError::Quota`] if there is no room.
    pub async fn check_quotas(
        self,
        quotas: &Quotas,
        upload: RecordKey<'_>,
    ) -> Result<(), StoreError> {
        if *quotas == Quotas::default() {
            return Ok(());
        }
        let mut connection = self.store.read_pool.acquire().await?;
        let repository = names::as_stored(&mut connection, upload.repository).await?;
        let replaced: Option<i64> = connection.first_value(SAME, [upload]).await?;
        for limit in limits(quotas, &repository) {
            limit.check(&mut connection, replaced, 1).await?;
        }
        Ok(())
    }
}

/// Ends the grace period of replaced HTML reports, oldest first, until the replaced reports and the records of a repository and
/// of its org are within the quotas. Runs in the transaction that publishes a record. Returns the keys of these reports. If the
/// records do not fit, the texts of the repository that no record names any more are removed first.
///
/// # Errors
///
/// [`StoreError::Quota`] if the records alone exceed a quota.
pub(super) async fn make_room(
    connection: &mut AnyConnection,
    quotas: &Quotas,
    (repository_id, repository): (i64, &Repository),
) -> Result<Vec<String>, StoreError> {
    if quotas.org.is_some() {
        hold_sum(connection, topmost(repository)).await?;
    }
    let mut crowded_out = Vec::new();
    for limit in limits(quotas, repository) {
        let stored = match limit.check(connection, None, 0).await {
            Err(StoreError::Quota(_))
                if sources::remove_unnamed(connection, repository_id).await? > 0 =>
            {
                limit.check(connection, None, 0).await?
            }
            stored => stored?,
        };
        limit
            .make_room(connection, stored, &mut crowded_out)
            .await?;
    }
    Ok(crowded_out)
}

/// Locks the org against other transactions that publish an HTML report, until this one ends: otherwise two transactions would
/// not see the reports of each other. Call it after locking the repository's row, because the locked rows differ. SQLite has one
/// writer and needs no lock.
async fn hold_sum(connection: &mut AnyConnection, org: &str) -> Result<(), StoreError> {
    // 16 is this service's lock number for quotas. The function returns `void`, which sqlx cannot read, so the query casts it.
    const LOCK: &str = "select pg_advisory_xact_lock(16, hashtext($1))::text";
    if connection.backend_name() == "SQLite" {
        return Ok(());
    }
    connection.run(LOCK, [org]).await
}

/// The outermost org that contains a repository.
pub fn topmost(repository: &Repository) -> &str {
    let org = repository.org.as_str();
    org.split_once('/').map_or(org, |(topmost, _)| topmost)
}

/// A quota, and the org or repository that it limits.
struct Limit {
    bytes: u64,
    whose: String,
    /// The first parameter of the statements.
    key: String,
    statements: &'static Statements,
    setting: &'static str,
}

fn limits(quotas: &Quotas, repository: &Repository) -> impl Iterator<Item = Limit> {
    let of_repository = quotas.repository.map(|bytes| Limit {
        bytes,
        whose: repository.to_string(),
        key: repository.key(),
        statements: &OF_REPOSITORY,
        setting: "QUOTA_BYTES_PER_REPOSITORY",
    });
    let of_org = quotas.org.map(|bytes| Limit {
        bytes,
        whose: topmost(repository).to_owned(),
        key: topmost(repository).to_owned(),
        statements: &OF_ORG,
        setting: "QUOTA_BYTES_PER_ORG",
    });
    of_repository.into_iter().chain(of_org)
}

impl Limit {
    /// Returns the bytes of all records except `replaced`, if there is room for `more` bytes.
    async fn check(
        &self,
        connection: &mut AnyConnection,
        replaced: Option<i64>,
        more: u64,
    ) -> Result<u64, StoreError> {
        let in_sources = self.statements.in_sources;
        let Unsigned(mut stored) = connection.value(in_sources, [self.key.as_str()]).await?;
        for statement in [self.statements.stored, self.statements.in_database] {
            // No record has the id 0.
            let all_but = (self.key.as_str(), replaced.unwrap_or(0));
            let Unsigned(bytes) = connection.value(statement, all_but).await?;
            stored = stored.saturating_add(bytes);
        }
        if stored.saturating_add(more) > self.bytes {
            return Err(StoreError::Quota(QuotaExceeded {
                whose: self.whose.clone(),
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
        let Statements {
            released, oldest, ..
        } = self.statements;
        let Unsigned(released) = connection.value(released, [&self.key]).await?;
        let mut excess = stored.saturating_add(released).saturating_sub(self.bytes);
        while excess > 0 {
            let oldest: Vec<(String, Unsigned)> =
                connection.all(oldest, (&self.key, CHUNK)).await?;
            if oldest.is_empty() {
                break;
            }
            for (key, Unsigned(bytes)) in oldest {
                if excess == 0 {
                    break;
                }
                orphaned_reports::end_grace(connection, &key).await?;
                excess = excess.saturating_sub(bytes);
                crowded_out.push(key);
            }
        }
        Ok(())
    }
}
