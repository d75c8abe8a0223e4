//! Finds the main branch of a repository: the configured one, otherwise a detected one.

mod rule;

pub(super) use rule::{first_branch, main_branch_id, shown_branch_id};

use super::{Reader, StoreError, Writer, run::Run};
use domain::{BranchName, CommitHash, Repository};
use sqlx::{AnyConnection, FromRow};

const FIND: &str = concat!(
    "update repositories as p set main_branch_id = ",
    main_branch_id!(),
    " where p.id = $1"
);

/// After an upload, only its own branch can replace the previous main branch.
const FIND_AFTER_UPLOAD: &str = concat!(
    "update repositories as p set main_branch_id = ",
    main_branch_id!("and m.id in (p.main_branch_id, $2)"),
    " where p.id = $1 returning main_branch_id"
);

/// The main branch of a repository, and whether it is configured.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct MainBranch {
    /// The branch that the operator has configured.
    #[sqlx(rename = "configured_branch")]
    pub configured: Option<BranchName>,
    /// The branch in use as the main branch; `None` if no record is current.
    #[sqlx(rename = "name")]
    pub branch: Option<BranchName>,
}

impl MainBranch {
    /// Whether `branch` is the main branch, or becomes it with its first upload.
    pub fn is(&self, branch: &BranchName) -> bool {
        [&self.configured, &self.branch]
            .into_iter()
            .any(|main| main.as_ref() == Some(branch))
    }

    /// Whether a job of `branch` may send the list of branches: only the main branch may, if there is one.
    pub fn speaks_for_all(&self, branch: &BranchName) -> bool {
        let main = self.configured.as_ref().or(self.branch.as_ref());
        main.is_none_or(|main| main == branch)
    }
}

const MAIN_BRANCH: &str = "select p.configured_branch, b.name from repositories p
    left join branches b on b.id = p.main_branch_id
    where p.name_key = $1";

const MAIN_BRANCH_OF_ID: &str = "
    select p.configured_branch, b.name from repositories p
    left join branches b on b.id = p.main_branch_id
    where p.id = $1";

const OF_MAIN: &str = "select count(*) from records r
     join repositories p on p.main_branch_id = r.branch_id
     where r.commit_hash = $2 and p.name_key = $1";

impl Reader {
    /// Returns a repository's main branch; `None` if the repository has no uploads.
    pub async fn main_branch(
        &self,
        repository: &Repository,
    ) -> Result<Option<MainBranch>, StoreError> {
        let Some(store) = self.sees(repository) else {
            return Ok(None);
        };
        store.first(MAIN_BRANCH, [repository]).await
    }
}

/// The name of the main branch after an upload to `$1` that adds `$2` records. Only two branches can be the main branch then: the
/// present main branch, and `$1`, which may not exist yet and would get the highest id.
macro_rules! next_main_branch {
    ($where:literal) => {
        concat!(
            "select ",
            first_branch!(
                "name",
                "select m.id, m.name, m.record_count from branches m
                 where m.id = p.main_branch_id and m.name <> $1
                 union all
                 select coalesce(max(m.id), 9223372036854775807), $1, coalesce(max(m.record_count), 0) + $2
                 from branches m where m.repository_id = p.id and m.name = $1"
            ),
            " from repositories p where ",
            $where
        )
    };
}

impl Writer<'_> {
    /// Whether the main branch of a repository has a record of this commit.
    pub async fn is_commit_of_main(
        self,
        repository: &Repository,
        commit: &CommitHash,
    ) -> Result<bool, StoreError> {
        let records: i64 = self.store.value(OF_MAIN, (repository, commit)).await?;
        Ok(records > 0)
    }

    /// Whether a branch is the main branch, or may become it with its next upload.
    pub async fn may_become_main(
        self,
        repository: &Repository,
        branch: &BranchName,
    ) -> Result<bool, StoreError> {
        const NEXT: &str = next_main_branch!("p.name_key = $3");
        let next: Option<String> = self
            .store
            .first_value(NEXT, (branch, 1_i64, repository))
            .await?;
        Ok(next.is_none_or(|next| next == branch.as_str()))
    }
}

pub(super) async fn of_id(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<MainBranch, StoreError> {
    connection.one(MAIN_BRANCH_OF_ID, [repository_id]).await
}

/// Finds and stores the main branch of a repository.
pub(super) async fn find(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<(), StoreError> {
    connection.run(FIND, [repository_id]).await
}

/// Finds and stores the main branch after an upload to `branch_id`, and returns it.
pub(super) async fn find_after_upload(
    connection: &mut AnyConnection,
    repository_id: i64,
    branch_id: i64,
) -> Result<Option<i64>, StoreError> {
    connection
        .value(FIND_AFTER_UPLOAD, (repository_id, branch_id))
        .await
}

/// Whether an upload may change what the main branch of its repository shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MainRight {
    /// The branch contains the commit of the upload, or the sender is trusted.
    Granted,
    /// Not allowed, with the reason for the client.
    Denied(String),
    /// A merge queue tests the commit for the branch, and nothing showed yet that the branch contains it.
    Queued,
}

/// Whether a branch would be the main branch if it had a current record and `added` more records.
pub(super) async fn would_be_main(
    connection: &mut AnyConnection,
    repository_id: i64,
    branch: &BranchName,
    added: i64,
) -> Result<bool, StoreError> {
    const NEXT: &str = next_main_branch!("p.id = $3");
    let next: String = connection
        .value(NEXT, (branch, added, repository_id))
        .await?;
    Ok(next == branch.as_str())
}
