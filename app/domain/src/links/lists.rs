//! The addresses of pages with filters: author, ledger, audit log and setup.

use super::{AUDIT, encoded, with};
use crate::{
    AuditQuery, AuthorQuery, ColdQuery, CommitAuthor, Day, LedgerQuery, OrgName, ReportQuery,
    Repository, SetupQuery, ViewsQuery,
};

/// An author's page.
pub fn author(author: &CommitAuthor) -> String {
    match author.as_str() {
        // Browsers resolve these path segments, encoded or not.
        name @ ("." | "..") => format!("/authors?name={name}"),
        name => format!("/authors/{}", encoded(name)),
    }
}

/// A page of an author's records.
pub fn author_records(query: &AuthorQuery) -> String {
    with(&author(&query.author), &query.parameters())
}

/// A page of the ledger of uploads.
pub fn uploads(query: &LedgerQuery) -> String {
    with("/uploads", &query.parameters())
}

/// The lines of a repository that nothing runs.
pub fn cold(of: &Repository, query: &ColdQuery) -> String {
    let mut parameters = vec![("repo", of.to_string())];
    parameters.extend(query.parameters());
    with("/cold", &parameters)
}

/// The views of a repository.
pub fn views(of: &Repository, query: &ViewsQuery) -> String {
    let mut parameters = vec![("repo", of.to_string())];
    parameters.extend(query.parameters());
    with("/views", &parameters)
}

/// The views of a repository as a CSV file.
pub fn views_csv(of: &Repository, query: &ViewsQuery) -> String {
    let mut parameters = vec![
        ("org_name", of.org.to_string()),
        ("repo_name", of.repo.to_string()),
    ];
    parameters.extend(query.parameters());
    with("/coverages-api/views.csv", &parameters)
}

/// The owners of an org as a CSV file.
pub fn owners_csv(org: &OrgName) -> String {
    with(
        "/coverages-api/owners.csv",
        &[("org_name", org.to_string())],
    )
}

/// The owners of an org, or one of them.
pub fn owners(org: &OrgName, owner: Option<&str>) -> String {
    owners_in(org, owner, (None, None))
}

/// The owners of an org, or one of them, from the first to the last day.
pub fn owners_in(org: &OrgName, owner: Option<&str>, days: (Option<Day>, Option<Day>)) -> String {
    let mut parameters = vec![("org_name", org.to_string())];
    parameters.extend(owner.map(|owner| ("owner", owner.to_owned())));
    parameters.extend(days.0.map(|day| ("from", day.to_string())));
    parameters.extend(days.1.map(|day| ("to", day.to_string())));
    with("/owners", &parameters)
}

/// The report of an org about a period.
pub fn report(query: &ReportQuery) -> String {
    with("/report", &query.parameters())
}

/// The lines of a repository that are known to flicker.
pub fn flicker(repository: &Repository) -> String {
    with("/flicker", &[("repo", repository.to_string())])
}

/// A page of the audit log.
pub fn audit(query: &AuditQuery) -> String {
    with(AUDIT, &query.parameters())
}

/// The setup page.
pub fn setup(query: &SetupQuery) -> String {
    with("/setup", &query.parameters())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FormerService, Outcome, Sender};

    #[test]
    fn any_author_name_makes_an_address_that_no_browser_shortens() {
        let link = |name: &str| author(&name.parse().expect("an author"));
        assert_eq!(link("Zoë Q. <z@x>"), "/authors/Zo%C3%AB%20Q.%20%3Cz%40x%3E");
        assert_eq!(link("a/../b?c#d%"), "/authors/a%2F..%2Fb%3Fc%23d%25");
        assert_eq!(
            [link("."), link("..")],
            ["/authors?name=.", "/authors?name=.."]
        );
        let query = AuthorQuery {
            author: "..".parse().expect("an author"),
            repository: "acme/payments".parse().ok(),
            language: "c++".parse().ok(),
            after: "7-1".parse().ok(),
            order: "-coverage".parse().ok(),
        };
        assert_eq!(
            author_records(&query),
            "/authors?name=..&repo=acme%2Fpayments&language=c%2B%2B&after=7-1&records=-coverage"
        );
    }

    #[test]
    fn addresses_contain_only_the_filters_that_are_set() {
        assert_eq!(uploads(&LedgerQuery::default()), "/uploads");
        let query = LedgerQuery {
            outcome: Some(Outcome::Refused),
            sender: Some(Sender::Unknown),
            repository: "a&b".to_owned(),
            code: "invalid_token".to_owned(),
            before: Some(7),
        };
        assert_eq!(
            uploads(&query),
            "/uploads?outcome=refused&sender=unknown&repo=a%26b&code=invalid_token&before=7"
        );
        assert_eq!(setup(&SetupQuery::default()), "/setup");
        let query = SetupQuery {
            org: "acme".to_owned(),
            repo: "payments".to_owned(),
            ci: "github".to_owned(),
            language: "c++".to_owned(),
            tool: String::new(),
            from: Some(FormerService::Codecov),
        };
        assert_eq!(
            setup(&query),
            "/setup?org_name=acme&repo_name=payments&ci=github&language=c%2B%2B&from=codecov"
        );
    }
}
