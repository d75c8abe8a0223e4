//! Log lines: where they go, their form, and the span that every request has.

use crate::config::LogFormat;
use axum::http::{Request, Response};
use percent_encoding::percent_decode_str;
use std::{borrow::Cow, io::IsTerminal, time::Duration};
use tower_http::request_id::RequestId;
use tracing::{Span, field::Empty};
use tracing_subscriber::{EnvFilter, fmt};

/// Starts logging to standard error; `RUST_LOG` overrides which lines are written.
pub fn start(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let is_terminal = std::io::stderr().is_terminal();
    match format {
        LogFormat::Text => builder.with_target(false).with_ansi(is_terminal).init(),
        LogFormat::Json => builder.json().with_span_list(false).init(),
    }
}

/// The span of one request: its id, method and path, and its route once that is found. Query and headers stay out: they may hold what is not ours to keep, and
/// so does the signature of a report's address.
pub fn request_span<B>(request: &Request<B>) -> Span {
    let request_id = request
        .extensions()
        .get::<RequestId>()
        .and_then(|id| id.header_value().to_str().ok())
        .unwrap_or_default();
    tracing::info_span!(
        "request",
        request_id,
        method = request.method().as_str(),
        path = &*unsigned(request.uri().path()),
        route = Empty
    )
}

/// The line of a request whose answer begins; the rest is in its span.
pub fn answered<B>(response: &Response<B>, took: Duration, _: &Span) {
    let milliseconds = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    tracing::info!(
        status = response.status().as_u16(),
        milliseconds,
        "answered"
    );
}

/// A path without what makes `/reports/{id}/@{version}.{expiry}.{signature}/…` work for whoever has it.
fn unsigned(path: &str) -> Cow<'_, str> {
    // Routes see it decoded.
    let path = percent_decode_str(path).decode_utf8_lossy();
    match without_pass(&path) {
        Some(unsigned) => unsigned.into(),
        None => path,
    }
}

fn without_pass(path: &str) -> Option<String> {
    let segment = path
        .strip_prefix("/reports/")
        .and_then(|path| path.split('/').nth(1));
    let (_, pass) = segment?.strip_prefix('@')?.split_once('.')?;
    (!pass.is_empty()).then(|| path.replace(pass, "…"))
}

#[cfg(test)]
mod tests {
    use super::unsigned;

    #[test]
    fn the_signature_of_an_address_is_not_logged() {
        let pass = "1795316400.f4ec3749fe24838bc19c5ac1e2c8d1d0";
        let version = "/reports/7/@1560a7d8c3e4cd1a";
        assert_eq!(
            unsigned(&format!("{version}.{pass}/a.b/c")),
            format!("{version}.…/a.b/c")
        );
        assert_eq!(
            unsigned(&format!("/reports/7/%401560a7d8c3e4cd1a%2E{pass}/a")),
            "/reports/7/@1560a7d8c3e4cd1a.…/a"
        );
        for path in [
            "/",
            "/reports/7.zip",
            "/reports/7/a.b",
            "/reports/7/@1560a7d8c3e4cd1a/a.b",
            "/reports/7/@types./a",
        ] {
            assert_eq!(unsigned(path), path);
        }
    }
}
