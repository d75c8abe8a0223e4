//! Redirects page addresses of builds before 0.1, in which some parameters had other names.

use crate::http::surround::run;
use axum::{
    extract::Request,
    http::Uri,
    response::{IntoResponse, Redirect, Response},
    routing::Route,
};

/// The start of a path, the old name of a parameter, and its present name.
const NAMES: [(&str, &str, &str); 7] = [
    ("/", "q", "keyword"),
    ("/", "org", "org_name"),
    ("/repos/", "branch", "branch_name"),
    ("/repos/", "find", "keyword"),
    ("/repos/", "order", "history"),
    ("/setup", "org", "org_name"),
    ("/setup", "repo", "repo_name"),
];

/// The old value of a parameter that sorts, and its present value.
const ORDERS: [(&str, &str); 7] = [
    ("name-reversed", "-name"),
    ("lowest", "coverage"),
    ("highest", "-coverage"),
    ("drop", "change"),
    ("rise", "-change"),
    ("oldest", "uploaded"),
    ("recent", "-uploaded"),
];

/// Redirects a former address, and answers all others by `route`.
pub(super) async fn redirected((): (), request: Request, route: Route) -> Response {
    match current(request.uri()) {
        Some(address) => Redirect::permanent(&address).into_response(),
        None => run(route, request).await,
    }
}

/// The present address for an old address; `None` if the address is not old.
fn current(address: &Uri) -> Option<String> {
    let (path, query) = (address.path(), address.query()?);
    let has_path = |start: &str| path == start || start.len() > 1 && path.starts_with(start);
    let renamed = |name: &str| {
        let found = NAMES
            .iter()
            .find(|(start, former, _)| has_path(start) && *former == name);
        found.map(|(_, _, name)| *name)
    };
    let sorted = |name: &str, value: &str| {
        let sorts = renamed(name) == Some("history") || path == "/" && name == "sort";
        let found = ORDERS.iter().find(|(former, _)| sorts && *former == value);
        found.map(|(_, order)| *order)
    };
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    if !pairs.any(|(name, value)| renamed(&name).is_some() || sorted(&name, &value).is_some()) {
        return None;
    }
    let mut current = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let value = sorted(&name, &value).unwrap_or(&value);
        current.append_pair(renamed(&name).unwrap_or(&name), value);
    }
    Some(format!("{path}?{}", current.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_parameters_lead_to_the_parameters_of_the_api() {
        for (former, expected) in [
            (
                "/?q=a%20b&org=acme&sort=lowest&p=2",
                "/?keyword=a+b&org_name=acme&sort=coverage&p=2",
            ),
            (
                "/repos/acme/pay?branch=fix%2Fx&find=y&order=rise",
                "/repos/acme/pay?branch_name=fix%2Fx&keyword=y&history=-change",
            ),
            (
                "/setup?org=acme&repo=pay&ci=x",
                "/setup?org_name=acme&repo_name=pay&ci=x",
            ),
        ] {
            let found = current(&former.parse().expect("an address"));
            assert_eq!(found.as_deref(), Some(expected));
            assert_eq!(current(&expected.parse().expect("an address")), None);
        }
        for other in [
            "/",
            "/?sort=name",
            "/uploads?repo=x",
            "/records/1?sort=lines",
            "/coverages-api/search?q=x",
            "//host.example/?order=lowest",
        ] {
            assert_eq!(
                current(&other.parse().expect("an address")),
                None,
                "{other}"
            );
        }
    }
}
