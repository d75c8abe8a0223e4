//! Finds the repositories that a transaction writes to, locks them, and adds new ones.

use super::{StoreError, clock_skew, names::org_for_new, run::Run};
use domain::{OrgName, Repository, Timestamp};
use sqlx::{AnyConnection, FromRow};
use std::collections::BTreeSet;

/// The time of a write to a repository.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moment {
    /// Now, but after every other time: another service, whose clock is ahead, may have written the last one.
    After(Timestamp),
    /// A stated time, which may be long ago.
    At(Timestamp),
}

/// A repository that this transaction has locked: every transaction that writes to a repository updates its row first.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct Held {
    pub(crate) id: i64,
    /// In the stored spelling.
    #[sqlx(flatten)]
    pub(crate) repository: Repository,
    pub(crate) last_upload_at: Timestamp,
}

/// Locks the repository against other writers; `None` if it does not exist.
pub(crate) async fn hold(
    connection: &mut AnyConnection,
    repository: &Repository,
    moment: Moment,
) -> Result<Option<Held>, StoreError> {
    // By the id: with the name in the condition, PostgreSQL would skip a row that is renamed meanwhile, and still keep its lock.
    const HOLD: &str = "update repositories set last_upload_at =
             case when $2 > last_upload_at then $2 else last_upload_at + $3 end
         where id = (select k.id from repositories k where k.name_key = $1)
         returning id, org_name, repo_name, last_upload_at";
    let (at, step) = match moment {
        Moment::After(at) => (at.0, 1_i64),
        Moment::At(at) => (at.0, 0),
    };
    let mut held: Option<Held> = connection.first(HOLD, (repository.key(), at, step)).await?;
    if let (Some(held), Moment::After(now)) = (&mut held, moment) {
        held.last_upload_at =
            clock_skew::settle(connection, held.id, held.last_upload_at, now).await?;
    }
    Ok(held)
}

pub(crate) async fn hold_id(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<(), StoreError> {
    const HOLD: &str = "update repositories set last_upload_at = last_upload_at where id = $1";
    connection.run(HOLD, [repository_id]).await
}

/// Like [`hold`], but adds a repository that does not exist.
pub(crate) async fn hold_or_add(
    connection: &mut AnyConnection,
    repository: &Repository,
    at: Moment,
) -> Result<Held, StoreError> {
    if let Some(held) = hold(connection, repository, at).await? {
        return Ok(held);
    }
    lock(connection, &[&repository.org]).await?;
    // Another transaction may have added or renamed it meanwhile.
    match hold(connection, repository, at).await? {
        Some(held) => Ok(held),
        None => add(connection, repository, at).await,
    }
}

async fn add(
    connection: &mut AnyConnection,
    repository: &Repository,
    at: Moment,
) -> Result<Held, StoreError> {
    const ADD: &str = "
        insert into repositories (org_name, repo_name, created_at, last_upload_at)
        values ($1, $2, $3, $3)
        returning id, org_name, repo_name, last_upload_at";
    let (Moment::After(at) | Moment::At(at)) = at;
    let org = org_for_new(connection, &repository.org).await?;
    connection.one(ADD, (org, &repository.repo, at)).await
}

/// Locks names in the outermost orgs of `orgs` against other transactions that add, change or delete names, until this
/// transaction ends. This prevents two transactions from adding two spellings of one name, and deadlocks between transactions
/// that lock several repositories. Call it before locking rows of repositories. SQLite has one writer and needs no lock.
pub(crate) async fn lock(
    connection: &mut AnyConnection,
    orgs: &[&OrgName],
) -> Result<(), StoreError> {
    // 14 is this service's lock number for names. The function returns `void`, which sqlx cannot read, so the query casts it.
    const LOCK: &str = "select pg_advisory_xact_lock(14, hashtext($1))::text";
    const LOCK_ALL: &str = "select pg_advisory_xact_lock_shared(15, 0)::text";
    if connection.backend_name() == "SQLite" {
        return Ok(());
    }
    connection.run(LOCK_ALL, ()).await?;
    let outermost = |org: &&OrgName| org.key().split('/').next().map(str::to_owned);
    // All transactions lock in the same order.
    let orgs: BTreeSet<String> = orgs.iter().filter_map(outermost).collect();
    for org in orgs {
        connection.run(LOCK, [org]).await?;
    }
    Ok(())
}

/// Like `lock`, but for all orgs: for transactions that lock repositories of several orgs.
pub(crate) async fn lock_all(connection: &mut AnyConnection) -> Result<(), StoreError> {
    const LOCK_ALL: &str = "select pg_advisory_xact_lock(15, 0)::text";
    if connection.backend_name() != "SQLite" {
        connection.run(LOCK_ALL, ()).await?;
    }
    Ok(())
}
