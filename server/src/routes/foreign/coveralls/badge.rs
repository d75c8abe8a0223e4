//! The addresses of Coveralls' badges: `/repos/github/{owner}/{repo}/badge.svg`, and older ones. They lie below the address of the page of
//! a repository, so they are replaced before the request is routed.

use axum::http::Uri;
use percent_encoding::percent_decode_str;

/// The names of forges in an address. Old addresses have none.
const FORGES: [&str; 3] = ["github", "gitlab", "bitbucket"];

/// Returns the address of the same badge here. `None` for any other address.
pub(in crate::routes::foreign) fn address(uri: &Uri) -> Option<Uri> {
    let (name, file) = uri.path().strip_prefix("/repos/")?.rsplit_once('/')?;
    // Browsers show an image by its content type, whatever its name.
    if !["badge.svg", "badge.png"].contains(&file) {
        return None;
    }
    let name = percent_decode_str(name).decode_utf8().ok()?;
    let (org, repo) = name.rsplit_once('/')?;
    let org = match org.split_once('/') {
        Some((forge, org)) if FORGES.contains(&forge) => org,
        _ => org,
    };
    let asked = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let branch = asked.filter(|(name, _)| name == "branch");
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("org_name", org)
        .append_pair("repo_name", repo)
        .extend_pairs(branch.map(|(_, branch)| ("branch_name", branch)).take(1))
        .finish();
    let mut parts = uri.clone().into_parts();
    let path = format!("/coverages-api/badge?{query}");
    parts.path_and_query = Some(path.parse().ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_badge_of_coveralls_has_the_address_of_the_badge_here() {
        for (theirs, ours) in [
            (
                "/repos/github/acme/payments/badge.svg?branch=main",
                Some("org_name=acme&repo_name=payments&branch_name=main"),
            ),
            (
                "/repos/acme/payments/badge.png?t=x&branch=a%2Fb&branch=c",
                Some("org_name=acme&repo_name=payments&branch_name=a%2Fb"),
            ),
            (
                "/repos/gitlab/acme/group/app/badge.svg",
                Some("org_name=acme%2Fgroup&repo_name=app"),
            ),
            (
                "/repos/github/acme/badge.svg",
                Some("org_name=github&repo_name=acme"),
            ),
            (
                "/repos/acme%26x/a%20b/badge.svg",
                Some("org_name=acme%26x&repo_name=a+b"),
            ),
            ("/repos/badge.svg", None),
            ("/repos/acme/badge.svg", None),
            ("/repos/acme/payments", None),
            ("/repos/acme/payments/badge.jpg", None),
            ("/orgs/acme/payments/badge.svg", None),
        ] {
            let found = address(&theirs.parse().expect("an address"));
            let expected = ours.map(|query| format!("/coverages-api/badge?{query}"));
            assert_eq!(found.map(|uri| uri.to_string()), expected, "{theirs}");
        }
    }
}
