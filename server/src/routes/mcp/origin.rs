//! Which pages may send requests: only the service's own. Otherwise a page of another site, whose name resolves to this service,
//! could read with the visitor's network (DNS rebinding).

use crate::{
    http::error::{ApiError, Code},
    state::Service,
};
use axum::{
    extract::Request,
    http::{HeaderValue, header},
};
use config::Origin;

/// Checks that the request has no `Origin`, as those of programs, or that of the service.
///
/// # Errors
///
/// 403 `origin_not_allowed`.
pub(super) fn check(state: &Service, request: &Request) -> Result<(), ApiError> {
    let mut origins = request.headers().get_all(header::ORIGIN).iter();
    if origins.all(|origin| is_own(state, request, origin)) {
        return Ok(());
    }
    Err(ApiError::new(
        Code::OriginNotAllowed,
        "Pages of other sites may not send requests here; send this one from a program, without the header Origin.",
    ))
}

fn is_own(state: &Service, request: &Request, origin: &HeaderValue) -> bool {
    let Some(origin) = origin.to_str().ok().and_then(|text| text.parse().ok()) else {
        return false;
    };
    let public = state.public_url.0.parse().ok();
    if public.as_ref().and_then(Origin::of).as_ref() == Some(&origin) {
        return true;
    }
    // The host of a request alone proves nothing: with DNS rebinding it is that of the other site.
    state.allowed_hosts.contains(origin.host())
        && origin.is_host_of(request.uri(), request.headers())
}
