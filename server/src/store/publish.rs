//! Publishing an upload: one transaction that makes its record the current one of its branch and language.

use super::{
    Record, RecordDetails, Store, StoreError, Vouching, ahead,
    counts::{self, Counts},
    loose_reports, main_records, record_details,
    time::next_moment,
    vouching,
    write::{begin, settle},
};
use app::domain::{
    BranchName, CommitAuthor, CommitHash, Count, Language, Percentage, Repository, Timestamp,
};
use sqlx::{AnyConnection, Row};

/// What an upload says, and what its report says.
#[derive(Clone, Debug)]
pub struct NewRecord {
    /// The repository.
    pub repository: Repository,
    /// The branch.
    pub branch: BranchName,
    /// The commit that was measured.
    pub commit: CommitHash,
    /// Who made the commit.
    pub author: CommitAuthor,
    /// The language.
    pub language: Language,
    /// Total line coverage.
    pub percentage: Percentage,
    /// Covered and total lines, where the report counts them.
    pub lines: Option<Count>,
    /// Covered and total branches, where the report counts them.
    pub branches: Option<Count>,
    /// Covered and total functions, where the report counts them.
    pub functions: Option<Count>,
    /// The report's format, as a short lower-case name.
    pub report_format: &'static str,
    /// What else the report says.
    pub details: RecordDetails,
    /// The stored HTML, if any was uploaded.
    pub report: Option<StoredReport>,
    /// The source-hosting service that vouches for the repository, if one does.
    pub vouching: Option<Vouching>,
}

/// Where a stored report is, and where to begin reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredReport {
    /// The key of the stored object.
    pub key: String,
    /// The path of its first page; none where only a listing will do.
    pub start_page: Option<String>,
}

/// What publishing did.
#[derive(Clone, Debug)]
pub struct Published {
    /// The record as it now is.
    pub record: Record,
    /// Whether it is a new record, not the retry of an earlier upload.
    pub is_new: bool,
    /// The key of the report that this one replaced: nothing points to it any more, and it is doomed.
    pub replaced_report: Option<String>,
}

impl Store {
    /// Makes `new` the current record of its branch and language. Its report must have been
    /// [announced](Self::announce_report).
    ///
    /// The same commit again (a CI retry) keeps its `id` and `created_at` and takes the new numbers and report. In both
    /// cases the last upload to arrive is the current record.
    ///
    /// # Errors
    ///
    /// [`StoreError::OtherForge`], or when the database fails; nothing has changed then.
    pub async fn publish(&self, new: &NewRecord) -> Result<Published, StoreError> {
        let mut connection = self.writer.acquire().await?;
        let published = publish(&mut connection, new).await;
        settle(connection, published).await
    }
}

async fn publish(connection: &mut AnyConnection, new: &NewRecord) -> Result<Published, StoreError> {
    let mut transaction = begin(connection).await?;
    let (repository_id, at) = repository(&mut transaction, &new.repository).await?;
    vouching::claim(&mut transaction, repository_id, new.vouching.as_ref()).await?;
    let branch_id = branch_id(&mut transaction, repository_id, &new.branch).await?;
    let retired = retire_current(&mut transaction, branch_id, new, at).await?;
    let earlier = earlier_upload(&mut transaction, branch_id, new).await?;
    let added = Counts {
        records: i64::from(earlier.is_none()),
        current: 1 - retired,
    };
    let place = counts::add(&mut transaction, repository_id, added).await?;
    let (id, created_at) =
        upsert(&mut transaction, repository_id, branch_id, new, at, place).await?;
    record_details::store(&mut transaction, id, &new.details).await?;
    if let Some(report) = &new.report {
        loose_reports::claim(&mut transaction, &report.key).await?;
    }
    match &earlier {
        Some(Some(replaced)) => loose_reports::doom(&mut transaction, replaced, at).await?,
        Some(None) => {}
        None => count_record(&mut transaction, branch_id).await?,
    }
    main_records::refresh_after_upload(&mut transaction, repository_id, branch_id).await?;
    transaction.commit().await?;
    let record = Record {
        id,
        repository: new.repository.clone(),
        branch: new.branch.clone(),
        commit: new.commit.clone(),
        author: new.author.clone(),
        language: new.language.clone(),
        percentage: new.percentage,
        created_at,
        updated_at: at,
    };
    Ok(Published {
        record,
        is_new: earlier.is_none(),
        replaced_report: earlier.flatten(),
    })
}

/// The id of the repository and the moment of this upload: now, but later than every other one to it, as another service,
/// whose clock is a little ahead of this one's, may have written the last.
async fn repository(
    connection: &mut AnyConnection,
    repository: &Repository,
) -> Result<(i64, Timestamp), StoreError> {
    const UPSERT: &str = "
        insert into repositories (org_name, repo_name, created_at, last_upload_at) values ($1, $2, $3, $3)
        on conflict (org_name, repo_name) do update set last_upload_at =
            case when excluded.last_upload_at > repositories.last_upload_at then excluded.last_upload_at
                 else repositories.last_upload_at + 1 end
        returning id, last_upload_at";
    let now = next_moment();
    let row = sqlx::query(UPSERT)
        .bind(repository.org.as_str())
        .bind(repository.repo.as_str())
        .bind(now.0)
        .fetch_one(&mut *connection)
        .await?;
    let (id, following) = (
        row.try_get("id")?,
        Timestamp(row.try_get("last_upload_at")?),
    );
    Ok((id, ahead::settle(connection, id, following, now).await?))
}

pub(super) async fn branch_id(
    connection: &mut AnyConnection,
    repository_id: i64,
    branch: &BranchName,
) -> Result<i64, StoreError> {
    const UPSERT: &str = "
        insert into branches (repository_id, name) values ($1, $2)
        on conflict (repository_id, name) do update set name = excluded.name
        returning id";
    let row = sqlx::query(UPSERT)
        .bind(repository_id)
        .bind(branch.as_str())
        .fetch_one(&mut *connection)
        .await?;
    Ok(row.try_get("id")?)
}

/// How many were current: one at most.
async fn retire_current(
    connection: &mut AnyConnection,
    branch_id: i64,
    new: &NewRecord,
    at: Timestamp,
) -> Result<i64, StoreError> {
    const RETIRE: &str = "
        update records set superseded_at = $1
        where branch_id = $2 and language = $3 and superseded_at is null";
    let retired = sqlx::query(RETIRE)
        .bind(at.0)
        .bind(branch_id)
        .bind(new.language.as_str())
        .execute(&mut *connection)
        .await?;
    Ok(i64::from(retired.rows_affected() > 0))
}

/// The report key of an earlier upload of the same commit; `Some(None)` where that one had no HTML.
async fn earlier_upload(
    connection: &mut AnyConnection,
    branch_id: i64,
    new: &NewRecord,
) -> Result<Option<Option<String>>, StoreError> {
    const EARLIER: &str = "
        select report_key from records
        where branch_id = $1 and language = $2 and commit_hash = $3";
    let row = sqlx::query(EARLIER)
        .bind(branch_id)
        .bind(new.language.as_str())
        .bind(new.commit.as_str())
        .fetch_optional(&mut *connection)
        .await?;
    Ok(row.map(|row| row.try_get("report_key")).transpose()?)
}

async fn upsert(
    connection: &mut AnyConnection,
    repository_id: i64,
    branch_id: i64,
    new: &NewRecord,
    at: Timestamp,
    place: i64,
) -> Result<(i64, Timestamp), StoreError> {
    const UPSERT: &str = "
        insert into records (
            repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points,
            lines_covered, lines_total, branches_covered, branches_total, functions_covered, functions_total,
            report_format, report_key, report_start_page, created_at, updated_at, place
        ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
        on conflict (branch_id, language, commit_hash) do update set
            commit_author = excluded.commit_author,
            percentage_basis_points = excluded.percentage_basis_points,
            lines_covered = excluded.lines_covered,
            lines_total = excluded.lines_total,
            branches_covered = excluded.branches_covered,
            branches_total = excluded.branches_total,
            functions_covered = excluded.functions_covered,
            functions_total = excluded.functions_total,
            report_format = excluded.report_format,
            report_key = excluded.report_key,
            report_start_page = excluded.report_start_page,
            report_removed_at = null,
            updated_at = excluded.updated_at,
            superseded_at = null
        returning id, created_at";
    let row = sqlx::query(UPSERT)
        .bind(repository_id)
        .bind(branch_id)
        .bind(new.language.as_str())
        .bind(new.commit.as_str())
        .bind(new.author.as_str())
        .bind(i64::from(new.percentage.basis_points()))
        .bind(covered(new.lines))
        .bind(total(new.lines))
        .bind(covered(new.branches))
        .bind(total(new.branches))
        .bind(covered(new.functions))
        .bind(total(new.functions))
        .bind(new.report_format)
        .bind(new.report.as_ref().map(|report| report.key.as_str()))
        .bind(
            new.report
                .as_ref()
                .and_then(|report| report.start_page.as_deref()),
        )
        .bind(at.0)
        .bind(at.0)
        .bind(place)
        .fetch_one(&mut *connection)
        .await?;
    Ok((row.try_get("id")?, Timestamp(row.try_get("created_at")?)))
}

async fn count_record(connection: &mut AnyConnection, branch_id: i64) -> Result<(), StoreError> {
    sqlx::query("update branches set record_count = record_count + 1 where id = $1")
        .bind(branch_id)
        .execute(&mut *connection)
        .await?;
    Ok(())
}

pub(super) fn covered(count: Option<Count>) -> Option<i64> {
    count.map(|count| i64::try_from(count.covered).unwrap_or(i64::MAX))
}

pub(super) fn total(count: Option<Count>) -> Option<i64> {
    count.map(|count| i64::try_from(count.total).unwrap_or(i64::MAX))
}
