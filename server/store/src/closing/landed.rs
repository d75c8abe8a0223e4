//! Makes provisional records the records of their branch, once the branch contains their commits.

use super::put;
use crate::{
    StoreError, Writer,
    holding::{self, Moment},
    notifications,
    parts::{Completion, elsewhere, of_record},
    provisional,
    run::Run,
    standing::{Claim, Series, Trust, branch_id, earlier_upload},
    time::{next_moment, now},
};
use domain::{BranchName, CommitHash, Repository, Timestamp};
use sqlx::{AnyConnection, FromRow};
use std::time::Duration;

/// The provisional records of a commit.
pub(crate) const OF_COMMIT: &str = "
    select r.id, r.language from records r
    join provisional_records v on v.record_id = r.id
    where r.branch_id = $1 and r.commit_hash = $2
    order by r.id";

/// The commits that were uploaded last, one row for each.
pub(crate) const WAITING: &str = "
    select b.name as branch, r.commit_hash from provisional_records v
    join records r on r.id = v.record_id
    join branches b on b.id = r.branch_id
    where v.repository_id = $1 and r.created_at > $2
    group by b.name, r.commit_hash
    order by max(v.record_id) desc limit 10";

const ASK: &str = "
    update repositories set queue_asked_at = $2
    where name_key = $1 and coalesce(queue_asked_at, 0) <= $3
      and exists (select 1 from provisional_records v where v.repository_id = repositories.id)
    returning id";

const DAY: i64 = 24 * 3_600 * 1_000_000;

/// A commit that a merge queue tests for a branch.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct QueuedCommit {
    /// The branch that perhaps contains it.
    pub branch: BranchName,
    /// The commit.
    #[sqlx(rename = "commit_hash")]
    pub commit: CommitHash,
}

impl Writer<'_> {
    /// Returns the commits about which a forge is asked now: the newest ones of the last day. None within `pause` after the last
    /// time.
    pub async fn queued_commits(
        self,
        repository: &Repository,
        pause: Duration,
    ) -> Result<Vec<QueuedCommit>, StoreError> {
        const HAS_SOME: &str = "
            select 1 from repositories p
            join provisional_records v on v.repository_id = p.id
            where p.name_key = $1 limit 1";
        let some: Option<i64> = self.store.first_value(HAS_SOME, [repository]).await?;
        if some.is_none() {
            return Ok(Vec::new());
        }
        let now = now();
        let pause = i64::try_from(pause.as_micros()).unwrap_or(i64::MAX);
        let asking = (repository, now, now.0.saturating_sub(pause));
        let asked: Option<i64> = self
            .store
            .write(|pool| pool.first_value(ASK, asking))
            .await?;
        match asked {
            Some(id) => self.store.all(WAITING, [id, now.0 - DAY]).await,
            None => Ok(Vec::new()),
        }
    }

    /// Makes the provisional records of a commit the records of the branch, which contains the commit. Returns their ids.
    pub async fn land(
        self,
        repository: &Repository,
        queued: &QueuedCommit,
    ) -> Result<Vec<i64>, StoreError> {
        let mut transaction = self.store.begin().await?;
        let moment = Moment::After(next_moment());
        let Some(held) = holding::hold(&mut transaction, repository, moment).await? else {
            return transaction.unchanged(Vec::new()).await;
        };
        let branch = branch_id(&mut transaction, held.id, &queued.branch).await?;
        let Some(branch_id) = branch else {
            return transaction.unchanged(Vec::new()).await;
        };
        let (ids, commits) = ((held.id, branch_id), [Some(&queued.commit)]);
        let landed = land(&mut transaction, ids, commits, held.last_upload_at).await?;
        for id in landed.iter().filter(|_| self.store.notes_uploads) {
            notifications::note(&mut transaction, *id).await?;
        }
        transaction.commit().await?;
        Ok(landed)
    }
}

/// Makes the provisional records of commits the records of the branch, within a transaction. A record that waits for parts goes on
/// waiting. Returns their ids.
pub(crate) async fn land<const N: usize>(
    connection: &mut AnyConnection,
    (repository_id, branch_id): (i64, i64),
    commits: [Option<&CommitHash>; N],
    at: Timestamp,
) -> Result<Vec<i64>, StoreError> {
    let mut landed = Vec::new();
    for commit in commits.into_iter().flatten() {
        let found: Vec<(i64, String)> = connection.all(OF_COMMIT, (branch_id, commit)).await?;
        for (id, language) in found {
            let language = language.as_str();
            let series = Series {
                branch_id,
                language,
            };
            let Some(earlier) = earlier_upload(connection, series, commit).await? else {
                continue;
            };
            provisional::keep(connection, id, false).await?;
            let mut completion = Completion::of_record(connection, id).await?;
            completion.is_unconfirmed = false;
            completion.elsewhere = elsewhere(connection, series, commit, Trust::Confirmed).await?;
            let rows = of_record(connection, id).await?;
            let arrived = rows.into_iter().map(|row| row.name).collect();
            let missing = completion.missing(&arrived);
            completion.store(connection, id, at).await?;
            if completion.waits_until.is_none() || missing.is_empty() {
                put(
                    connection,
                    repository_id,
                    series,
                    &earlier,
                    Claim::Landed,
                    at,
                )
                .await?;
            }
            landed.push(id);
        }
    }
    Ok(landed)
}
