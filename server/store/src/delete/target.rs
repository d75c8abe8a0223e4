//! Finds the records to delete, and a description of them for people.

use super::Deletion;
use crate::{StoreError, Unsigned, run::Run};
use domain::{AuditAction, Deletable, Percentage, Repository};
use sqlx::{AnyConnection, FromRow};

/// The column that selects the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Record,
    Branch,
    Repository,
}

macro_rules! of_target {
    ($target:expr, $before:literal, $after:literal) => {
        match $target.kind {
            Kind::Record => concat!($before, "r.id = $1", $after),
            Kind::Branch => concat!($before, "r.branch_id = $1", $after),
            Kind::Repository => concat!($before, "r.repository_id = $1", $after),
        }
    };
}

pub(super) use of_target;

/// Records to delete.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) repository_id: i64,
    pub(super) repository: Repository,
    pub(super) kind: Kind,
    /// The value of the column that the kind stands for.
    pub(super) key: i64,
    pub(super) action: AuditAction,
    /// The branch and language, if the target is their current record.
    pub(super) current_of: Option<(i64, String)>,
    /// The percentage, if the target is one record.
    percentage: Option<Percentage>,
    subject: String,
}

#[derive(FromRow)]
struct FoundRow {
    repository_id: i64,
    #[sqlx(flatten)]
    repository: Repository,
    key: i64,
}

#[derive(FromRow)]
struct RecordRow {
    repository_id: i64,
    #[sqlx(flatten)]
    repository: Repository,
    branch_id: i64,
    branch_name: String,
    language: String,
    commit_hash: String,
    #[sqlx(rename = "percentage_basis_points")]
    percentage: Percentage,
    superseded_at: Option<i64>,
}

impl Target {
    /// Finds the target; `None` if it does not exist.
    pub(super) async fn find(
        connection: &mut AnyConnection,
        what: &Deletion,
    ) -> Result<Option<Self>, StoreError> {
        const BRANCH: &str = "
            select p.id as repository_id, p.org_name, p.repo_name, b.id as key from repositories p
             join branches b on b.repository_id = p.id and b.name = $2
             where p.name_key = $1";
        const REPOSITORY: &str = "
            select p.id as repository_id, p.org_name, p.repo_name, p.id as key from repositories p
            where p.name_key = $1";
        let (found, kind, action, subject): (Option<FoundRow>, _, _, _) = match what {
            Deletion::Record(id) => return Self::record(connection, *id).await,
            Deletion::Branch(repository, branch) => (
                connection.first(BRANCH, (repository, branch)).await?,
                Kind::Branch,
                AuditAction::BranchDeleted,
                format!("branch {branch}"),
            ),
            Deletion::Repository(repository) => (
                connection.first(REPOSITORY, [repository]).await?,
                Kind::Repository,
                AuditAction::RepositoryDeleted,
                "repository".to_owned(),
            ),
        };
        Ok(found.map(|found| Self {
            repository_id: found.repository_id,
            repository: found.repository,
            kind,
            key: found.key,
            action,
            current_of: None,
            percentage: None,
            subject,
        }))
    }

    async fn record(connection: &mut AnyConnection, id: i64) -> Result<Option<Self>, StoreError> {
        const RECORD: &str = "
            select r.repository_id, p.org_name, p.repo_name, r.branch_id, b.name as branch_name, r.language,
                   r.commit_hash, r.percentage_basis_points, r.superseded_at
            from records r
            join repositories p on p.id = r.repository_id
            join branches b on b.id = r.branch_id
            where r.id = $1";
        let row: Option<RecordRow> = connection.first(RECORD, [id]).await?;
        let Some(row) = row else { return Ok(None) };
        let subject = format!(
            "record {id}: {}, {}, {}",
            row.branch_name, row.language, row.commit_hash
        );
        let is_current = row.superseded_at.is_none();
        Ok(Some(Self {
            repository_id: row.repository_id,
            repository: row.repository,
            kind: Kind::Record,
            key: id,
            action: AuditAction::RecordDeleted,
            percentage: Some(row.percentage),
            current_of: is_current.then_some((row.branch_id, row.language)),
            subject,
        }))
    }

    /// The old value for the audit log.
    pub(super) fn before(&self, counted: &Deletable) -> String {
        match self.percentage {
            Some(percentage) => format!("{percentage} %"),
            None => format!(
                "{} records, {} with an HTML report",
                counted.records, counted.reports
            ),
        }
    }

    pub(super) async fn counted(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<Deletable, StoreError> {
        let count = of_target!(
            self,
            "select count(*), count(r.report_key) from records r where ",
            ""
        );
        let (Unsigned(records), Unsigned(reports)) = connection.one(count, [self.key]).await?;
        Ok(Deletable {
            repository: self.repository.clone(),
            subject: self.subject.clone(),
            records,
            reports,
        })
    }
}
