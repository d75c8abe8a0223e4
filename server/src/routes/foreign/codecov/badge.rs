//! The addresses of Codecov's badges, which answer as the badge of this service does.

use crate::routes::{badge, readable::Readable};
use axum::{
    extract::Request,
    http::{
        Uri,
        uri::{InvalidUri, PathAndQuery},
    },
    response::Response,
};
use form_urlencoded::Serializer;
use percent_encoding::percent_decode_str;

/// `/gh/{owner}/{repo}/graph/badge.svg` and `/gh/{owner}/{repo}/branch/{branch}/graph/badge.svg`: an unknown name gives a grey badge.
pub(in crate::routes) async fn svg(state: Readable, mut request: Request) -> Response {
    let path = percent_decode_str(request.uri().path()).decode_utf8_lossy();
    let named = named(&path);
    if let Ok(own) = own(named) {
        *request.uri_mut() = own;
    }
    badge::svg(state, request).await
}

/// The org, the repository and the branch of a badge.
type Named = Option<(String, String, Option<String>)>;

fn named(path: &str) -> Named {
    let path = path
        .strip_suffix("/graph/badge.svg")
        .or_else(|| path.strip_suffix("/graphs/badge.svg"))?;
    let rest = path.trim_start_matches('/').split_once('/')?.1;
    let (slug, branch) = match rest.split_once("/branch/") {
        Some((slug, branch)) => (slug, Some(branch.to_owned())),
        None => (rest, None),
    };
    let (org, repo) = slug.rsplit_once('/')?;
    Some((org.to_owned(), repo.to_owned(), branch))
}

/// The address of the same badge here.
fn own(named: Named) -> Result<Uri, InvalidUri> {
    let mut query = Serializer::new(String::new());
    if let Some((org, repo, branch)) = named {
        query
            .append_pair("org_name", &org)
            .append_pair("repo_name", &repo);
        if let Some(branch) = branch {
            query.append_pair("branch_name", &branch);
        }
    }
    let path = format!("/coverages-api/badge?{}", query.finish());
    Ok(Uri::from(path.parse::<PathAndQuery>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_badge_names_a_repository_and_perhaps_a_branch() {
        let of = |org: &str, repo: &str, branch: Option<&str>| {
            Some((org.to_owned(), repo.to_owned(), branch.map(str::to_owned)))
        };
        for (path, expected) in [
            ("/gh/acme/app/graph/badge.svg", of("acme", "app", None)),
            (
                "/gl/acme/web/app/graphs/badge.svg",
                of("acme/web", "app", None),
            ),
            (
                "/gh/acme/app/branch/release/1.0/graph/badge.svg",
                of("acme", "app", Some("release/1.0")),
            ),
            ("/gh/acme/app", None),
            ("/gh/graph/badge.svg", None),
        ] {
            assert_eq!(named(path), expected, "{path}");
        }
    }
}
