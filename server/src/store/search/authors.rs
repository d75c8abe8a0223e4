//! Authors whose names have the words of a search.

use super::{MOST_FOUND, compared};
use crate::store::{Store, StoreError};
use domain::{CommitAuthor, Rank, Typos, Words, folded};

/// The maximum of authors to compare, by name.
const MOST_COMPARED: i64 = 20_000;

/// Jumps from each author to the next one in the index, because an author may have thousands of records. PostgreSQL has no
/// `limit` in a recursive query, so `place` counts.
pub(in crate::store) const AUTHORS: &str = "
    with recursive authors (name, place) as (
        select min(r.commit_author), cast(1 as bigint) from records r
        union all
        select (select min(r.commit_author) from records r where r.commit_author > a.name), a.place + 1
        from authors a where a.name is not null and a.place < $1
    )
    select a.name from authors a where a.name is not null";

impl Store {
    /// Returns at most 10 authors whose names have the words of `text`, the best first.
    pub(in crate::store) async fn authors_found(
        &self,
        text: &str,
    ) -> Result<Vec<CommitAuthor>, StoreError> {
        let names: Vec<String> = sqlx::query_scalar(AUTHORS)
            .bind(MOST_COMPARED)
            .fetch_all(&self.readers)
            .await?;
        let words = Words::of(text);
        let found = compared(move || best(names, &words)).await?;
        Ok(found
            .into_iter()
            .map(CommitAuthor::try_from)
            .collect::<Result<_, _>>()?)
    }
}

/// Forgives typing errors only if no name has all words as they are typed.
fn best(names: Vec<String>, words: &Words) -> Vec<String> {
    let names: Vec<_> = names
        .into_iter()
        .map(|name| (folded(&name), name))
        .collect();
    let matching = |typos| -> Vec<(Rank, usize, &String)> {
        let ranked = names.iter().filter_map(|(folded, name)| {
            Some((words.rank(folded, typos)?, name.chars().count(), name))
        });
        ranked.collect()
    };
    let mut found = matching(Typos::Refused);
    if found.is_empty() {
        found = matching(Typos::Forgiven);
    }
    found.sort();
    found.truncate(MOST_FOUND);
    found.into_iter().map(|(_, _, name)| name.clone()).collect()
}
