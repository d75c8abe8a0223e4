//! What was asked of the overview, and how much there is of it, in words.

use crate::components::coverage::{grouped, whole};
use domain::{Overview, OverviewQuery, Percentage, Show, Sort};

/// `1 repository`, `4,312 repositories`.
pub(super) fn repositories(count: u32) -> String {
    match count {
        1 => "1 repository".to_owned(),
        _ => format!("{} repositories", grouped(count.into())),
    }
}

/// How many repositories there are of what was asked for: `12 repositories with “pay”, in acme, below 80.00 %`.
pub(super) fn counted(overview: &Overview, target: Percentage) -> String {
    let query = &overview.query;
    let mut text = repositories(overview.matching);
    if !query.keyword.is_empty() {
        text.push_str(&format!(" with “{}”", query.keyword));
    }
    for condition in conditions(query, target) {
        text.push_str(", ");
        text.push_str(&condition);
    }
    text
}

/// What was asked for beside a keyword.
pub(super) fn conditions(query: &OverviewQuery, target: Percentage) -> Vec<String> {
    let org = query.org.as_ref().map(|org| format!("in {org}"));
    let language = query.language.as_ref();
    let language = language.map(|language| format!("in the language {language}"));
    let show = match query.show {
        Show::All => None,
        show => Some(lower(&kind(show, target))),
    };
    [org, language, show].into_iter().flatten().collect()
}

/// A kind of repositories, as it is offered.
pub(super) fn kind(show: Show, target: Percentage) -> String {
    match show {
        Show::All => "All".to_owned(),
        Show::Dropped => "Dropped this week".to_owned(),
        Show::Below => format!("Below {}", whole(target)),
        Show::Stale => "Without uploads for two weeks".to_owned(),
    }
}

/// An order, as it is offered.
pub(super) fn order(sort: Sort) -> &'static str {
    match sort {
        Sort::Name => "Name",
        Sort::Lowest => "Lowest",
        Sort::Drop => "Biggest drop",
        Sort::Recent => "Recent",
    }
}

/// An order, as the heading of a list that is not grouped.
pub(super) fn ordered(sort: Sort) -> &'static str {
    match sort {
        Sort::Name => "Repositories by name",
        Sort::Lowest => "Repositories, lowest coverage first",
        Sort::Drop => "Repositories, biggest drop of the week first",
        Sort::Recent => "Repositories, last upload first",
    }
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}
