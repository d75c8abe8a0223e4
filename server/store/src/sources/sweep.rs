//! Removes the texts that no record names any more.
//!
//! The lists of a repository are read twice: first all of them while uploads go on, then, with the repository locked, those that came
//! meanwhile. A removed list leaves a row in `source_sweeps`, by a trigger. If one was removed meanwhile, the next sweep starts again.
//! An upload for which a quota has no room cannot wait for a sweep: it removes the texts within its own transaction.

use super::list::ids;
use crate::{Store, StoreError, Writer, blocking::blocking, holding, run::Run};
use sqlx::AnyConnection;
use std::collections::BTreeSet;

/// Lists per query.
const PAGE: i64 = 100;

/// Texts removed in one transaction.
const AT_ONCE: usize = 500;

/// The lists of a repository after a version.
const LISTS: &str = "
    select version, texts from record_sources
    where repository_id = $1 and version > $2 order by version limit $3";

const NOTED: &str =
    "select count(*), coalesce(max(id), 0) from source_sweeps where repository_id = $1";

const TEXTS: &str = "select id from source_texts where repository_id = $1";

const FORGET: &str = "delete from source_sweeps where repository_id = $1 and id <= $2";

impl Writer<'_> {
    /// Removes the texts that no record names any more, and returns their number.
    ///
    /// # Errors
    ///
    /// If the database fails. A later sweep then removes the rest.
    pub async fn remove_unnamed_sources(self) -> Result<u64, StoreError> {
        const NEXT: &str = "select min(repository_id) from source_sweeps where repository_id > $1";
        let (mut last, mut removed) = (0, 0);
        loop {
            let next: Option<i64> = self.store.value(NEXT, [last]).await?;
            let Some(repository_id) = next else {
                return Ok(removed);
            };
            removed += self.store.sweep_sources(repository_id).await?;
            last = repository_id;
        }
    }
}

impl Store {
    async fn sweep_sources(&self, repository_id: i64) -> Result<u64, StoreError> {
        let noted: (i64, i64) = self.one(NOTED, [repository_id]).await?;
        let texts: Vec<i64> = self.values(TEXTS, [repository_id]).await?;
        let (mut unnamed, mut version) = (BTreeSet::from_iter(texts), 0);
        loop {
            let lists = self.all(LISTS, (repository_id, version, PAGE)).await?;
            if lists.is_empty() {
                break;
            }
            if !keep_named(&mut unnamed, &mut version, lists).await? {
                return Ok(0);
            }
        }
        let mut removed = 0;
        loop {
            let mut transaction = self.begin().await?;
            holding::hold_id(&mut transaction, repository_id).await?;
            let now: (i64, i64) = transaction.one(NOTED, [repository_id]).await?;
            let lists = transaction
                .all(LISTS, (repository_id, version, i64::MAX))
                .await?;
            if now != noted || !keep_named(&mut unnamed, &mut version, lists).await? {
                return transaction.unchanged(removed).await;
            }
            let some: Vec<i64> = unnamed.iter().take(AT_ONCE).copied().collect();
            removed += remove(&mut transaction, repository_id, &some).await?;
            for id in &some {
                unnamed.remove(id);
            }
            if unnamed.is_empty() {
                transaction.run(FORGET, (repository_id, noted.1)).await?;
            }
            transaction.commit().await?;
            if unnamed.is_empty() {
                return Ok(removed);
            }
        }
    }
}

/// Removes the texts of a locked repository that no record names any more, and returns their number.
pub(crate) async fn remove_unnamed(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<u64, StoreError> {
    let (removed_lists, last): (i64, i64) = connection.one(NOTED, [repository_id]).await?;
    if removed_lists == 0 {
        return Ok(0);
    }
    let texts: Vec<i64> = connection.values(TEXTS, [repository_id]).await?;
    let (mut unnamed, mut version) = (BTreeSet::from_iter(texts), 0);
    loop {
        let lists = connection
            .all(LISTS, (repository_id, version, PAGE))
            .await?;
        if lists.is_empty() {
            break;
        }
        if !keep_named(&mut unnamed, &mut version, lists).await? {
            return Ok(0);
        }
    }
    let unnamed = Vec::from_iter(unnamed);
    connection.run(FORGET, (repository_id, last)).await?;
    remove(connection, repository_id, &unnamed).await
}

/// Removes the texts of `lists` from `unnamed`. Returns whether all lists could be read: otherwise nothing may be removed.
async fn keep_named(
    unnamed: &mut BTreeSet<i64>,
    version: &mut i64,
    lists: Vec<(i64, Vec<u8>)>,
) -> Result<bool, StoreError> {
    let Some((last, _)) = lists.last() else {
        return Ok(true);
    };
    *version = *last;
    let read = move || -> Option<Vec<i64>> {
        let all: Option<Vec<_>> = lists.iter().map(|(_, texts)| ids(texts)).collect();
        Some(all?.into_iter().flatten().collect())
    };
    let Some(named) = blocking(read).await? else {
        tracing::error!(
            "a list of source files cannot be read, so no source text is removed; run verify"
        );
        return Ok(false);
    };
    for id in named {
        unnamed.remove(&id);
    }
    Ok(true)
}

async fn remove(
    connection: &mut AnyConnection,
    repository_id: i64,
    texts: &[i64],
) -> Result<u64, StoreError> {
    const DELETE: &str = "delete from source_texts where id = $1 and repository_id = $2";
    let mut removed = 0;
    for id in texts {
        removed += connection.changed(DELETE, (*id, repository_id)).await?;
    }
    Ok(removed)
}
