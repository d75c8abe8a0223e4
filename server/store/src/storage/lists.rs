//! Lists the HTML reports of each repository, and the pinned reports.

use crate::{Operator, StoreError, Unsigned, run::Run};
use domain::{MAX_LISTED, Pins, Repository, Stored, Timestamp};
use sqlx::FromRow;

/// Sums up branches first, in the order of their index, so that no history needs sorting.
pub(crate) const REPOSITORIES: &str = "
    select p.org_name, p.repo_name,
        cast(sum(s.reports) as bigint) as reports, cast(sum(s.bytes) as bigint) as bytes,
        cast(sum(s.recent_bytes) as bigint) as recent_bytes, min(s.oldest) as oldest
    from (
        select r.branch_id, count(*) as reports, coalesce(sum(r.report_bytes), 0) as bytes,
            coalesce(sum(r.report_bytes) filter (where r.updated_at > $1), 0) as recent_bytes,
            min(r.updated_at) as oldest
        from records r where r.report_key is not null
        group by r.branch_id
    ) s
        join branches b on b.id = s.branch_id
        join repositories p on p.id = b.repository_id
    group by p.id, p.org_name, p.repo_name";

pub(crate) const IN_DATABASE: &str = "
    select p.org_name, p.repo_name, s.bytes from (
        select r.repository_id, cast(sum(r.database_bytes) as bigint) as bytes
        from records r where r.database_bytes > 0 group by r.repository_id
    ) s
        join repositories p on p.id = s.repository_id";

const IN_SOURCES: &str = "
    select p.org_name, p.repo_name, s.bytes from (
        select t.repository_id, cast(sum(t.bytes) as bigint) as bytes from source_texts t group by t.repository_id
    ) s
        join repositories p on p.id = s.repository_id";

const PINNED_SUM: &str = "
    select count(*) as reports, cast(coalesce(sum(r.report_bytes), 0) as bigint) as bytes
    from records r where r.pinned_at is not null and r.report_key is not null";

pub(crate) const PINNED: &str = "
    select r.id as record_id, p.org_name, p.repo_name, b.name as branch, r.language, r.commit_hash,
        coalesce(r.report_bytes, 0) as bytes, r.pinned_at
    from records r
        join branches b on b.id = r.branch_id
        join repositories p on p.id = r.repository_id
    where r.pinned_at is not null and r.report_key is not null
    order by r.pinned_at desc, r.id desc limit $1";

/// The HTML reports of a repository.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct RepositoryUse {
    /// The repository.
    #[sqlx(flatten)]
    pub repository: Repository,
    /// The reports.
    #[sqlx(flatten)]
    pub stored: Stored,
    /// The bytes of recent reports.
    #[sqlx(try_from = "Unsigned")]
    pub recent_bytes: u64,
    /// The time of the oldest upload.
    pub oldest: Timestamp,
}

#[derive(FromRow)]
struct DatabaseRow {
    #[sqlx(flatten)]
    repository: Repository,
    bytes: Unsigned,
}

impl Operator<'_> {
    /// Returns all repositories with HTML reports, unsorted. Reports uploaded after `since` are recent.
    pub async fn repository_storage(
        self,
        since: Timestamp,
    ) -> Result<Vec<RepositoryUse>, StoreError> {
        self.store.all(REPOSITORIES, [since.0]).await
    }

    /// Returns the bytes of the lines, lists of files and changes, and those of the source text, of each repository, unsorted.
    pub async fn bytes_in_database(self) -> Result<Vec<(Repository, u64)>, StoreError> {
        let mut rows: Vec<DatabaseRow> = self.store.all(IN_DATABASE, ()).await?;
        rows.extend(self.store.all::<DatabaseRow>(IN_SOURCES, ()).await?);
        let rows = rows.into_iter();
        Ok(rows.map(|row| (row.repository, row.bytes.0)).collect())
    }

    /// Returns the pinned HTML reports.
    pub async fn pins(self) -> Result<Pins, StoreError> {
        let all = self.store.one(PINNED_SUM, ()).await?;
        let most = Unsigned::from(MAX_LISTED);
        let newest = self.store.all(PINNED, [most]).await?;
        Ok(Pins { all, newest })
    }
}
