//! The queries of the listing, for tests of query plans.

use crate::listing::{ListingFilter, Window, counted, filtered};

/// Queries of repositories and of records, for tests of query plans.
pub(crate) fn queries() -> Vec<String> {
    let window = Window { start: 0, end: 101 };
    let name = Some("a".to_owned());
    let filters = [
        ListingFilter::default(),
        ListingFilter {
            org_name: name.clone(),
            ..ListingFilter::default()
        },
        ListingFilter {
            repo_name: name.clone(),
            ..ListingFilter::default()
        },
        ListingFilter {
            keyword: name.clone(),
            ..ListingFilter::default()
        },
        ListingFilter {
            org_name: name.clone(),
            keyword: name.clone(),
            ..ListingFilter::default()
        },
        ListingFilter {
            org_name: name.clone(),
            repo_name: name.clone(),
            ..ListingFilter::default()
        },
        ListingFilter {
            repo_name: name.clone(),
            keyword: name.clone(),
            ..ListingFilter::default()
        },
        ListingFilter {
            branch_name: name.clone(),
            ..ListingFilter::default()
        },
        ListingFilter {
            language: name.clone(),
            ..ListingFilter::default()
        },
        ListingFilter {
            commit_author: name,
            ..ListingFilter::default()
        },
    ];
    let all = filters.into_iter().flat_map(|filter| {
        let full = ListingFilter {
            full: true,
            ..filter.clone()
        };
        [filter, full]
    });
    all.map(|filter| {
        let query = if filter.is_of_repositories() {
            counted::query(&filter, window, true)
        } else {
            filtered::query(&filter, window, false)
        };
        query.text().to_owned()
    })
    .collect()
}

/// Queries for late pages of a long filtered history, each with the index that skips the records before the page.
pub(crate) fn queries_of_late_pages() -> Vec<(String, &'static str)> {
    let window = Window { start: 0, end: 101 };
    let (all, name) = (
        ListingFilter {
            full: true,
            ..ListingFilter::default()
        },
        Some("a".to_owned()),
    );
    let filters = [
        (
            ListingFilter {
                branch_name: name.clone(),
                ..all.clone()
            },
            "records_of_branch_by_place",
        ),
        (
            ListingFilter {
                branch_name: name.clone(),
                language: name.clone(),
                ..all.clone()
            },
            "records_of_branch_and_language_by_place",
        ),
        (
            ListingFilter {
                language: name.clone(),
                ..all.clone()
            },
            "records_of_language_by_place",
        ),
        (
            ListingFilter {
                commit_author: name,
                ..all
            },
            "records_of_author_by_place",
        ),
    ];
    let query = |filter| filtered::query(&filter, window, false).text().to_owned();
    filters
        .into_iter()
        .map(|(filter, index)| (query(filter), index))
        .collect()
}
