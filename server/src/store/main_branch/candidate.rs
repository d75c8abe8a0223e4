//! Whether an upload would change what the main branch shows, and whether it may.

use crate::store::{Store, StoreError, names::repository_id};
use domain::{BranchName, Repository};
use sqlx::{AnyConnection, FromRow};

/// Whether an upload may change what the main branch of its repository shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MainRight {
    /// Its commit is in its branch, or its sender is trusted.
    Granted,
    /// It may not. The text tells the client why.
    Withheld(String),
}

/// The names that are guessed as the main branch, in order of preference.
const GUESSED: [&str; 4] = ["main", "master", "develop", "trunk"];

/// The main branch and one other branch.
#[derive(Debug, FromRow)]
struct Candidates {
    configured_branch: Option<String>,
    main_id: Option<i64>,
    main_name: Option<String>,
    main_records: Option<i64>,
    branch_id: Option<i64>,
    branch_records: Option<i64>,
}

macro_rules! candidates {
    ($($where:tt)*) => {
        concat!(
            "select p.configured_branch, m.id as main_id, m.name as main_name, m.record_count as main_records,
                    b.id as branch_id, b.record_count as branch_records
             from repositories p
             left join branches m on m.id = p.main_branch_id
             left join branches b on b.repository_id = p.id and b.name = $1
             where ",
            $($where)*
        )
    };
}

impl Store {
    /// Whether a branch is the main one, or its next upload may make it the main one.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn may_become_main(
        &self,
        repository: &Repository,
        branch: &BranchName,
    ) -> Result<bool, StoreError> {
        const CANDIDATES: &str = candidates!("p.id = ", repository_id!("$2", "$3", "$4"));
        let found: Option<Candidates> = sqlx::query_as(CANDIDATES)
            .bind(branch.as_str())
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
            .bind(repository.key())
            .fetch_optional(&self.readers)
            .await?;
        Ok(found.is_none_or(|candidates| candidates.is_main_with(branch, 1)))
    }
}

/// Whether a branch is the main one with a current record and `added` more records.
pub(in crate::store) async fn would_be_main(
    connection: &mut AnyConnection,
    repository_id: i64,
    branch: &BranchName,
    added: i64,
) -> Result<bool, StoreError> {
    const CANDIDATES: &str = candidates!("p.id = $2");
    let candidates: Candidates = sqlx::query_as(CANDIDATES)
        .bind(branch.as_str())
        .bind(repository_id)
        .fetch_one(&mut *connection)
        .await?;
    Ok(candidates.is_main_with(branch, added))
}

impl Candidates {
    /// The rule of [`main_branch_id`](super), for the only two branches that can be the main one after an upload.
    fn is_main_with(&self, branch: &BranchName, added: i64) -> bool {
        let Some(main) = &self.main_name else {
            return true;
        };
        if main == branch.as_str() {
            return true;
        }
        let rank = |name: &str, records: Option<i64>, id: Option<i64>| {
            let is_configured = self.configured_branch.as_deref() == Some(name);
            let guess = GUESSED.iter().position(|guess| *guess == name);
            let place = guess.map_or(GUESSED.len(), |place| place);
            // A branch without an id will get the highest one.
            let (records, id) = (records.unwrap_or(0), id.unwrap_or(i64::MAX));
            (!is_configured, place, -records, id)
        };
        let records = self.branch_records.unwrap_or(0) + added;
        rank(branch.as_str(), Some(records), self.branch_id)
            < rank(main, self.main_records, self.main_id)
    }
}
