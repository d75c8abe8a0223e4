//! Finds branches with the words of a search in their names or in the names of their repositories.

use super::{FoundBranch, MOST_FOUND};
use crate::{
    Reader, StoreError, Unsigned,
    blocking::blocking,
    sql::{ScopedSql, ScopedText, Sql, readable},
    text::{containing, containing_as_written},
};
use domain::{Typos, Words, folded};
use sqlx::FromRow;

/// The maximum number of branches to compare if no branch has the words as they are typed. The newest ones are compared.
const MOST_COMPARED: usize = 5_000;

/// The text that must contain every word.
const WHOLE: &str = "lower(p.org_name || '/' || p.repo_name || '@' || b.name)";

#[derive(Clone, Copy)]
enum Repositories {
    Only(i64),
    AllExcept(i64),
    All,
}

/// The `like` patterns of a word: in lower case, and as typed for letters whose case engines do not fold.
struct Pattern {
    lower: String,
    typed: String,
}

#[derive(FromRow)]
struct Row {
    repository_id: i64,
    #[sqlx(flatten)]
    found: FoundBranch,
}

impl Reader {
    pub(super) async fn branches_found(
        &self,
        text: &str,
        first: Option<i64>,
    ) -> Result<Vec<FoundBranch>, StoreError> {
        let words = Words::of(text);
        let typed = text.split_whitespace().take(words.iter().count());
        let patterns: Vec<_> = typed.map(Pattern::of).collect();
        let mut rows = self.newest_branches(&patterns, first, MOST_FOUND).await?;
        if rows.is_empty() {
            let newest = self.newest_branches(&[], first, MOST_COMPARED).await?;
            rows = blocking(move || most_similar(newest, &words, first)).await?;
        }
        Ok(rows.into_iter().map(|row| row.found).collect())
    }

    /// Returns the newest branches that match. The branches of the repository `first` come before others.
    async fn newest_branches(
        &self,
        patterns: &[Pattern],
        first: Option<i64>,
        most: usize,
    ) -> Result<Vec<Row>, StoreError> {
        let parts = match first {
            Some(id) => vec![Repositories::Only(id), Repositories::AllExcept(id)],
            None => vec![Repositories::All],
        };
        let mut rows: Vec<Row> = Vec::new();
        for repositories in parts {
            let missing = most - rows.len();
            if missing > 0 {
                let query = query(patterns, repositories, missing);
                rows.extend(self.all::<Row>(query).await?);
            }
        }
        Ok(rows)
    }
}

/// SQLite runs the cross join in the written order, so it reads repositories only for branches that contain a word.
fn query(patterns: &[Pattern], repositories: Repositories, most: usize) -> ScopedSql {
    const READABLE: ScopedText = ScopedText::new(readable!("p"));
    let sql = Sql::new(
        "select b.repository_id, p.org_name, p.repo_name, b.name as branch
         from branches b cross join repositories p
         where p.id = b.repository_id
           and exists (select 1 from records r where r.branch_id = b.id) and ",
    );
    let mut sql = sql.scoped(READABLE);
    match repositories {
        Repositories::Only(id) => sql.push(" and b.repository_id = ").push_bind(id),
        Repositories::AllExcept(id) => sql.push(" and b.repository_id <> ").push_bind(id),
        Repositories::All => &mut *sql,
    };
    // Without this condition, the name of a repository would find all its branches.
    if !patterns.is_empty() && !patterns.iter().any(Pattern::names_whole) {
        for (at, pattern) in patterns.iter().enumerate() {
            sql.push(if at == 0 { " and (" } else { " or " });
            sql.push_like("lower(b.name)", &pattern.lower);
            sql.push(" or ");
            sql.push_like("b.name", &pattern.typed);
        }
        sql.push(")");
    }
    for pattern in patterns {
        sql.push(" and (");
        sql.push_like(WHOLE, &pattern.lower);
        sql.push(" or ");
        sql.push_like("b.name", &pattern.typed);
        sql.push(")");
    }
    // A list of the branches of one repository starts with its main branch.
    sql.push(match repositories {
        Repositories::Only(_) => {
            " order by case when b.id = p.main_branch_id then 0 else 1 end, b.id desc limit "
        }
        Repositories::AllExcept(_) | Repositories::All => " order by b.id desc limit ",
    });
    sql.push_bind(Unsigned::from(most));
    sql
}

/// Compares names and accepts typing errors. The best branches come first, then the newest.
fn most_similar(newest: Vec<Row>, words: &Words, first: Option<i64>) -> Vec<Row> {
    let each: Vec<_> = words.iter().map(Words::of).collect();
    let ranked = newest.into_iter().filter_map(|row| {
        let branch = folded(row.found.branch.as_str());
        let is_in_branch = |word: &Words| word.rank(&branch, Typos::Forgiven).is_some();
        let whole = || format!("{}@{branch}", folded(&row.found.repository.to_string()));
        let is_found = words.iter().any(names_whole) || each.iter().any(is_in_branch);
        let rank = is_found.then(|| words.rank(&whole(), Typos::Forgiven));
        Some((Some(row.repository_id) != first, rank??, row))
    });
    let mut ranked: Vec<_> = ranked.collect();
    ranked.sort_by_key(|(is_other, rank, _)| (*is_other, *rank));
    let best = ranked.into_iter().take(MOST_FOUND);
    best.map(|(_, _, row)| row).collect()
}

impl Pattern {
    fn of(word: &str) -> Self {
        Self {
            lower: containing(word),
            typed: containing_as_written(word),
        }
    }

    fn names_whole(&self) -> bool {
        names_whole(&self.lower)
    }
}

/// Whether a word names a branch with its repository, as in `acme/shop@main`.
fn names_whole(word: &str) -> bool {
    word.contains('@')
}

#[cfg(test)]
pub(crate) fn queries() -> Vec<String> {
    let patterns = ["one", "two"].map(Pattern::of);
    let mut texts = Vec::new();
    for repositories in [
        Repositories::Only(1),
        Repositories::AllExcept(1),
        Repositories::All,
    ] {
        for patterns in [&[], &patterns[..1], &patterns[..]] {
            texts.push(query(patterns, repositories, MOST_FOUND).text().to_owned());
        }
    }
    texts
}
