//! Middleware around all routes: counts each request, and adds its route to its log lines.

use crate::operations::metrics::{Metrics, RequestLabels, Requests};
use axum::{
    Router,
    extract::{MatchedPath, Request, State},
    http::{Method, StatusCode},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use tracing::Span;

/// The label of requests without a route: files of the site, and unknown addresses.
const ELSEWHERE: &str = "other";

/// The files that pages load. The router has one service and no template for them.
const PKG: &str = "/pkg/";

/// Adds counting to the routes.
pub(super) fn observed(routes: Router, metrics: &Metrics) -> Router {
    routes.layer(from_fn_with_state(metrics.requests().clone(), observe))
}

/// Counts a request that is refused before it has a route.
pub(super) fn count_refused(metrics: &Metrics, method_of: &Method, status: StatusCode) {
    let labels = RequestLabels {
        route: ELSEWHERE.to_owned(),
        method: method(method_of),
    };
    metrics.requests().begin(labels).answered(status.as_u16());
}

async fn observe(State(requests): State<Requests>, request: Request, next: Next) -> Response {
    let route = route(&request);
    Span::current().record("route", route);
    let under_way = requests.begin(RequestLabels {
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

/// Returns the label of a method. Clients can send any method, so unknown ones share a label.
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
