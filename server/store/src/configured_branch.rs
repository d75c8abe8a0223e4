//! The main branch that an operator configures.

use super::{
    Operator, StoreError,
    actor::Actor,
    audit::{self, AuditChange},
    main_records,
    run::Run,
};
use domain::{AuditAction, BranchName, OrgName, RepoName, Repository};

impl Operator<'_> {
    /// Makes `branch` the main branch of a repository; `None` returns to detecting it. Returns false if the repository has no
    /// uploads.
    pub async fn configure_main_branch(
        self,
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
        let mut transaction = self.store.begin().await?;
        let before: Option<(i64, Option<String>, OrgName, RepoName)> =
            transaction.first(BEFORE, [repository]).await?;
        let Some((id, before, org, repo)) = before else {
            return transaction.unchanged(false).await;
        };
        let stored = Repository { org, repo };
        transaction.run(CONFIGURE, (id, branch)).await?;
        main_records::refresh(&mut transaction, id).await?;
        let guessed = || "guessed".to_owned();
        let change = AuditChange::of(AuditAction::MainBranchSet, &stored, "main branch")
            .before(before.unwrap_or_else(guessed))
            .after(branch.map_or_else(guessed, ToString::to_string));
        audit::write(&mut transaction, by, &change).await?;
        transaction.commit().await?;
        Ok(true)
    }
}
