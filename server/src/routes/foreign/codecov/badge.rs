//! The addresses of Codecov's badges, which answer as the badge of this service does. A flag is a part, a component a view of the
//! settings.

use crate::routes::{badge, foreign::statement::part_of, readable::Readable};
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
use std::borrow::Cow;

/// `/gh/{owner}/{repo}/graph/badge.svg` and `/gh/{owner}/{repo}/branch/{branch}/graph/badge.svg`: an unknown name gives a grey badge.
pub(in crate::routes) async fn svg(state: Readable, mut request: Request) -> Response {
    let path = percent_decode_str(request.uri().path()).decode_utf8_lossy();
    let is_text = path.ends_with(TEXT);
    if let Ok(own) = own(named(&path), request.uri().query(), is_text) {
        *request.uri_mut() = own;
    }
    match is_text {
        true => badge::text(state, request).await,
        false => badge::svg(state, request).await,
    }
}

/// The end of an address whose answer is only the number.
const TEXT: &str = ".txt";

/// The org, the repository and the branch of a badge.
type Named = Option<(String, String, Option<String>)>;

fn named(path: &str) -> Named {
    let path = path
        .strip_suffix(TEXT)
        .or_else(|| path.strip_suffix(".svg"))?;
    let path = path
        .strip_suffix("/graph/badge")
        .or_else(|| path.strip_suffix("/graphs/badge"))?;
    let rest = path.trim_start_matches('/').split_once('/')?.1;
    let (slug, branch) = match rest.split_once("/branch/") {
        Some((slug, branch)) => (slug, Some(branch.to_owned())),
        None => (rest, None),
    };
    let (org, repo) = slug.rsplit_once('/')?;
    Some((org.to_owned(), repo.to_owned(), branch))
}

/// The address of the same badge here. Programs read a text as a whole number.
fn own(named: Named, asked: Option<&str>, is_text: bool) -> Result<Uri, InvalidUri> {
    let mut precision = is_text.then(|| Cow::from("0"));
    let mut query = Serializer::new(String::new());
    if let Some((org, repo, branch)) = named {
        query
            .append_pair("org_name", &org)
            .append_pair("repo_name", &repo);
        if let Some(branch) = branch {
            query.append_pair("branch_name", &branch);
        }
    }
    for (name, value) in form_urlencoded::parse(asked.unwrap_or_default().as_bytes()) {
        match &*name {
            // Without a name that a part can have, the coverage is unknown.
            "flag" => query.append_pair("part", &part_of([&*value]).unwrap_or(value.into_owned())),
            "component" => query.append_pair("view", &format!("view:{value}")),
            "precision" => {
                precision = Some(value);
                continue;
            }
            _ => continue,
        };
    }
    if let Some(precision) = precision {
        query.append_pair("precision", &precision);
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
            ("/gh/acme/app/graph/badge.txt", of("acme", "app", None)),
            ("/gh/acme/app/graph/badge.png", None),
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
