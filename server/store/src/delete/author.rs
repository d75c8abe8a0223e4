//! Replaces the name of an author in all records.

use crate::{
    Operator, StoreError, Unsigned,
    actor::Actor,
    audit::{self, AuditChange},
    holding,
    run::Run,
};
use domain::{AuditAction, CommitAuthor};

impl Operator<'_> {
    /// Returns the number of records that name an author.
    pub async fn records_by(self, author: &CommitAuthor) -> Result<u64, StoreError> {
        const COUNT: &str = "select count(*) from records r where r.commit_author = $1";
        let Unsigned(count) = self.store.value(COUNT, [author]).await?;
        Ok(count)
    }

    /// Replaces the name of an author in all records and returns their number. The audit log does not keep the old name: removing
    /// it is the purpose.
    pub async fn replace_author(
        self,
        author: &CommitAuthor,
        name: &CommitAuthor,
        by: &Actor,
    ) -> Result<u64, StoreError> {
        /// An update without effect locks the repositories against other writers.
        const LOCK: &str = "
            update repositories set last_upload_at = last_upload_at
            where id in (select r.repository_id from records r where r.commit_author = $1)";
        const REPLACE: &str = "update records set commit_author = $2 where commit_author = $1";
        let mut transaction = self.store.begin().await?;
        holding::lock_all(&mut transaction).await?;
        transaction.run(LOCK, [author]).await?;
        let replaced = transaction.changed(REPLACE, (author, name)).await?;
        if replaced > 0 {
            let change = AuditChange::of_all(AuditAction::AuthorReplaced, "commit author")
                .before(format!("a removed name, in {replaced} records"))
                .after(name.as_str());
            audit::write(&mut transaction, by, &change).await?;
        }
        transaction.commit().await?;
        Ok(replaced)
    }
}
