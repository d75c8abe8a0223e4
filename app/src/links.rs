//! The addresses of pages and reports: the only place that puts them together.

use crate::domain::{
    AuthorQuery, BranchName, CommitAuthor, Language, LedgerQuery, Outcome, OverviewQuery,
    RecordPlace, Repository, Sender, SetupQuery,
};
use serde::{Deserialize, Serialize};

/// The overview with a filter and a page.
pub fn overview(query: &OverviewQuery) -> String {
    match (query.keyword.as_str(), query.page) {
        ("", 0 | 1) => "/".to_owned(),
        ("", page) => format!("/?p={page}"),
        (keyword, 0 | 1) => format!("/?q={}", encoded(keyword)),
        (keyword, page) => format!("/?q={}&p={page}", encoded(keyword)),
    }
}

/// A repository's page. Names of organisations and repositories need no encoding.
pub fn repository(repository: &Repository) -> String {
    format!("/repos/{repository}")
}

/// A repository's page that speaks of one branch.
pub fn branch(of: &Repository, branch: &BranchName) -> String {
    format!("{}?branch={}", repository(of), encoded(branch.as_str()))
}

/// An author's page.
pub fn author(author: &CommitAuthor) -> String {
    match author.as_str() {
        // A browser takes these for a way up, encoded or not.
        name @ ("." | "..") => format!("/authors?name={name}"),
        name => format!("/authors/{}", encoded(name)),
    }
}

/// A page of an author's records.
pub fn author_records(query: &AuthorQuery) -> String {
    let repository = query.repository.as_ref().map(ToString::to_string);
    let after = query.after.map(RecordPlace::as_text);
    with_query(
        &author(&query.author),
        &[
            ("repo", repository.as_deref()),
            ("language", query.language.as_ref().map(Language::as_str)),
            ("after", after.as_deref()),
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
            ("q", Some(query.repository.as_str())),
            ("code", Some(query.code.as_str())),
            ("before", before.as_deref()),
        ],
    )
}

/// The page that says how to upload.
pub fn setup(query: &SetupQuery) -> String {
    let repository = query.repository.as_ref();
    with_query(
        "/setup",
        &[
            ("org", repository.map(|of| of.org.as_str())),
            ("repo", repository.map(|of| of.repo.as_str())),
            ("ci", query.ci.as_deref()),
            ("language", query.language.as_deref()),
            ("tool", query.tool.as_deref()),
        ],
    )
}

/// An address with those parameters that have a value.
fn with_query(address: &str, parameters: &[(&str, Option<&str>)]) -> String {
    let mut address = address.to_owned();
    for (name, value) in parameters {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let mark = if address.contains('?') { '&' } else { '?' };
            address.push_str(&format!("{mark}{name}={}", encoded(value)));
        }
    }
    address
}

/// Links to uploaded reports, which may have an origin of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportLinks {
    /// Empty where it is the dashboard's.
    origin: String,
}

impl ReportLinks {
    /// To reports of `origin`, such as `https://reports.example.com`, or of the dashboard's own.
    pub fn new(origin: Option<String>) -> Self {
        Self {
            origin: origin.unwrap_or_default(),
        }
    }

    /// The HTML that was uploaded with a record.
    pub fn report(&self, record_id: i64) -> String {
        format!("{}/reports/{record_id}/", self.origin)
    }

    /// All of it as one file.
    pub fn download(&self, record_id: i64) -> String {
        format!("{}/reports/{record_id}.zip", self.origin)
    }
}

/// Everything but RFC 3986's unreserved characters, percent-encoded.
fn encoded(text: &str) -> String {
    const HEXADECIMAL: &[u8; 16] = b"0123456789ABCDEF";
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            encoded.push(char::from(HEXADECIMAL[usize::from(byte >> 4)]));
            encoded.push(char::from(HEXADECIMAL[usize::from(byte & 15)]));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_of_any_characters_makes_a_safe_address() {
        let of: Repository = "acme/platform/payments".parse().expect("a repository");
        let name = "fix/ü & \"x\"#?".parse().expect("a branch");
        assert_eq!(
            branch(&of, &name),
            "/repos/acme/platform/payments?branch=fix%2F%C3%BC%20%26%20%22x%22%23%3F"
        );
    }

    #[test]
    fn an_author_of_any_characters_makes_an_address_that_no_browser_shortens() {
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
            after: RecordPlace::parse("7.1"),
        };
        assert_eq!(
            author_records(&query),
            "/authors?name=..&repo=acme%2Fpayments&language=c%2B%2B&after=7.1"
        );
    }

    #[test]
    fn addresses_carry_only_the_filters_that_are_set() {
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
            "/uploads?outcome=refused&sender=unknown&q=a%26b&code=invalid_token&before=7"
        );
        assert_eq!(setup(&SetupQuery::default()), "/setup");
        let query = SetupQuery {
            repository: "acme/payments".parse().ok(),
            ci: Some("github".to_owned()),
            language: Some("c++".to_owned()),
            tool: None,
        };
        assert_eq!(
            setup(&query),
            "/setup?org=acme&repo=payments&ci=github&language=c%2B%2B"
        );
    }

    #[test]
    fn the_overview_carries_only_what_differs_from_its_first_page() {
        let link = |keyword: &str, page| {
            overview(&OverviewQuery {
                keyword: keyword.to_owned(),
                page,
            })
        };
        assert_eq!(
            [link("", 1), link("", 2), link("a/b", 1), link("a", 3)],
            ["/", "/?p=2", "/?q=a%2Fb", "/?q=a&p=3"]
        );
    }

    #[test]
    fn reports_may_have_an_origin_of_their_own() {
        let (own, shared) = (
            ReportLinks::new(Some("https://reports.example.com".to_owned())),
            ReportLinks::default(),
        );
        assert_eq!(own.report(7), "https://reports.example.com/reports/7/");
        assert_eq!(shared.report(7), "/reports/7/");
        assert_eq!(shared.download(7), "/reports/7.zip");
    }
}
