//! Reads the cookies of a request (RFC 6265, section 5.4).

use axum::http::{HeaderMap, header};

/// Returns the first non-empty cookie of that name.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find_map(|(cookie, value)| (cookie == name && !value.is_empty()).then_some(value))
}
