//! Checks the host of a request: exactly one (RFC 9112, section 3.2) and, if the operator lists host names, one of
//! these.

use super::{around, health, observe};
use crate::{
    config::{AllowedHosts, Origin},
    http::error::{ApiError, Code},
    operations::metrics::Metrics,
    state::AppState,
};
use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderValue, Uri, Version, header, uri::Authority},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use std::sync::Arc;

/// The hosts that requests may be for.
struct Hosts {
    allowed: AllowedHosts,
    /// The hosts of the service's own addresses, in lower case.
    own: Vec<String>,
    metrics: Metrics,
}

/// Adds a check that a request is for exactly one host, with an allowed name.
pub(super) fn checked(routes: Router, state: &AppState) -> Router {
    let dashboard = state.public_url.0.parse().ok();
    let origins = dashboard.as_ref().and_then(Origin::of);
    let origins = origins.iter().chain(state.reports_origin.as_deref());
    let own = origins.map(|origin| origin.host().to_owned()).collect();
    with(routes, state, state.allowed_hosts.clone(), own)
}

/// Adds a check that a request is for exactly one host, with any name.
pub(super) fn single(routes: Router, state: &AppState) -> Router {
    with(routes, state, AllowedHosts::default(), Vec::new())
}

fn with(routes: Router, state: &AppState, allowed: AllowedHosts, own: Vec<String>) -> Router {
    let hosts = Arc::new(Hosts {
        allowed,
        own,
        metrics: state.metrics.clone(),
    });
    around(routes, from_fn_with_state(hosts, check))
}

async fn check(State(hosts): State<Arc<Hosts>>, mut request: Request, next: Next) -> Response {
    let host = match one_host(&request) {
        Ok(host) => host,
        Err(refusal) => return hosts.refused(&request, refusal),
    };
    let name = host.as_ref().map_or("", Authority::host);
    if !hosts.admits(name, request.uri()) {
        return hosts.refused(&request, not_allowed());
    }
    // Later code must see the checked host in `Host`.
    if let Some(host) = host
        && let Ok(host) = HeaderValue::try_from(without_user(&host))
    {
        request.headers_mut().insert(header::HOST, host);
    }
    next.run(request).await
}

impl Hosts {
    fn refused(&self, request: &Request, refusal: ApiError) -> Response {
        observe::count_refused(&self.metrics, request.method(), refusal.status());
        refusal.into_response()
    }

    /// Whether a host is allowed. Health checks are allowed with any host, since load balancers send them to an IP
    /// address.
    fn admits(&self, host: &str, uri: &Uri) -> bool {
        self.allowed.is_any()
            || self.allowed.contains(host)
            || self.own.iter().any(|own| own.eq_ignore_ascii_case(host))
            || health::is_path(uri.path())
    }
}

/// Returns the host of a request; `None` for HTTP/1.0 without one. The host in the request target takes precedence over
/// `Host`, which must still be present (RFC 9112, section 3.2.2).
fn one_host(request: &Request) -> Result<Option<Authority>, ApiError> {
    let mut named = request.headers().get_all(header::HOST).iter();
    let named = match (named.next(), named.next()) {
        (Some(host), None) => Some(host),
        (None, _) if request.version() < Version::HTTP_11 => None,
        (None, _) => return Err(malformed("no Host header")),
        (Some(_), Some(_)) => return Err(malformed("more than one Host header")),
    };
    let named = match named {
        // Allowed if the request target has no host.
        Some(host) if host.is_empty() => None,
        Some(host) => {
            let host = Authority::try_from(host.as_bytes());
            let host = host.ok().filter(|host| !host.as_str().contains('@'));
            Some(host.ok_or_else(|| malformed("a Host header that is not a host"))?)
        }
        None => None,
    };
    Ok(request.uri().authority().cloned().or(named))
}

fn malformed(what: &str) -> ApiError {
    ApiError::new(
        Code::MalformedRequest,
        format!(
            "The request has {what}; send exactly one Host header, with the name of this host."
        ),
    )
}

fn not_allowed() -> ApiError {
    ApiError::new(
        Code::HostNotAllowed,
        "The host name of this request is not allowed; use the service's public address, or ask the operator to add the name to ALLOWED_HOSTS.",
    )
}

/// Returns an authority without its user, as `Host` has it.
fn without_user(host: &Authority) -> &str {
    let text = host.as_str();
    text.rsplit_once('@').map_or(text, |(_, host)| host)
}
