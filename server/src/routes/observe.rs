//! Around every route: each request is counted, and its log lines learn which route it took.

use crate::operations::metrics::{Metrics, RequestLabels};
use axum::{
    Router,
    extract::{MatchedPath, Request, State},
    http::{Method, StatusCode},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use tracing::Span;

/// What has no route: files of the site, and whatever does not exist.
const ELSEWHERE: &str = "other";

/// The files that pages load. They are one service to the router, which so has no template for them.
const PKG: &str = "/pkg/";

/// The same routes, counted.
pub(super) fn observed(routes: Router, metrics: &Metrics) -> Router {
    routes.layer(from_fn_with_state(metrics.clone(), observe))
}

/// Counts a request that is refused before it has a route.
pub(super) fn count_refused(metrics: &Metrics, method_of: &Method, status: StatusCode) {
    let labels = RequestLabels {
        route: ELSEWHERE.to_owned(),
        method: method(method_of),
    };
    metrics.requests().begin(labels).answered(status.as_u16());
}

async fn observe(State(metrics): State<Metrics>, request: Request, next: Next) -> Response {
    let route = route(&request);
    Span::current().record("route", route);
    let under_way = metrics.requests().begin(RequestLabels {
        route: route.to_owned(),
        method: method(request.method()),
    });
    let response = next.run(request).await;
    under_way.answered(response.status().as_u16());
    response
}

fn route(request: &Request) -> &str {
    match request.extensions().get::<MatchedPath>() {
        Some(template) => template.as_str(),
        None if request.uri().path().starts_with(PKG) => PKG,
        None => ELSEWHERE,
    }
}

/// Clients may call their method what they like.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::PATCH => "PATCH",
        _ => ELSEWHERE,
    }
}
