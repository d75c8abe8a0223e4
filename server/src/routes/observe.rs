//! Counts each request, and adds its route to its log lines.

use crate::operations::metrics::{Requests, UnderWay};
use axum::{
    extract::{MatchedPath, Request},
    http::{Method, StatusCode},
};
use tracing::Span;

/// The label of requests without a route: files of the site, and unknown addresses.
const ELSEWHERE: &str = "other";

/// The files that pages load. The router has one service and no template for them.
const PKG: &str = "/pkg/";

/// Counts a request that is refused before it has a route.
pub(super) fn count_refused(requests: &Requests, method_of: &Method, status: StatusCode) {
    let under_way = requests.begin(ELSEWHERE, method(method_of));
    under_way.answered(status.as_u16());
}

/// Counts a request until its answer begins, and adds its route to its log lines.
pub(super) fn begin(requests: &Requests, request: &Request) -> UnderWay {
    let route = route(request);
    Span::current().record("route", route);
    requests.begin(route, method(request.method()))
}

fn route(request: &Request) -> &str {
    match request.extensions().get::<MatchedPath>() {
        Some(template) => template.as_str(),
        None if request.uri().path().starts_with(PKG) => PKG,
        None => ELSEWHERE,
    }
}

/// Returns the label of a method. Clients can send any method, so unknown ones share a label.
fn method(method: &Method) -> &'static str {
    let mut known = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"].into_iter();
    known.find(|known| method == known).unwrap_or(ELSEWHERE)
}
