//! Accepts requests only from programs and from the service's own pages. Otherwise a page of another site, whose name resolves to
//! this service, could read it through the reader's network (DNS rebinding).

use crate::{
    http::error::{ApiError, Code},
    state::Service,
};
use axum::{
    extract::Request,
    http::{HeaderValue, header},
};
use config::Origin;

/// Checks that the request has no `Origin`, like requests of programs, or the `Origin` of the service.
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
    // The host of a request alone proves nothing: with DNS rebinding it is the host of the other site.
    state.allowed_hosts.contains(origin.host())
        && origin.is_host_of(request.uri(), request.headers())
}
