//! Checks the host of a request: exactly one (RFC 9112, section 3.2) and, if the operator lists host names, one of
//! these.

use super::{health, observe};
use crate::{
    http::error::{ApiError, Code},
    operations::metrics::Requests,
    state::AppState,
};
use axum::{
    extract::Request,
    http::{HeaderValue, Uri, Version, header, uri::Authority},
    response::{IntoResponse, Response},
};
use config::{AllowedHosts, Origin};

pub(super) struct Hosts {
    allowed: AllowedHosts,
    /// The hosts of the service's own addresses, in lower case.
    own: Vec<String>,
    requests: Requests,
}

impl Hosts {
    pub(super) fn allowed(state: &AppState) -> Self {
        let dashboard = state.public_url.0.parse().ok();
        let origins = dashboard.as_ref().and_then(Origin::of);
        let origins = origins.iter().chain(state.reports_origin.as_deref());
        Self {
            allowed: state.allowed_hosts.clone(),
            own: origins.map(|origin| origin.host().to_owned()).collect(),
            requests: state.metrics.requests.clone(),
        }
    }

    pub(super) fn any(state: &AppState) -> Self {
        Self {
            allowed: AllowedHosts::default(),
            own: Vec::new(),
            requests: state.metrics.requests.clone(),
        }
    }

    /// Checks that a request names exactly one host, and an accepted one. Later code reads the checked host from `Host`.
    pub(super) fn check(&self, request: &mut Request) -> Result<(), ApiError> {
        if let Some(name) = plain_host(request) {
            return self.admit(name, request.uri());
        }
        let host = one_host(request)?;
        let name = host.as_ref().map_or("", Authority::host);
        self.admit(name, request.uri())?;
        if let Some(host) = host
            && let Ok(host) = HeaderValue::try_from(without_user(&host))
        {
            request.headers_mut().insert(header::HOST, host);
        }
        Ok(())
    }

    /// Answers a request that is refused before it has a route.
    pub(super) fn refused(&self, request: &Request, refusal: ApiError) -> Response {
        observe::count_refused(&self.requests, request.method(), refusal.status());
        refusal.into_response()
    }

    /// Checks whether a host is allowed. Health checks are allowed with any host, since load balancers send them to an IP
    /// address.
    fn admit(&self, host: &str, uri: &Uri) -> Result<(), ApiError> {
        let is_allowed = self.allowed.is_any()
            || self.allowed.contains(host)
            || self.own.iter().any(|own| own.eq_ignore_ascii_case(host))
            || health::is_path(uri.path());
        is_allowed.then_some(()).ok_or_else(|| {
            ApiError::new(
                Code::HostNotAllowed,
                "The host name of this request is not allowed; use the service's public address, or ask the operator to add the name to ALLOWED_HOSTS.",
            )
        })
    }
}

/// The name in the only `Host` of a request, if it has only plain characters. This is the fast path of nearly all requests.
fn plain_host(request: &Request) -> Option<&str> {
    let mut named = request.headers().get_all(header::HOST).iter();
    let (Some(host), None, None) = (named.next(), named.next(), request.uri().authority()) else {
        return None;
    };
    let host = host.to_str().ok()?;
    let (name, port) = host.split_once(':').unwrap_or((host, "0"));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let has_port =
        (1..=5).contains(&port.len()) && port.bytes().all(|digit| digit.is_ascii_digit());
    (!name.is_empty() && name.bytes().all(is_plain) && has_port).then_some(name)
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
    ApiError::malformed(format!(
        "The request has {what}; send exactly one Host header, with the name of this host."
    ))
}

/// Returns an authority without its user, as `Host` has it.
fn without_user(host: &Authority) -> &str {
    let text = host.as_str();
    text.rsplit_once('@').map_or(text, |(_, host)| host)
}
