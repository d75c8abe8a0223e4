//! Finds authors whose names contain the words of a search.

use super::MOST_FOUND;
use crate::{
    Reader, StoreError,
    blocking::blocking,
    run::Run,
    sql::{ScopedText, readable_record},
};
use domain::{CommitAuthor, Rank, Typos, Words, folded};
use std::sync::Arc;

/// The maximum number of authors to compare, in the order of their names.
const MOST_COMPARED: i64 = 20_000;

/// Jumps from each author to the next one in the index, because an author may have thousands of records. PostgreSQL has no
/// `limit` in a recursive query, so `place` counts.
pub(crate) const AUTHORS: &str = "
    with recursive authors (name, place) as (
        select min(r.commit_author), cast(1 as bigint) from records r
        union all
        select (select min(r.commit_author) from records r where r.commit_author > a.name), a.place + 1
        from authors a where a.name is not null and a.place < $1
    )
    select a.name from authors a where a.name is not null";

/// Only authors of records that the reader may see: other authors must not count towards the maximum.
const READABLE_AUTHORS: ScopedText = ScopedText::new(concat!(
    "select distinct r.commit_author from records r where ",
    readable_record!("r"),
    " order by r.commit_author limit $1"
));

impl Reader {
    /// Returns at most 10 authors whose names contain the words of `text`, the best first.
    pub async fn authors_found(&self, text: &str) -> Result<Vec<CommitAuthor>, StoreError> {
        let names = self.compared_authors().await?;
        let names: Arc<[String]> = names.into();
        // Typing errors are accepted only if no name contains all words as they are typed.
        for typos in [Typos::Refused, Typos::Forgiven] {
            let (names, words) = (names.clone(), Words::of(text));
            let ranked = blocking(move || ranked(&names, &words, typos)).await?;
            if !ranked.is_empty() {
                let found = ranked.into_iter().map(CommitAuthor::try_from);
                return Ok(found.collect::<Result<_, _>>()?);
            }
        }
        Ok(Vec::new())
    }

    /// Returns the authors to compare, sorted by name.
    async fn compared_authors(&self) -> Result<Vec<String>, StoreError> {
        if let Some(store) = self.sees_everything() {
            return store.values(AUTHORS, [MOST_COMPARED]).await;
        }
        let sql = READABLE_AUTHORS.with([MOST_COMPARED]);
        let rows: Vec<(String,)> = self.all(sql).await?;
        Ok(rows.into_iter().map(|(name,)| name).collect())
    }
}

/// Returns the names that contain all words, the best first.
fn ranked(names: &[String], words: &Words, typos: Typos) -> Vec<String> {
    let ranked = names.iter().filter_map(|name| {
        Some((
            words.rank(&folded(name), typos)?,
            name.chars().count(),
            name,
        ))
    });
    let mut ranked: Vec<(Rank, usize, &String)> = ranked.collect();
    ranked.sort();
    let best = ranked.into_iter().take(MOST_FOUND);
    best.map(|(_, _, name)| name.clone()).collect()
}
