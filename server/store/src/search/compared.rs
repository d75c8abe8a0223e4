//! Finds names of one kind, such as authors, that contain the words of a search.

use super::MOST_FOUND;
use crate::{Reader, StoreError, blocking::blocking, run::Run, sql::ScopedText};
use domain::{Rank, Typos, Words, folded};
use std::sync::Arc;

/// The maximum number of names to compare, in their order.
const MOST_COMPARED: i64 = 20_000;

/// The query for all names in a column. Jumps from each name to the next one in the index, because thousands of rows may have the
/// same name. PostgreSQL has no `limit` in a recursive query, so `place` counts.
macro_rules! all_names {
    ($table:literal, $column:literal) => {
        concat!(
            "with recursive names (name, place) as (
                select min(r.",
            $column,
            "), cast(1 as bigint) from ",
            $table,
            " r
                union all
                select (select min(r.",
            $column,
            ") from ",
            $table,
            " r where r.",
            $column,
            " > a.name), a.place + 1
                from names a where a.name is not null and a.place < $1
            )
            select a.name from names a where a.name is not null"
        )
    };
}

pub(super) use all_names;

/// The queries for names of one kind, sorted, at most `$1`.
pub(super) struct Names {
    pub(super) all: &'static str,
    /// Only names that the reader may see: other names must not count towards the maximum.
    pub(super) readable: ScopedText,
}

impl Reader {
    /// Returns at most 10 names that contain the words of `text`, the best first.
    pub(super) async fn names_found(
        &self,
        of: &Names,
        text: &str,
    ) -> Result<Vec<String>, StoreError> {
        let names = match self.sees_everything() {
            Some(store) => store.values(of.all, [MOST_COMPARED]).await?,
            None => {
                let rows: Vec<(String,)> = self.all(of.readable.with([MOST_COMPARED])).await?;
                rows.into_iter().map(|(name,)| name).collect()
            }
        };
        let names: Arc<[String]> = names.into();
        // Typing errors are accepted only if no name contains all words as they are typed.
        for typos in [Typos::Refused, Typos::Forgiven] {
            let (names, words) = (names.clone(), Words::of(text));
            let ranked = blocking(move || ranked(&names, &words, typos)).await?;
            if !ranked.is_empty() {
                return Ok(ranked);
            }
        }
        Ok(Vec::new())
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
