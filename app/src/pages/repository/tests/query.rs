//! Tests of reading the query from the address.

use crate::{links, pages::repository::query_of};
use domain::{Compared, RepositoryQuery, TrendRange};
use leptos_router::params::ParamsMap;

fn query(parameters: &[(&'static str, &str)]) -> Option<RepositoryQuery> {
    let mut map = ParamsMap::new();
    for (name, value) in parameters {
        map.insert(*name, (*value).to_owned());
    }
    query_of(&map)
}

#[test]
fn an_address_without_parameters_is_the_main_branch_and_last_months() {
    let query = query(&[]).expect("a query");
    assert_eq!(
        query,
        RepositoryQuery {
            page: 1,
            ..RepositoryQuery::default()
        }
    );
}

#[test]
fn impossible_choices_are_ignored_except_the_branch() {
    let wrong = [
        ("range", "1y"),
        ("from", "March"),
        ("to", "2026-02-30"),
        ("before", "x"),
        ("language", "C C"),
        ("p", "-1"),
        ("compare", ""),
    ];
    assert_eq!(query(&wrong), query(&[]));
    assert_eq!(query(&[("branch", "a\nb")]), None);
    assert_eq!(query(&[("branch", "")]), query(&[]));
    let last = query(&[("branch", "b")]);
    assert_eq!(query(&[("branch", "a"), ("branch", "b")]), last);
}

#[test]
fn branches_are_compared_with_the_named_ones_or_with_none() {
    let compared = |names: &[&str]| {
        let named: Vec<_> = names.iter().map(|name| ("compare", *name)).collect();
        query(&named).expect("a query").compared
    };
    let branches = |names: &[&str]| {
        let names = names.iter().map(|name| name.parse().expect("a branch"));
        Compared::Branches(names.collect())
    };
    assert_eq!(compared(&[]), Compared::Main);
    assert_eq!(compared(&["-"]), branches(&[]));
    assert_eq!(compared(&["-", "a", ""]), branches(&["a"]));
    let many = ["a", "b", "c", "d", "e", "f", "g", "h"];
    assert_eq!(compared(&many), branches(&many[..7]));
}

#[test]
fn every_choice_is_in_the_address_and_read_from_it() {
    let given = [
        ("branch", "fix/مرحبا 🚀"),
        ("compare", "-"),
        ("language", "c++"),
        ("range", "all"),
        ("from", "2026-03-01"),
        ("to", "2026-03-31"),
        ("after", "17-4"),
        ("find", "x"),
        ("branches", "-coverage"),
        ("p", "3"),
    ];
    let query = query(&given).expect("a query");
    assert_eq!(query.range, TrendRange::All);
    let address =
        links::repository_page(&"acme/payments".parse().expect("a repository"), &query);
    for (name, _) in given {
        assert!(
            address.contains(&format!("{name}=")),
            "{name} is not in {address}"
        );
    }
}
