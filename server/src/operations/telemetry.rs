//! The destination and the format of log lines.

use config::LogFormat;
use std::io::IsTerminal;
use tracing_subscriber::{EnvFilter, fmt};

/// The default filter of log lines. The library of the Model Context Protocol writes several lines for each request.
const LINES: &str = "info,rmcp=error";

/// Starts logging to standard error. `RUST_LOG` sets which lines are written.
pub fn start(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(LINES));
    let builder = fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let is_terminal = std::io::stderr().is_terminal();
    match format {
        LogFormat::Text => builder.with_target(false).with_ansi(is_terminal).init(),
        LogFormat::Json => builder.json().with_span_list(false).init(),
    }
}
