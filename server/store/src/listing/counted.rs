//! Pages of whole repositories. Counts of orgs, then of repositories in the orgs of the page, skip what comes before a
//! page: the last of 10,000 pages costs as much as the first.

/// The [`Statements`] of the repositories that a condition selects.
macro_rules! statements {
    ($($which:tt)*) => {
        Statements {
            every: ScopedText::new(every!($($which)*)),
            current: ScopedText::new(current!($($which)*)),
        }
    };
}

mod by_name;
mod by_org;

use super::{ListingFilter, Window};
use crate::{
    sql::{ScopedSql, ScopedText},
    text::containing,
};

/// The queries of the same repositories. `$1` is the number of records before the page, `$2` the number up to its end.
///
/// In all of them `up_to` is the number of records up to the last one of an org or a repository, in the order of the
/// listing.
struct Statements {
    /// Lists every record. A record's place is the number of its repository's records up to it.
    every: ScopedText,
    /// Lists current records only. They have no places of their own, so `offset` skips them among the repositories of
    /// the page.
    current: ScopedText,
}

/// `is_everything` says whether the reader sees all repositories.
pub(super) fn query(filter: &ListingFilter, window: Window, is_everything: bool) -> ScopedSql {
    let (statements, names) = statements(filter, is_everything);
    let text = if filter.full {
        statements.every
    } else {
        statements.current
    };
    let mut sql = text.sql();
    sql.bind(window.start).bind(window.end);
    for name in names {
        sql.bind(name);
    }
    sql
}

/// Returns the queries for a filter, with their values from `$3` on. The counts of whole orgs are only for readers who see
/// everything.
fn statements(filter: &ListingFilter, is_everything: bool) -> (Statements, Vec<String>) {
    let any = (!is_everything).then_some("");
    let pattern = filter.keyword.as_deref().or(any).map(containing);
    match (filter.org_name.clone(), filter.repo_name.clone(), pattern) {
        (None, None, None) => (by_org::ALL, vec![]),
        (Some(org), None, None) => (by_org::ONE, vec![org]),
        (None, None, Some(pattern)) => (by_name::LIKE, vec![pattern]),
        (Some(org), None, Some(pattern)) => (by_name::LIKE_IN_ORG, vec![pattern, org]),
        (Some(org), Some(repo), pattern) => {
            let pattern = pattern.unwrap_or_else(|| containing(""));
            (by_name::LIKE_IN_REPOSITORY, vec![pattern, org, repo])
        }
        (None, Some(repo), None) => {
            let key = repo.to_ascii_lowercase();
            (by_name::IN_ANY_ORG, vec![repo, key])
        }
        (None, Some(repo), Some(pattern)) => {
            let key = repo.to_ascii_lowercase();
            (by_name::LIKE_IN_ANY_ORG, vec![repo, key, pattern])
        }
    }
}
