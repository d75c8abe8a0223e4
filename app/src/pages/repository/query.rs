//! Reads the query from the parameters of the address.

use domain::{BranchName, Compared, HistoryPlace, RepositoryQuery};
use leptos_router::params::ParamsMap;
use std::str::FromStr;

/// Reads the query. None for an invalid branch name, because a page for another branch would be wrong. Other invalid
/// values are ignored.
pub(super) fn query_of(parameters: &ParamsMap) -> Option<RepositoryQuery> {
    let branch = match text(parameters, "branch") {
        None => None,
        Some(branch) => Some(branch.parse().ok()?),
    };
    let older = parsed(parameters, "before").map(HistoryPlace::OlderThan);
    let newer = || parsed(parameters, "after").map(HistoryPlace::NewerThan);
    let sorted = || parsed(parameters, "order").map(HistoryPlace::Sorted);
    let place = older.or_else(newer).or_else(sorted).unwrap_or_default();
    Some(RepositoryQuery {
        branch,
        compared: compared(parameters),
        language: parsed(parameters, "language"),
        range: parsed(parameters, "range").unwrap_or_default(),
        from: parsed(parameters, "from"),
        to: parsed(parameters, "to"),
        place,
        keyword: text(parameters, "find")
            .unwrap_or_default()
            .trim()
            .to_owned(),
        page: parsed(parameters, "p").unwrap_or(1),
    })
}

fn compared(parameters: &ParamsMap) -> Compared {
    let named: Vec<String> = parameters.get_all("compare").unwrap_or_default();
    if named.iter().all(String::is_empty) {
        return Compared::Main;
    }
    // A chart shows only a few lines, so further branches are dropped here.
    let branches = named.iter().filter(|name| *name != "-");
    let branches = branches.filter_map(|name| name.parse::<BranchName>().ok());
    Compared::Branches(branches.take(crate::charts::MAX_LINES - 1).collect())
}

/// The value of a parameter; none if it is empty.
fn text(parameters: &ParamsMap, name: &str) -> Option<String> {
    parameters.get(name).filter(|text| !text.is_empty())
}

fn parsed<T: FromStr>(parameters: &ParamsMap, name: &str) -> Option<T> {
    text(parameters, name)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links;
    use domain::TrendRange;

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
        assert_eq!(compared(&["a", "b", "c", "d"]), branches(&["a", "b", "c"]));
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
}
