//! Which host a request is for: exactly one (RFC 9112, section 3.2) and, where the operator lists names, one of these.

use super::{health, observe};
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

/// What requests may be for.
struct Hosts {
    allowed: AllowedHosts,
    /// Hosts of the service's own addresses, in lower case.
    own: Vec<String>,
    metrics: Metrics,
}

/// The same routes for requests that are for one host, which may be reached by that name.
pub(super) fn checked(routes: Router, state: &AppState) -> Router {
    let dashboard = state.public_url.0.parse().ok();
    let origins = dashboard.as_ref().and_then(Origin::of);
    let origins = origins.iter().chain(state.reports_origin.as_deref());
    let own = origins.map(|origin| origin.host().to_owned()).collect();
    with(routes, state, state.allowed_hosts.clone(), own)
}

/// The same routes for requests that are for one host, whatever its name.
pub(super) fn single(routes: Router, state: &AppState) -> Router {
    with(routes, state, AllowedHosts::default(), Vec::new())
}

fn with(routes: Router, state: &AppState, allowed: AllowedHosts, own: Vec<String>) -> Router {
    let hosts = Arc::new(Hosts {
        allowed,
        own,
        metrics: state.metrics.clone(),
    });
    routes.layer(from_fn_with_state(hosts, check))
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
    // Whatever looks at `Host` later sees the host that counts.
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

    /// Balancers ask after the health of a service by its address.
    fn admits(&self, host: &str, uri: &Uri) -> bool {
        self.allowed.is_any()
            || self.allowed.contains(host)
            || self.own.iter().any(|own| own.eq_ignore_ascii_case(host))
            || health::is_asked_for(uri.path())
    }
}

/// The host that a request is for; none where HTTP/1.0 names none. What stands in the request's target counts more than
/// `Host`, which has to be there all the same (RFC 9112, section 3.2.2).
fn one_host(request: &Request) -> Result<Option<Authority>, ApiError> {
    let mut named = request.headers().get_all(header::HOST).iter();
    let named = match (named.next(), named.next()) {
        (Some(host), None) => Some(host),
        (None, _) if request.version() < Version::HTTP_11 => None,
        (None, _) => return Err(malformed("no Host header")),
        (Some(_), Some(_)) => return Err(malformed("more than one Host header")),
    };
    let named = match named {
        // Allowed where a target has no host of its own.
        Some(host) if host.is_empty() => None,
        Some(host) => {
            let host = Authority::try_from(host.as_bytes());
            let host = host.ok().filter(|host| !host.as_str().contains('@'));
            Some(host.ok_or_else(|| malformed("a Host header that is no host"))?)
        }
        None => None,
    };
    Ok(request.uri().authority().cloned().or(named))
}

fn malformed(what: &str) -> ApiError {
    ApiError::new(
        Code::MalformedRequest,
        format!("The request has {what}; send exactly one, with the name of this host."),
    )
}

fn not_allowed() -> ApiError {
    ApiError::new(
        Code::HostNotAllowed,
        "This service is not reached by the host name of this request; use its public address, or ask its operator to list the name in ALLOWED_HOSTS.",
    )
}

/// An authority as `Host` has it.
fn without_user(host: &Authority) -> &str {
    let text = host.as_str();
    text.rsplit_once('@').map_or(text, |(_, host)| host)
}
