//! The key of the records of one branch in one language.

use crate::{
    StoreError,
    holding::{self, Held, Moment},
    names,
    run::{Parameter, Run},
    time::next_moment,
};
use domain::{BranchName, CommitHash, Language};
use sqlx::{AnyConnection, FromRow, any::AnyArguments};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Series<'a> {
    pub(crate) branch_id: i64,
    pub(crate) language: &'a str,
}

impl Parameter for Series<'_> {
    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), sqlx::Error> {
        self.branch_id.add_to(arguments)?;
        self.language.add_to(arguments)
    }
}

/// The names of a stored record within its repository, and the ids of its repository and branch.
#[derive(FromRow)]
pub(crate) struct StoredKey {
    repository_id: i64,
    branch_id: i64,
    #[sqlx(rename = "branch_name")]
    pub(crate) branch: BranchName,
    pub(crate) language: Language,
    #[sqlx(rename = "commit_hash")]
    pub(crate) commit: CommitHash,
}

impl StoredKey {
    pub(crate) fn series(&self) -> Series<'_> {
        Series {
            branch_id: self.branch_id,
            language: self.language.as_str(),
        }
    }

    pub(crate) async fn of_record(
        connection: &mut AnyConnection,
        record_id: i64,
    ) -> Result<Option<Self>, StoreError> {
        const KEY: &str = "
            select r.repository_id, r.branch_id, b.name as branch_name, r.language, r.commit_hash from records r
            join branches b on b.id = r.branch_id
            where r.id = $1";
        connection.first(KEY, [record_id]).await
    }

    /// Locks the repository of a record against other writers; `None` if the record does not exist.
    pub(crate) async fn hold(
        connection: &mut AnyConnection,
        record_id: i64,
    ) -> Result<Option<(Held, Self)>, StoreError> {
        let Some(repository) = names::of_record(connection, record_id).await? else {
            return Ok(None);
        };
        let moment = Moment::After(next_moment());
        let Some(held) = holding::hold(connection, &repository, moment).await? else {
            return Ok(None);
        };
        let key = Self::of_record(connection, record_id).await?;
        let key = key.filter(|key| key.repository_id == held.id);
        Ok(key.map(|key| (held, key)))
    }
}
