//! Finds commits whose hashes start with the text of a search.

use super::{FoundCommit, MOST_FOUND};
use crate::{
    Reader, StoreError,
    provisional::is_provisional,
    sql::{ScopedText, readable_record},
};
use domain::Words;
use sqlx::FromRow;
use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashSet},
};

/// The maximum number of records to read for each spelling. Only a short start of hashes has more.
const MOST_READ: i64 = 200;

/// The records whose hash is at least `$1` and less than `$2`.
pub(crate) const COMMITS: ScopedText = ScopedText::new(concat!(
    "select r.id as record_id, r.repository_id, r.updated_at, p.org_name, p.repo_name, b.name as branch, r.commit_hash
    from (
        select c.id from records c
        where c.commit_hash >= $1 and c.commit_hash < $2 and ",
    readable_record!("c"),
    " and not ",
    is_provisional!("c.id"),
    "
        order by c.commit_hash, c.id desc limit $3
    ) k
    join records r on r.id = k.id
    join repositories p on p.id = r.repository_id
    join branches b on b.id = r.branch_id"
));

#[derive(FromRow)]
struct Row {
    repository_id: i64,
    updated_at: i64,
    #[sqlx(flatten)]
    found: FoundCommit,
}

impl Reader {
    pub(super) async fn commits_found(
        &self,
        text: &str,
        first: Option<i64>,
    ) -> Result<Vec<FoundCommit>, StoreError> {
        let mut rows: Vec<Row> = Vec::new();
        for start in spellings(text) {
            // `~` comes after all characters of a hash.
            let sql = COMMITS.with((&start, format!("{start}~"), MOST_READ));
            rows.extend(self.all::<Row>(sql).await?);
        }
        rows.sort_by_key(|row| {
            let is_other = Some(row.repository_id) != first;
            (is_other, Reverse((row.updated_at, row.found.record_id)))
        });
        let mut known = HashSet::new();
        rows.retain(|row| known.insert((row.repository_id, row.found.commit.clone())));
        rows.truncate(MOST_FOUND);
        Ok(rows.into_iter().map(|row| row.found).collect())
    }
}

/// Returns the spellings to look up: clients choose the case of hashes.
fn spellings(text: &str) -> BTreeSet<String> {
    let words = Words::of(text);
    match words.commit() {
        Some(_) => {
            let typed = text.trim();
            let lower = typed.to_ascii_lowercase();
            BTreeSet::from([typed.to_owned(), lower, typed.to_ascii_uppercase()])
        }
        None => BTreeSet::new(),
    }
}
