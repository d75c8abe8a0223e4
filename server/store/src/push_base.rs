//! Finds the record that a push to the main branch is compared with, before its upload.

use super::{Reader, StoreError, provisional::is_exact_base, run::Run};
use domain::{BranchName, CommitHash, Language, Repository, Timestamp};
use sqlx::FromRow;

/// A record of the main branch that a job can compare its commit with.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct PushBase {
    /// The id of the record.
    pub id: i64,
    /// The commit of the record.
    #[sqlx(rename = "commit_hash")]
    pub commit: CommitHash,
    /// The tree of the commit, if an upload stated it.
    #[sqlx(rename = "tree_hash")]
    pub tree: Option<String>,
    /// The time of the first upload of the commit.
    pub created_at: Timestamp,
}

/// A push that requests its base.
#[derive(Clone, Copy, Debug)]
pub struct Push<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// The branch.
    pub branch: &'a BranchName,
    /// The measured language.
    pub language: &'a Language,
    /// The measured commit.
    pub commit: &'a CommitHash,
    /// Earlier commits, the best base first.
    pub ancestors: &'a [CommitHash],
}

pub(super) const MAIN: &str = "select b.id from repositories p
     join branches b on b.id = p.main_branch_id
     where b.name = $2 and p.name_key = $1";

macro_rules! row {
    () => {
        "select r.id, r.commit_hash, c.tree_hash, r.created_at from records r
         left join record_changes c on c.record_id = r.id "
    };
}

const OF_ID: &str = concat!(row!(), "where r.id = $1");

pub(super) const OF_COMMIT: &str = concat!(
    row!(),
    "where r.branch_id = $1 and r.language = $2 and r.commit_hash = $3 and ",
    is_exact_base!("r")
);

pub(super) const OWN: &str =
    "select r.id from records r where r.branch_id = $1 and r.language = $2 and r.commit_hash = $3";

/// Places are in the order of first uploads.
pub(super) const NEWEST: &str = concat!(
    row!(),
    "where r.branch_id = $1 and r.language = $2 and r.commit_hash <> $3 and r.unconfirmed_at is null
     order by r.place desc limit 1"
);

impl Reader {
    /// Returns the record that a push to the main branch is compared with. The first that exists: the base that the changes of
    /// its own record start from, so that a retry keeps them; the complete record of its first ancestor that has one, perhaps a
    /// provisional one; the base of its own record; the complete record whose first upload was the latest. `None` for other branches. Never returns a record
    /// of the commit itself.
    pub async fn push_base(&self, push: Push<'_>) -> Result<Option<PushBase>, StoreError> {
        let Some(store) = self.sees(push.repository) else {
            return Ok(None);
        };
        let main: Option<i64> = store
            .first_value(MAIN, (push.repository, push.branch))
            .await?;
        let Some(main) = main else { return Ok(None) };
        let own: Option<i64> = store
            .first_value(OWN, (main, push.language, push.commit))
            .await?;
        let own = match own {
            Some(own) => store.writer().base(own).await?,
            None => None,
        };
        let own = own.filter(|base| base.record.commit != *push.commit);
        if let Some(base) = own.as_ref().filter(|base| base.found_by.is_exact()) {
            return store.first(OF_ID, [base.record.id]).await;
        }
        let others = push.ancestors.iter().filter(|other| *other != push.commit);
        for ancestor in others {
            let found = store
                .first(OF_COMMIT, (main, push.language, ancestor))
                .await?;
            if found.is_some() {
                return Ok(found);
            }
        }
        if let Some(base) = own {
            return store.first(OF_ID, [base.record.id]).await;
        }
        let newest = (main, push.language, push.commit);
        store.first(NEWEST, newest).await
    }
}
