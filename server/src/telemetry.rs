//! Log lines: where they go, their form, and the span that every request has.

use crate::config::LogFormat;
use axum::http::Request;
use std::io::IsTerminal;
use tower_http::request_id::RequestId;
use tracing::Span;
use tracing_subscriber::{EnvFilter, fmt};

/// Starts logging to standard error; `RUST_LOG` overrides which lines are written.
pub fn start(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let is_terminal = std::io::stderr().is_terminal();
    match format {
        LogFormat::Text => builder.with_target(false).with_ansi(is_terminal).init(),
        LogFormat::Json => builder.json().init(),
    }
}

/// The span of one request: its id, method and path. Query and headers stay out: they may hold what is not ours to keep.
pub fn request_span<B>(request: &Request<B>) -> Span {
    let id = request
        .extensions()
        .get::<RequestId>()
        .and_then(|id| id.header_value().to_str().ok())
        .unwrap_or_default();
    tracing::info_span!("request", id, method = %request.method(), path = request.uri().path())
}
