//! Publishes an upload: one transaction that makes its record the current one of its branch and language.

mod earlier;
mod row;

use super::{
    ForgeClaim, MainRight, Quotas, Record, RecordDetails, Store, StoreError,
    audit::{self, AuditChange},
    counts::{self, Counts},
    lines::{self, NewLines},
    main_records,
    names::{self, Moment},
    orphaned_reports, ownership, quota, record_details,
    time::next_moment,
    write::{begin, settle},
};
use crate::store::actor::Actor;
use domain::{
    AuditAction, BranchName, CommitAuthor, CommitHash, Count, Language, Percentage, Repository,
    Timestamp,
};
pub(super) use row::{covered, total};

use earlier::{Earlier, earlier_upload, withheld};
use row::{Row, upsert};
use sqlx::{AnyConnection, Row as _};

/// The content of an upload and of its coverage file.
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
    /// Covered and total lines, if the coverage file counts them.
    pub lines: Option<Count>,
    /// Covered and total branches, if the coverage file counts them.
    pub branches: Option<Count>,
    /// Covered and total functions, if the coverage file counts them.
    pub functions: Option<Count>,
    /// The coverage file's format, as a short lower-case name.
    pub report_format: &'static str,
    /// The other contents of the coverage file.
    pub details: RecordDetails,
    /// The state of every line, if the coverage file has lines.
    pub line_states: Option<NewLines>,
    /// The stored HTML report, if one was uploaded.
    pub report: Option<StoredReport>,
    /// The forge that authorized the upload, if one did.
    pub forge_claim: Option<ForgeClaim>,
    /// Whether it may change what the main branch shows.
    pub main_right: MainRight,
    /// Who uploads it, for the audit log.
    pub by: Actor,
}

/// Where an HTML report is stored, and its first page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredReport {
    /// The key of the stored object.
    pub key: String,
    /// The path of its first page; none if only a listing is possible.
    pub start_page: Option<String>,
    /// The size of the object in bytes; 0 if not recorded.
    pub bytes: u64,
}

/// The result of publishing.
#[derive(Clone, Debug)]
pub struct Published {
    /// The record as it is now.
    pub record: Record,
    /// Whether it is a new record, not the retry of an earlier upload.
    pub is_new: bool,
    /// What happened to the upload.
    pub standing: Standing,
    /// The key of the HTML report that this one replaced: no record points to it, and it is marked for deletion.
    pub replaced_report: Option<String>,
    /// Keys of older replaced HTML reports to remove now, because a quota leaves no room for them.
    pub crowded_out: Vec<String>,
}

/// What happened to an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its record is the current one of its branch and language.
    Current,
    /// Its record is stored, but not current, for this reason.
    Unconfirmed(String),
    /// Nothing changed, because its commit already has a confirmed record. The text is the reason.
    Kept(String),
}

impl Store {
    /// Makes `new` the current record of its branch and language. Its HTML report must have been
    /// [reserved](Self::reserve_report).
    ///
    /// A repeated upload of the same commit (a CI retry) keeps its `id` and `created_at` and gets the new numbers and
    /// HTML report. In both cases the last upload to arrive is the current record. If its branch is the main one, or
    /// becomes it, and `new` has no right to change that, the record is stored unconfirmed: never current, and not in
    /// any trend. A confirmed record of the same commit then stays unchanged.
    ///
    /// # Errors
    ///
    /// [`StoreError::OtherForge`], [`StoreError::OtherIdentity`], or when the database fails. Nothing has changed then.
    pub async fn publish(&self, new: &NewRecord) -> Result<Published, StoreError> {
        self.publish_within(new, &Quotas::default()).await
    }

    /// The same with quotas for HTML reports.
    ///
    /// # Errors
    ///
    /// [`StoreError::Quota`], and those of [`Self::publish`].
    pub async fn publish_within(
        &self,
        new: &NewRecord,
        quotas: &Quotas,
    ) -> Result<Published, StoreError> {
        let mut connection = self.writer.acquire().await?;
        let published = publish(&mut connection, new, quotas).await;
        settle(connection, published).await
    }
}

async fn publish(
    connection: &mut AnyConnection,
    new: &NewRecord,
    quotas: &Quotas,
) -> Result<Published, StoreError> {
    let mut transaction = begin(connection).await?;
    let held = names::hold_or_add(
        &mut transaction,
        &new.repository,
        Moment::After(next_moment()),
    )
    .await?;
    let (repository_id, at) = (held.id, held.last_upload_at);
    ownership::claim(&mut transaction, repository_id, new.forge_claim.as_ref()).await?;
    let branch_id = branch_id(&mut transaction, repository_id, &new.branch).await?;
    let earlier = earlier_upload(&mut transaction, branch_id, new).await?;
    let withheld = withheld(&mut transaction, repository_id, new, earlier.as_ref()).await?;
    let standing = match (withheld, &earlier) {
        (None, _) => Standing::Current,
        (Some(reason), Some(earlier)) if earlier.is_confirmed() => {
            transaction.rollback().await?;
            return Ok(earlier.kept(new, held.repository, reason));
        }
        (Some(reason), _) => Standing::Unconfirmed(reason),
    };
    let is_current = standing == Standing::Current;
    let change = if is_current {
        1 - retire_current(&mut transaction, branch_id, new, at).await?
    } else {
        0
    };
    let added = Counts {
        records: i64::from(earlier.is_none()),
        current: change,
    };
    let place = counts::add(&mut transaction, repository_id, added).await?;
    let row = Row {
        repository_id,
        branch_id,
        at,
        place,
        unconfirmed_at: (!is_current).then_some(at),
    };
    let replaced = earlier.as_ref().and_then(Earlier::report);
    if let Some((record_id, key)) = replaced {
        orphaned_reports::release(&mut transaction, record_id, key, at).await?;
    }
    let (id, created_at) = upsert(&mut transaction, new, row).await?;
    record_details::store(&mut transaction, id, &new.details).await?;
    lines::store(&mut transaction, id, new.line_states.as_ref(), at).await?;
    if let Some(report) = &new.report {
        orphaned_reports::claim(&mut transaction, &report.key).await?;
    }
    if is_current && !earlier.as_ref().is_some_and(Earlier::is_confirmed) {
        count_record(&mut transaction, branch_id).await?;
    }
    if let Some(before) = earlier.as_ref().and_then(Earlier::current_percentage)
        && before != new.percentage
    {
        let change = replaced_percentage(new, &held.repository, id, before);
        audit::write(&mut transaction, &new.by, &change).await?;
    }
    let is_new = earlier.is_none();
    let crowded_out = match new.report {
        Some(_) => quota::make_room(&mut transaction, quotas, &held.repository).await?,
        None => Vec::new(),
    };
    main_records::refresh_after_upload(&mut transaction, repository_id, branch_id).await?;
    transaction.commit().await?;
    let record = Record {
        id,
        repository: held.repository,
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
        is_new,
        standing,
        replaced_report: earlier.and_then(|earlier| earlier.report_key),
        crowded_out,
    })
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

/// Returns the number of retired records: 0 or 1.
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

fn replaced_percentage(
    new: &NewRecord,
    repository: &Repository,
    id: i64,
    before: Percentage,
) -> AuditChange {
    let NewRecord {
        branch,
        language,
        commit,
        ..
    } = new;
    let subject = format!("record {id}: {branch}, {language}, {commit}");
    AuditChange::of(AuditAction::PercentageReplaced, repository, subject)
        .before(format!("{before} %"))
        .after(format!("{} %", new.percentage))
}

/// Counts a confirmed record. Unconfirmed ones are not counted: they must not make their branch the main one.
async fn count_record(connection: &mut AnyConnection, branch_id: i64) -> Result<(), StoreError> {
    sqlx::query("update branches set record_count = record_count + 1 where id = $1")
        .bind(branch_id)
        .execute(&mut *connection)
        .await?;
    Ok(())
}
