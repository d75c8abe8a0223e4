//! The main branch that an operator configures.

use super::{
    Operator, StoreError,
    actor::Actor,
    audit::{self, AuditChange},
    main_records,
    write::{begin, settle},
};
use domain::{AuditAction, BranchName, Repository};
use sqlx::AnyConnection;

impl Operator<'_> {
    /// Makes `branch` the main branch of a repository; `None` returns to detecting it. Returns false if the repository has no
    /// uploads.
    ///
    /// # Errors
    ///
    /// If the database fails. Nothing has changed then.
    pub async fn configure_main_branch(
        self,
        repository: &Repository,
        branch: Option<&BranchName>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        let mut connection = self.store.write_pool.acquire().await?;
        let configured = configure(&mut connection, repository, branch, by).await;
        settle(connection, configured).await
    }
}

async fn configure(
    connection: &mut AnyConnection,
    repository: &Repository,
    branch: Option<&BranchName>,
    by: &Actor,
) -> Result<bool, StoreError> {
    // Updates the row first, as every writer does. So it waits for other writers of this setting.
    const BEFORE: &str = "
        update repositories set configured_branch = configured_branch
        where id = (select k.id from repositories k where k.name_key = $1)
        returning id, configured_branch, org_name, repo_name";
    const CONFIGURE: &str = "update repositories set configured_branch = $2 where id = $1";
    let mut transaction = begin(connection).await?;
    let before: Option<(i64, Option<String>, String, String)> = sqlx::query_as(BEFORE)
        .bind(repository.key())
        .fetch_optional(&mut *transaction)
        .await?;
    let Some((id, before, org, repo)) = before else {
        return Ok(false);
    };
    let stored = Repository {
        org: org.try_into()?,
        repo: repo.try_into()?,
    };
    sqlx::query(CONFIGURE)
        .bind(id)
        .bind(branch.map(BranchName::as_str))
        .execute(&mut *transaction)
        .await?;
    main_records::refresh(&mut transaction, id).await?;
    let guessed = || "guessed".to_owned();
    let change = AuditChange::of(AuditAction::MainBranchSet, &stored, "main branch")
        .before(before.unwrap_or_else(guessed))
        .after(branch.map_or_else(guessed, ToString::to_string));
    audit::write(&mut transaction, by, &change).await?;
    transaction.commit().await?;
    Ok(true)
}
