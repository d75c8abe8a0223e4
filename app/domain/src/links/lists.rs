//! The addresses of pages with filters: author, ledger, audit log and setup.

use super::{AUDIT, encoded, with_query};
use crate::{
    AuditAction, AuditQuery, AuthorQuery, CommitAuthor, Language, LedgerQuery, Outcome, Repository,
    Sender, SetupQuery,
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
    let repository = query.repository.as_ref().map(ToString::to_string);
    let after = query.after.map(|after| after.to_string());
    let order = query.order.map(|order| order.to_string());
    with_query(
        &author(&query.author),
        &[
            ("repo", repository.as_deref()),
            ("language", query.language.as_ref().map(Language::as_str)),
            ("after", after.as_deref()),
            ("records", order.as_deref()),
        ],
    )
}

/// A page of the ledger of uploads.
pub fn uploads(query: &LedgerQuery) -> String {
    let before = query.before.map(|id| id.to_string());
    with_query(
        "/uploads",
        &[
            ("outcome", query.outcome.map(Outcome::as_text)),
            ("sender", query.sender.map(Sender::as_text)),
            ("repo", Some(query.repository.as_str())),
            ("code", Some(query.code.as_str())),
            ("before", before.as_deref()),
        ],
    )
}

/// The lines of a repository that are known to flicker.
pub fn flicker(repository: &Repository) -> String {
    with_query(
        "/flicker",
        &[("repo", Some(repository.to_string().as_str()))],
    )
}

/// A page of the audit log.
pub fn audit(query: &AuditQuery) -> String {
    let before = query.before.map(|id| id.to_string());
    with_query(
        AUDIT,
        &[
            ("repo", Some(query.repository.as_str())),
            ("action", query.action.map(AuditAction::as_text)),
            ("before", before.as_deref()),
        ],
    )
}

/// The setup page.
pub fn setup(query: &SetupQuery) -> String {
    with_query(
        "/setup",
        &[
            ("org", Some(query.org.as_str())),
            ("repo", Some(query.repo.as_str())),
            ("ci", Some(query.ci.as_str())),
            ("language", Some(query.language.as_str())),
            ("tool", Some(query.tool.as_str())),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
        };
        assert_eq!(
            setup(&query),
            "/setup?org=acme&repo=payments&ci=github&language=c%2B%2B"
        );
    }
}
