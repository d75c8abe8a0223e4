//! The addresses of pages and HTML reports: the only place that builds them.

mod compare;
mod forge;
mod lists;
mod pull_requests;
mod record;
mod repositories;

pub use compare::{COMPARE, OTHERS, compare, compare_others};
pub use forge::ForgePages;
pub use lists::{
    audit, author, author_records, cold, flicker, owners, owners_csv, owners_in, report, setup,
    uploads, views, views_csv,
};
pub use pull_requests::{
    PullRequestAddress, gates, gates_csv, pull_request, pull_request_uploads, pull_requests,
    pull_requests_before,
};
pub use record::{
    IDLE, badge_version, changes, delete_part, framed_report, framed_source, idle_tests, parts,
    preview_of_record, record_badge, record_files, record_page, record_view, source, source_in,
    source_lines, test, tests,
};
pub use repositories::{
    badge, new_token_of, preview, repository_in, repository_page, setup_of, trend, trend_points,
    view_trend,
};

use crate::{BranchName, OrgName, OrgQuery, OverviewQuery, PartName, Repository};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The overview.
pub const HOME: &str = "/";

/// The ledger of uploads.
pub const UPLOADS: &str = "/uploads";

/// The images of link previews.
const PREVIEW: &str = "/coverages-api/preview.png";

/// The script that uploads the coverage of a CI job.
pub const UPLOADER: &str = "/upload.sh";

/// The storage page.
pub const STORAGE: &str = "/storage";

/// The audit log.
pub const AUDIT: &str = "/audit";

/// The settings page: tokens and the effective configuration.
pub const SETTINGS: &str = "/settings";

/// Asks for confirmation before a record is deleted.
pub const DELETE_RECORD: &str = "/admin/delete";

/// Asks for confirmation before a token is revoked.
pub const REVOKE_TOKEN: &str = "/admin/revoke";

/// The gate of a repository, and what other rules would have said.
pub const GATE: &str = "/admin/gate";

/// Where the form that deletes a record is sent.
pub const DELETE_RECORD_NOW: &str = "/admin/records/delete";

/// Where the form that makes a token is sent.
pub const CREATE_TOKEN: &str = "/admin/tokens/create";

/// Where the form that revokes a token is sent.
pub const REVOKE_TOKEN_NOW: &str = "/admin/tokens/revoke";

/// Where the form that sets rules of a gate is sent.
pub const SET_GATE: &str = "/admin/gate/set";

/// Where the form that removes the rules of a gate is sent.
pub const CLEAR_GATE: &str = "/admin/gate/clear";

/// The pages for administrators.
pub const ADMIN_PAGES: [&str; 5] = [AUDIT, SETTINGS, DELETE_RECORD, REVOKE_TOKEN, GATE];

/// How to upload, and what the words of all pages mean.
pub const HELP: &str = "/setup#words";

/// The service in a few lines, with its addresses, for language models.
pub const FOR_AGENTS: &str = "/llms.txt";

/// The description of the interface.
pub const OPENAPI: &str = "/coverages-api/openapi.json";

/// The login of people at an issuer.
pub const LOGIN_START: &str = "/login/start";

/// The setup page.
pub const SETUP: &str = "/setup";

/// All orgs.
pub const ORGS: &str = "/orgs";

/// The search for authors.
pub const AUTHORS: &str = "/authors";

/// The start of the path of a repository's page, before the repository's name.
pub const REPOSITORIES: &str = "/repos/";

/// The names of all repositories as JSON.
pub const REPOSITORY_NAMES: &str = "/coverages-api/repositories";

/// The overview for a query; defaults are left out of the address.
pub fn overview(query: &OverviewQuery) -> String {
    with(HOME, &query.parameters())
}

/// The branches, commits and authors that match a text as JSON; matches in the repository `first` come first.
pub fn search(text: &str, first: Option<&Repository>) -> String {
    with_query(
        "/coverages-api/search",
        &[
            ("q", Some(text)),
            ("org_name", first.map(|first| first.org.as_str())),
            ("repo_name", first.map(|first| first.repo.as_str())),
        ],
    )
}

/// An org's page. Names of orgs need no encoding.
pub fn org(org: &OrgName) -> String {
    format!("{ORGS}/{org}")
}

/// The page of an org, or of all orgs.
pub fn orgs(one: Option<&OrgName>) -> String {
    one.map_or_else(|| ORGS.to_owned(), org)
}

/// The page that asks for confirmation before a record is deleted.
pub fn delete_record(id: i64) -> String {
    format!("{DELETE_RECORD}?record={id}")
}

/// The page that asks for confirmation before a token is revoked.
pub fn revoke_token(id: i64) -> String {
    format!("{REVOKE_TOKEN}?token={id}")
}

/// The gate of a repository.
pub fn gate(of: &Repository) -> String {
    format!("{GATE}?org_name={}&repo_name={}", of.org, of.repo)
}

/// A record's page.
pub fn record(id: i64) -> String {
    format!("/records/{id}")
}

/// A repository's page. Names of orgs and repositories need no encoding.
pub fn repository(repository: &Repository) -> String {
    format!("/repos/{repository}")
}

/// The page of an org or of all orgs for a query.
pub fn org_view(query: &OrgQuery) -> String {
    with(&orgs(query.org.as_ref()), &query.parameters())
}

/// A table of an org's page as a CSV file: `trend`, `groups` or `movements`.
pub fn org_csv(query: &OrgQuery, table: &str) -> String {
    let address = format!("/coverages-api/orgs/{table}.csv");
    let org = query.org.as_ref().map(OrgName::as_str);
    with(
        &with_query(&address, &[("org_name", org)]),
        &query.parameters(),
    )
}

/// A repository's page for one branch.
pub fn branch(of: &Repository, branch: &BranchName) -> String {
    format!(
        "{}?branch_name={}",
        repository(of),
        encoded(branch.as_str())
    )
}

/// Links to HTML reports, which may have their own origin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportLinks {
    /// Empty if it is the dashboard's origin.
    origin: String,
}

impl ReportLinks {
    /// Links to HTML reports on `origin`, such as `https://reports.example.com`, or on the dashboard's own origin.
    pub fn new(origin: Option<String>) -> Self {
        Self {
            origin: origin.unwrap_or_default(),
        }
    }

    /// The sandbox permissions of a frame around an HTML report: no more than the header of every HTML report grants.
    pub fn sandbox(&self) -> &'static str {
        match self.origin.as_str() {
            "" => "allow-scripts allow-popups allow-downloads",
            _ => {
                "allow-scripts allow-same-origin allow-popups allow-downloads allow-forms allow-modals"
            }
        }
    }

    /// The HTML report of a record.
    pub fn report(&self, record_id: i64) -> String {
        format!("{}/reports/{record_id}/", self.origin)
    }

    /// The HTML report of a part of a record.
    pub fn part(&self, record_id: i64, part: &PartName) -> String {
        format!("{}parts/{}/", self.report(record_id), part.segment())
    }

    /// The page about a source file in the HTML report, or the report's start page if the tool wrote no page about the file.
    pub fn source(
        &self,
        record_id: i64,
        path: &str,
        line: Option<u32>,
        part: Option<&PartName>,
    ) -> String {
        record::about(&self.report(record_id), "source", path, line, part)
    }

    /// The HTML report as a zip file.
    pub fn download(&self, record_id: i64) -> String {
        format!("{}/reports/{record_id}.zip", self.origin)
    }
}

/// Adds the parameters that have a value to an address.
fn with_query(address: &str, parameters: &[(&str, Option<&str>)]) -> String {
    let parameters = parameters.iter().filter_map(|(name, value)| {
        let value = value.filter(|value| !value.is_empty())?;
        Some((*name, value.to_owned()))
    });
    with(address, &parameters.collect::<Vec<_>>())
}

/// Adds parameters to an address.
fn with(address: &str, parameters: &[(&str, String)]) -> String {
    let mut address = address.to_owned();
    for (name, value) in parameters {
        let mark = if address.contains('?') { '&' } else { '?' };
        address.push_str(&format!("{mark}{name}={}", encoded(value)));
    }
    address
}

/// Everything except RFC 3986's unreserved characters.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The login page, from which the browser continues at `next`.
pub fn login(next: &str) -> String {
    format!("/login?next={}", encoded(next))
}

/// The start of a login at the issuer, which leads to `next`.
pub fn login_start(next: &str) -> String {
    format!("{LOGIN_START}?next={}", encoded(next))
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
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
            "/repos/acme/platform/payments?branch_name=fix%2F%C3%BC%20%26%20%22x%22%23%3F"
        );
    }

    #[test]
    fn overview_addresses_contain_only_what_differs_from_the_default() {
        let link = |keyword: &str, page| {
            overview(&OverviewQuery {
                keyword: keyword.to_owned(),
                page,
                ..OverviewQuery::default()
            })
        };
        assert_eq!(
            [link("", 1), link("", 2), link("a/b", 1), link("a", 3)],
            ["/", "/?p=2", "/?keyword=a%2Fb", "/?keyword=a&p=3"]
        );
    }

    #[test]
    fn org_addresses_contain_only_what_was_chosen() {
        let plain = OrgQuery::new("acme/platform".parse().expect("an org"));
        assert_eq!(org_view(&plain), "/orgs/acme/platform");
        let chosen = [
            ("from", "2026-01-02"),
            ("mean", "plain"),
            ("over", "all"),
            ("to", "x"),
        ];
        assert_eq!(org_view(&OrgQuery::all()), "/orgs");
        let (chosen, wrong) = OrgQuery::read(plain.org.clone(), |name| {
            let found = chosen.iter().find(|(other, _)| *other == name);
            found.map(|(_, value)| (*value).to_owned())
        });
        assert_eq!(
            org_view(&chosen),
            "/orgs/acme/platform?from=2026-01-02&mean=plain&over=all"
        );
        assert_eq!(
            org_csv(&plain, "trend"),
            "/coverages-api/orgs/trend.csv?org_name=acme%2Fplatform"
        );
        let names: Vec<_> = wrong.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["to"]);
    }

    #[test]
    fn reports_may_have_their_own_origin() {
        let (own, shared) = (
            ReportLinks::new(Some("https://reports.example.com".to_owned())),
            ReportLinks::default(),
        );
        assert_eq!(own.report(7), "https://reports.example.com/reports/7/");
        assert_eq!(shared.report(7), "/reports/7/");
        let part = "e2e".parse().expect("a part");
        assert_eq!(shared.part(7, &part), "/reports/7/parts/e2e/");
        assert_eq!(shared.part(7, &PartName::default()), "/reports/7/parts/-/");
        assert_eq!(shared.download(7), "/reports/7.zip");
    }
}
