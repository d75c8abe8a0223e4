//! The addresses of pages and reports: the only place that puts them together.

use crate::domain::{BranchName, OverviewQuery, Repository};

/// The overview.
pub const HOME: &str = "/";

/// What became of uploads.
pub const UPLOADS: &str = "/uploads";

/// How to upload.
pub const SETUP: &str = "/setup";

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

/// Links to uploaded reports, which may have an origin of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
