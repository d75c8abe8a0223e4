//! A coverage record as the database stores and lists it.

use super::{
    Reader, StoreError, Writer,
    run::{Run, answered},
    sql::Sql,
};
use domain::{
    BranchName, CommitAuthor, CommitHash, Language, Percentage, RecordRef, Repository, Timestamp,
};
use sqlx::FromRow;

/// The result of one upload: the ten fields of the API.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Record {
    /// The id, never reused.
    pub id: i64,
    /// The repository.
    #[sqlx(flatten)]
    pub repository: Repository,
    /// The branch.
    #[sqlx(rename = "branch_name")]
    pub branch: BranchName,
    /// The measured commit.
    #[sqlx(rename = "commit_hash")]
    pub commit: CommitHash,
    /// The author of the commit.
    #[sqlx(rename = "commit_author")]
    pub author: CommitAuthor,
    /// The language.
    pub language: Language,
    /// Total line coverage.
    #[sqlx(rename = "percentage_basis_points")]
    pub percentage: Percentage,
    /// The time of the first upload.
    pub created_at: Timestamp,
    /// The time of the last upload.
    pub updated_at: Timestamp,
}

/// The columns of a [`Record`]: of the record `r` on the branch `b` of the repository `p`.
macro_rules! record_columns {
    () => {
        "select r.id, p.org_name, p.repo_name, b.name as branch_name, r.commit_hash, r.commit_author, r.language,
                r.percentage_basis_points, r.created_at, r.updated_at "
    };
}

/// The columns of a [`domain::ListedRecord`] for the record `r`, with its change since the previous record.
macro_rules! listed_columns {
    ($change:expr) => {
        concat!(
            "r.id as record_id, r.language, r.commit_hash, r.commit_author, r.percentage_basis_points as percentage,
             r.lines_covered, r.lines_total, r.updated_at, case when r.report_key is null then 0 else 1 end as has_report, ",
            $change,
            " as change"
        )
    };
}

pub(super) use {listed_columns, record_columns};

pub(super) const CURRENT_RECORDS: &str = concat!(
    record_columns!(),
    "from repositories p
    join records r on r.repository_id = p.id and r.superseded_at is null
    join branches b on b.id = r.branch_id
    where p.name_key = $1 order by r.updated_at desc, r.id desc"
);

impl Writer<'_> {
    /// Returns the current record of every branch and language of a repository, the last updated first.
    pub async fn current_records(self, repository: &Repository) -> Result<Vec<Record>, StoreError> {
        self.store.all(CURRENT_RECORDS, [repository]).await
    }
}

const BY_ID: &str = concat!(
    record_columns!(),
    "from records r
    join repositories p on p.id = r.repository_id
    join branches b on b.id = r.branch_id
    where r.id = $1"
);

/// The current records of a branch, the last uploaded first.
pub(super) const CURRENT_OF: &str = concat!(
    record_columns!(),
    "from repositories p
    join branches b on b.repository_id = p.id and b.name = $2
    join records r on r.branch_id = b.id and r.superseded_at is null
    where p.name_key = $1 order by r.updated_at desc, r.id desc"
);

/// The current records of branches, the last uploaded first.
pub(super) fn current_of(repository: &Repository, names: &[BranchName]) -> Sql {
    const NAMED: &str = concat!(
        record_columns!(),
        "from repositories p
        join branches b on b.repository_id = p.id and b.name in ("
    );
    const CURRENT: &str = ")
        join records r on r.branch_id = b.id and r.superseded_at is null
        where p.name_key = ";
    let mut sql = Sql::new(NAMED);
    sql.push_list(names.iter().map(|name| name.as_str().to_owned()))
        .push(CURRENT)
        .push_bind(repository.key())
        .push(" order by r.updated_at desc, r.id desc");
    sql
}

impl Reader {
    /// Returns the record with an id, or the current records of a branch: one for each language, the last uploaded first. Empty
    /// if there are none.
    pub async fn records_named(&self, name: &RecordRef) -> Result<Vec<Record>, StoreError> {
        match name {
            RecordRef::Id(id) => match self.sees_record(*id).await? {
                Some(store) => store.all(BY_ID, [*id]).await,
                None => Ok(Vec::new()),
            },
            RecordRef::CurrentOf(repository, branch) => match self.sees(repository) {
                Some(store) => store.all(CURRENT_OF, (repository, branch)).await,
                None => Ok(Vec::new()),
            },
        }
    }

    /// Returns the current records of one of the branches with these names: the one that has the newest record. The last uploaded
    /// comes first. Empty if no branch has one.
    pub async fn records_of_newest(
        &self,
        repository: &Repository,
        names: &[BranchName],
    ) -> Result<Vec<Record>, StoreError> {
        let store = self.sees(repository).filter(|_| !names.is_empty());
        let Some(store) = store else {
            return Ok(Vec::new());
        };
        let records = current_of(repository, names).rows()?;
        let mut records: Vec<Record> = answered(records.fetch_all(&store.read_pool)).await?;
        if let Some(newest) = records.first().map(|record| record.branch.clone()) {
            records.retain(|record| record.branch == newest);
        }
        Ok(records)
    }
}
