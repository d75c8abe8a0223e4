//! Authors whose names have the words of a search.

use super::{MOST_FOUND, compared};
use crate::store::{Store, StoreError, read_scope::readable_record, sql::Sql};
use domain::{CommitAuthor, Rank, Typos, Words, folded};
use std::sync::Arc;

/// The maximum of authors to compare, by name.
const MOST_COMPARED: i64 = 20_000;

/// The maximum of authors of which a reader's right is checked, the best ones.
const MOST_CHECKED: usize = 500;

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
        let names: Arc<[String]> = names.into();
        // Typing errors are forgiven only if no name has all words as they are typed.
        for typos in [Typos::Refused, Typos::Forgiven] {
            let (names, words) = (names.clone(), Words::of(text));
            let ranked = compared(move || ranked(&names, &words, typos)).await?;
            let found = self.readable_authors(ranked).await?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// Returns the first authors with a record that the reader may see.
    async fn readable_authors(&self, names: Vec<String>) -> Result<Vec<CommitAuthor>, StoreError> {
        let mut readable = Vec::new();
        for name in names {
            if readable.len() == MOST_FOUND {
                break;
            }
            if self.shows_author(&name).await? {
                readable.push(CommitAuthor::try_from(name)?);
            }
        }
        Ok(readable)
    }

    /// Whether the reader may see any record of an author.
    async fn shows_author(&self, name: &str) -> Result<bool, StoreError> {
        const ANY: &str = concat!(
            "select cast(1 as bigint) from records r where r.commit_author = $1 and ",
            readable_record!("r"),
            " limit 1"
        );
        if self.scope.is_all() {
            return Ok(true);
        }
        let mut sql = Sql::new(ANY);
        sql.bind(name);
        let any: Option<(i64,)> = sql.rows(&self.scope).fetch_optional(&self.readers).await?;
        Ok(any.is_some())
    }
}

/// Returns the names that have all words, the best first.
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
    let best = ranked.into_iter().take(MOST_CHECKED);
    best.map(|(_, _, name)| name.clone()).collect()
}
