//! Follows the changes of a commit to its base, and from there to the base of the base.

use super::{Carried, Carrying, Source};
use crate::{Flag, NewChange, Store, StoreError, gates, run::Run};
use domain::{
    CarriedPart, CommitHash, IgnoredFiles, PartName, PullRequest, Timestamp, sql::IfReadable,
};
use sqlx::FromRow;
use std::sync::Arc;

/// The maximum number of records between a part and the commit that carries it.
const LONGEST: usize = 50;

/// The changes between a commit and the record that measured a part, the nearest first.
#[derive(Debug, Default)]
pub(super) struct Chain {
    pub(super) links: Vec<Link>,
}

#[derive(Clone, Debug)]
pub(super) struct Link {
    base_commit: Option<String>,
    base_tree: Option<String>,
    changes: StoredOrSent,
}

#[derive(Clone, Debug)]
enum StoredOrSent {
    Sent(Arc<[u8]>),
    Stored(i64),
}

const STORED: &str = "
    select base_commit, base_tree, pull_request from record_changes
    where record_id = $1 and changes is not null and unknown_files is null";

const CHANGES: &str =
    "select changes from record_changes where record_id = $1 and changes is not null";

impl Link {
    /// The changes of a commit: the ones of its upload, unless the job of a pull request has sent other changes; see
    /// `store::changes`.
    pub(super) async fn of_commit(
        store: &Store,
        commit: Carrying<'_>,
    ) -> Result<Option<Self>, StoreError> {
        let stored = match commit.record_id {
            Some(record_id) => Self::stored(store, record_id).await?,
            None => None,
        };
        let is_of_pull_request = commit
            .change
            .is_some_and(|change| change.pull_request.is_some());
        let sent = commit.change.and_then(Self::sent);
        Ok(match (stored, sent) {
            (Some((link, Some(_))), _) if !is_of_pull_request => Some(link),
            (_, Some(sent)) => Some(sent),
            (stored, None) => stored.map(|(link, _)| link),
        })
    }

    /// If the job sent none, the forge's count, unless they lack files.
    fn sent(change: &NewChange) -> Option<Self> {
        let of_forge = change.of_forge.as_ref();
        let of_forge = of_forge.filter(|of_forge| of_forge.unknown_files.is_none());
        let of_job = change.changes.as_deref();
        let changes = of_job.or_else(|| of_forge?.changes.as_deref())?;
        let base_commit = change.base_commit.as_ref();
        let base_commit = base_commit.or_else(|| of_forge?.base_commit.as_ref());
        let base_tree = change.base_tree.as_ref();
        Some(Self {
            changes: StoredOrSent::Sent(changes.into()),
            base_commit: base_commit.map(ToString::to_string),
            base_tree: base_tree.map(|tree| tree.as_str().to_ascii_lowercase()),
        })
    }

    /// Also returns the pull request whose job sent the changes.
    async fn stored(
        store: &Store,
        record_id: i64,
    ) -> Result<Option<(Self, Option<PullRequest>)>, StoreError> {
        let row: Option<(Option<String>, Option<String>, IfReadable<PullRequest>)> =
            store.first(STORED, [record_id]).await?;
        Ok(row.map(|(base_commit, base_tree, pull_request)| {
            let link = Self {
                base_commit,
                base_tree,
                changes: StoredOrSent::Stored(record_id),
            };
            (link, pull_request.into())
        }))
    }

    /// The changes, as [`lines::Changes::encode`] writes them, and the record to name if they are damaged.
    pub(super) async fn changes(&self, store: &Store) -> Result<(i64, Arc<[u8]>), StoreError> {
        match &self.changes {
            StoredOrSent::Sent(changes) => Ok((0, changes.clone())),
            StoredOrSent::Stored(record_id) => {
                let blob: Vec<u8> = store.value(CHANGES, [record_id]).await?;
                Ok((*record_id, blob.into()))
            }
        }
    }
}

/// A record whose tree the changes start from.
#[derive(FromRow)]
struct BaseRow {
    id: i64,
    #[sqlx(rename = "commit_hash")]
    commit: CommitHash,
    updated_at: Timestamp,
}

/// The main branch first, then the newest record. The `+` and `||` operators keep SQLite from searching all records of the
/// repository.
macro_rules! exact_base {
    ($from:literal) => {
        concat!(
            "select x.id, x.commit_hash, x.updated_at from ",
            $from,
            " and +x.repository_id = $2 and x.language || '' = $3 and x.id <> $4 and x.unconfirmed_at is null
              order by case when x.branch_id = (select p.main_branch_id from repositories p where p.id = $2) then 0 else 1 end,
                       x.id desc
              limit 1"
        )
    };
}

pub(crate) const BY_COMMIT: &str = exact_base!(
    "records x left join record_changes t on t.record_id = x.id
     where x.commit_hash = $1 and ($5 = '' or t.tree_hash is null or t.tree_hash = $5)"
);

pub(crate) const BY_TREE: &str = exact_base!(
    "record_changes t cross join records x where x.id = t.record_id and t.tree_hash = $1 and $5 = $5"
);

const MEASURED: &str = "
    select q.part, q.arrived_at, coalesce(q.root, ''), coalesce(q.is_root_stated, 0), q.ignored, d.ignore_rules
    from record_parts q
    left join record_details d on d.record_id = q.record_id
    where q.record_id = $1 and q.skip_reason is null and q.coverable is not null and q.arrived_at >= $2";

type MeasuredPart = (
    PartName,
    Timestamp,
    String,
    Flag,
    IfReadable<IgnoredFiles>,
    Option<String>,
);

/// Follows the changes from `link` until all parts are found. Also returns the missing parts.
pub(super) async fn walk(
    store: &Store,
    (repository, commit): (i64, Carrying<'_>),
    link: Link,
    wanted: &[&PartName],
    since: Timestamp,
) -> Result<(Carried, Vec<PartName>), StoreError> {
    let mut missing: Vec<PartName> = wanted.iter().map(|&part| part.clone()).collect();
    let mut carried = Carried::default();
    let mut next = Some((commit.record_id.unwrap_or_default(), link));
    while let Some((record_id, link)) = next.take()
        && !missing.is_empty()
        && carried.chain.links.len() < LONGEST
    {
        let series = (repository, commit.commit.language.as_str());
        let base = base_of(store, series, record_id, &link).await?;
        let Some(base) = base.filter(|base| base.updated_at >= since) else {
            break;
        };
        carried.chain.links.push(link);
        let parts: Vec<MeasuredPart> = store.all(MEASURED, (base.id, since)).await?;
        for (name, measured_at, root, Flag(is_root_stated), files, rules) in parts {
            let Some(index) = missing.iter().position(|part| *part == name) else {
                continue;
            };
            carried.sources.push(Source {
                part: CarriedPart {
                    name: missing.remove(index),
                    record_id: Some(base.id),
                    commit: base.commit.clone(),
                    measured_at,
                },
                record_id: base.id,
                root,
                is_root_stated,
                ignored: Option::from(files).unwrap_or(IgnoredFiles::NONE),
                rules: gates::read_ignore_rules(rules)?,
                steps: carried.chain.links.len(),
            });
        }
        let stored = Link::stored(store, base.id).await?;
        next = stored.map(|(link, _)| (base.id, link));
    }
    carried
        .sources
        .sort_by(|one, other| one.part.name.cmp(&other.part.name));
    Ok((carried, missing))
}

async fn base_of(
    store: &Store,
    (repository, language): (i64, &str),
    record_id: i64,
    link: &Link,
) -> Result<Option<BaseRow>, StoreError> {
    let tree = link.base_tree.as_deref().unwrap_or_default();
    for (query, key) in [
        (BY_COMMIT, link.base_commit.as_deref()),
        (BY_TREE, link.base_tree.as_deref()),
    ] {
        let Some(key) = key else { continue };
        let found = store
            .first(query, (key, repository, language, record_id, tree))
            .await?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}
