//! The sentences of a field.

use super::{
    choice::{Choice, Kind},
    lookups::{Loading, SEARCHED},
};
use crate::{components::suggest::Scope, links};
use domain::OverviewQuery;

/// A sentence about `count` suggestions, and whether it is visible. `states` are the states of the requests.
pub(super) fn status(
    scope: Scope,
    states: [Loading; 2],
    count: usize,
    text: &str,
) -> (String, bool) {
    let text = text.trim();
    let sentence = match count {
        _ if states.contains(&Loading::Failed) => {
            "The server did not answer, so something may be missing. Type to try again, or reload the page."
        }
        _ if text.len() > *SEARCHED.end() => {
            "The text is too long to find branches, commits and authors."
        }
        _ if text.is_empty() && scope != Scope::Pages => return (String::new(), false),
        0 if text.is_empty() => return (String::new(), false),
        0 if states.contains(&Loading::UnderWay) => "Searching…",
        0 => "Nothing found.",
        1 => return ("1 suggestion".to_owned(), false),
        count => return (format!("{count} suggestions"), false),
    };
    (sentence.to_owned(), true)
}

/// The overview with the repositories that contain `text`.
pub(super) fn on_overview(text: &str) -> Choice {
    let query = OverviewQuery {
        keyword: text.trim().to_owned(),
        ..OverviewQuery::default()
    };
    let text = format!("Repositories with “{}”", query.keyword);
    Choice::new(Kind::Overview, text, links::overview(&query))
}
