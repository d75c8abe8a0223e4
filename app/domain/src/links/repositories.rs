//! The addresses of one repository: its page with all choices, its badge, its trend.

use super::{PREVIEW, SETTINGS, repository, with};
use crate::{
    BranchName, Compared, Language, OrgQuery, Repository, RepositoryQuery, TrendRange, ViewName,
};

/// A repository's page for `query`; defaults are left out.
pub fn repository_page(of: &Repository, query: &RepositoryQuery) -> String {
    with(&repository(of), &query.parameters())
}

/// A repository's page for the period and the metric of an org's page.
pub fn repository_in(of: &Repository, org: &OrgQuery) -> String {
    let query = RepositoryQuery {
        range: org.range,
        metric: org.metric.into(),
        ..RepositoryQuery::default()
    };
    repository_page(of, &query.between(org.from, org.to))
}

/// The badge of a branch (the main branch if `None`) in a language (the last uploaded one if `None`).
pub fn badge(of: &Repository, branch: Option<&BranchName>, language: Option<&Language>) -> String {
    let mut parameters = names(of, branch, language);
    if let Some(language) = language {
        parameters.push(("label", language.to_string()));
    }
    with("/coverages-api/badge", &parameters)
}

/// The image of a link preview of a branch (the main branch if `None`).
pub fn preview(of: &Repository, branch: Option<&BranchName>) -> String {
    with(PREVIEW, &names(of, branch, None))
}

/// The trend of a branch (the main branch if `None`) as an image.
pub fn trend(
    of: &Repository,
    branch: Option<&BranchName>,
    language: Option<&Language>,
    range: TrendRange,
) -> String {
    let mut parameters = names(of, branch, language);
    parameters.push(("range", range.word().to_owned()));
    with("/coverages-api/trend.svg", &parameters)
}

/// The points of the trend of a branch and of compared branches, without the dates of `query`.
pub fn trend_points(of: &Repository, query: &RepositoryQuery) -> String {
    let mut parameters = names(of, query.branch.as_ref(), query.language.as_ref());
    if let Compared::Branches(branches) = &query.compared {
        parameters.extend(
            branches
                .iter()
                .map(|branch| ("compare", branch.to_string())),
        );
    }
    let counted = ["view", "metric", "since"];
    let query = query.parameters().into_iter();
    parameters.extend(query.filter(|(name, _)| counted.contains(name)));
    with("/coverages-api/trend", &parameters)
}

/// A repository's page with the trend of a view.
pub fn view_trend(of: &Repository, view: &ViewName) -> String {
    let query = RepositoryQuery {
        view: Some(view.clone()),
        ..RepositoryQuery::default()
    };
    repository_page(of, &query)
}

/// The setup page for a repository.
pub fn setup_of(of: &Repository) -> String {
    with(
        "/setup",
        &[
            ("org_name", of.org.to_string()),
            ("repo_name", of.repo.to_string()),
        ],
    )
}

/// The form for a token with which jobs of a repository upload.
pub fn new_token_of(of: &Repository) -> String {
    let page = with(SETTINGS, &names(of, None, None));
    format!("{page}#new-token")
}

fn names(
    of: &Repository,
    branch: Option<&BranchName>,
    language: Option<&Language>,
) -> Vec<(&'static str, String)> {
    let mut names = vec![
        ("org_name", of.org.to_string()),
        ("repo_name", of.repo.to_string()),
    ];
    names.extend(branch.map(|branch| ("branch_name", branch.to_string())));
    names.extend(language.map(|language| ("language", language.to_string())));
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HistoryPosition;

    #[test]
    fn repository_addresses_contain_only_what_was_chosen() {
        let of = "acme/payments".parse().expect("a repository");
        let mut query = RepositoryQuery::default();
        assert_eq!(repository_page(&of, &query), "/repos/acme/payments");
        query.branch = Some("fix/ü&x".parse().expect("a branch"));
        query.compared = Compared::Branches(vec!["a b".parse().expect("a branch")]);
        query.language = Some("c++".parse().expect("a language"));
        query.range = TrendRange::All;
        query.from = Some("2026-03-01".parse().expect("a day"));
        query.to = Some("2026-03-31".parse().expect("a day"));
        query.place = HistoryPosition::OlderThan("17-4".parse().expect("a key"));
        query.keyword = "%".to_owned();
        query.page = 2;
        assert_eq!(
            repository_page(&of, &query),
            "/repos/acme/payments?branch_name=fix%2F%C3%BC%26x&compare=a%20b&language=c%2B%2B&range=all&from=2026-03-01&to=2026-03-31&before=17-4&keyword=%25&p=2"
        );
        query = RepositoryQuery {
            compared: Compared::Branches(Vec::new()),
            ..RepositoryQuery::default()
        };
        assert_eq!(
            repository_page(&of, &query),
            "/repos/acme/payments?compare=-"
        );
    }

    #[test]
    fn an_orgs_period_leads_to_the_same_period_of_its_repositories() {
        let of = "acme/payments".parse().expect("a repository");
        for (parameters, expected) in [
            (&[][..], ""),
            (&[("range", "12m")], "?range=12m"),
            (
                &[
                    ("from", "2026-03-01"),
                    ("to", "2026-03-31"),
                    ("mean", "plain"),
                ],
                "?from=2026-03-01&to=2026-03-31",
            ),
        ] {
            let (org, _) = OrgQuery::read("acme".parse().ok(), |name| {
                let found = parameters.iter().find(|(other, _)| *other == name);
                found.map(|(_, value)| (*value).to_owned())
            });
            assert_eq!(
                repository_in(&of, &org),
                format!("/repos/acme/payments{expected}")
            );
        }
    }

    #[test]
    fn badge_and_trend_addresses_contain_their_branch_and_language() {
        let of = "acme/platform/payments".parse().expect("a repository");
        let (branch, language) = (
            "f#1".parse().expect("a branch"),
            "c#".parse().expect("a language"),
        );
        assert_eq!(
            badge(&of, Some(&branch), Some(&language)),
            "/coverages-api/badge?org_name=acme%2Fplatform&repo_name=payments&branch_name=f%231&language=c%23&label=c%23"
        );
        assert_eq!(
            trend(&of, None, None, TrendRange::Days30),
            "/coverages-api/trend.svg?org_name=acme%2Fplatform&repo_name=payments&range=30d"
        );
    }
}
