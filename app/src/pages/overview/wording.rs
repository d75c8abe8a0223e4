//! The query and the counts of the overview, in words.

use crate::numbers::{repositories, whole};
use domain::{Overview, OverviewQuery, Percentage, Show};

/// The number of matching repositories with the filters: `12 repositories with “pay”, in acme, below 80.00 %`.
pub(super) fn counted(overview: &Overview, target: Percentage) -> String {
    let query = &overview.query;
    let mut text = repositories(overview.matching);
    if !query.keyword.is_empty() {
        text.push_str(&format!(" with “{}”", query.keyword));
    }
    for (condition, _) in conditions(query, target) {
        text.push_str(", ");
        text.push_str(&condition);
    }
    text
}

/// The filters other than the keyword, each with the query without it.
pub(super) fn conditions(
    query: &OverviewQuery,
    target: Percentage,
) -> Vec<(String, OverviewQuery)> {
    let first = || OverviewQuery {
        page: 1,
        ..query.clone()
    };
    let org = query.org.as_ref().map(|org| {
        let without = OverviewQuery {
            org: None,
            ..first()
        };
        (format!("in {org}"), without)
    });
    let language = query.language.as_ref().map(|language| {
        let without = OverviewQuery {
            language: None,
            ..first()
        };
        (format!("in the language {language}"), without)
    });
    let show = (query.show != Show::All).then(|| {
        let without = OverviewQuery {
            show: Show::All,
            ..first()
        };
        (lower(&kind(query.show, target)), without)
    });
    [org, language, show].into_iter().flatten().collect()
}

pub(super) fn kind(show: Show, target: Percentage) -> String {
    match show {
        Show::All => "All".to_owned(),
        Show::Dropped => "Dropped in 7 days".to_owned(),
        Show::Below => format!("Below {}", whole(target)),
        Show::Stale => "Without uploads for two weeks".to_owned(),
    }
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}
