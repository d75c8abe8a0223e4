//! Decides whether an upload would change what the main branch shows, and whether it may.

use super::first_branch;
use crate::{StoreError, Writer, run::Run};
use domain::{BranchName, Repository};
use sqlx::AnyConnection;

/// Whether an upload may change what the main branch of its repository shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MainRight {
    /// The branch contains the commit of the upload, or the sender is trusted.
    Granted,
    /// Not allowed, with the reason for the client.
    Denied(String),
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

/// Whether a branch would be the main branch if it had a current record and `added` more records.
pub(crate) async fn would_be_main(
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
