//! Removes the name of a repository, then gives it another name, or moves its records to the repository with that name.

use super::{HowNamesChange, Moved, NameChangeError, merge};
use crate::{
    StoreError,
    counts::{self, Counts},
    main_days,
    names::below,
    run::Run,
};
use domain::{OrgName, Repository};
use sqlx::{AnyConnection, FromRow};

/// A repository without a name, and its old name.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Detached {
    id: i64,
    #[sqlx(flatten)]
    pub(super) repository: Repository,
    #[sqlx(flatten)]
    counts: Counts,
    created_at: i64,
}

/// Locks and reads the rows of repositories: other writers wait.
macro_rules! held {
    ($which:literal) => {
        concat!(
            "update repositories set last_upload_at = last_upload_at where ",
            $which,
            " returning id, org_name, repo_name, record_count, current_count, created_at"
        )
    };
}

const HOLD: &str = held!("org_name = $1 and repo_name = $2");
const HOLD_ORG: &str = held!("org_name = $1 or (org_name > $2 and org_name < $3)");

/// Locks a repository against other writers. Rows of orgs are changed only after rows of repositories, as in uploads.
pub(super) async fn hold(
    connection: &mut AnyConnection,
    repository: &Repository,
) -> Result<Option<Detached>, StoreError> {
    connection
        .first(HOLD, (&repository.org, &repository.repo))
        .await
}

/// Like `hold`, but for all repositories of an org, the oldest first.
pub(super) async fn hold_org(
    connection: &mut AnyConnection,
    org: &OrgName,
) -> Result<Vec<Detached>, StoreError> {
    let [begin, end] = below(org.as_str());
    let mut held: Vec<Detached> = connection.all(HOLD_ORG, (org, begin, end)).await?;
    held.sort_by_key(|one| (one.created_at, one.id));
    Ok(held)
}

/// Removes the name of a locked repository.
pub(super) async fn detach(
    connection: &mut AnyConnection,
    held: &Detached,
) -> Result<(), StoreError> {
    // No org name starts with `/`, so the temporary name does not collide.
    const DETACH: &str = "update repositories set org_name = '/' || id where id = $1";
    connection.run(DETACH, [held.id]).await
}

/// Gives a repository its new name, or moves its records to the repository that has that name.
pub(super) async fn attach(
    connection: &mut AnyConnection,
    detached: &Detached,
    to: &Repository,
    how: HowNamesChange,
) -> Result<Moved, NameChangeError> {
    let taken = hold(connection, to).await?;
    let fewer = Counts {
        records: -detached.counts.records,
        current: -detached.counts.current,
    };
    counts::add_to_named_org(connection, detached.repository.org.as_str(), fewer).await?;
    let merged = match (taken, how) {
        (Some(_), HowNamesChange::Rename) => return Err(NameChangeError::Taken(to.clone())),
        (Some(target), HowNamesChange::Merge) => {
            Some(merge::merge(connection, detached.id, target.id).await?)
        }
        (None, _) => {
            name(connection, detached, to).await?;
            None
        }
    };
    Ok(Moved {
        from: detached.repository.clone(),
        to: to.clone(),
        merged,
    })
}

async fn name(
    connection: &mut AnyConnection,
    detached: &Detached,
    to: &Repository,
) -> Result<(), StoreError> {
    const NAME: &str = "update repositories set org_name = $2, repo_name = $3 where id = $1";
    const SUMMARY: &str =
        "update main_records set org_name = $2, repo_name = $3 where repository_id = $1";
    connection
        .run(NAME, (detached.id, &to.org, &to.repo))
        .await?;
    connection
        .run(SUMMARY, (detached.id, &to.org, &to.repo))
        .await?;
    counts::add_to_named_org(connection, to.org.as_str(), detached.counts).await?;
    main_days::rename(connection, detached.id, to).await
}

impl Detached {
    /// The rest of its org's name after `org`: empty, or `/` and the name of the subgroup.
    pub(super) fn org_below(&self, org: &OrgName) -> &str {
        let own = self.repository.org.as_str();
        own.get(org.as_str().len()..).unwrap_or_default()
    }
}
