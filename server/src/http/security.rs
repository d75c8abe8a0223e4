//! Headers that keep uploaded HTML, clients and the dashboard apart.

mod report;

pub(crate) use report::{OWN_PAGE_POLICY, ReportHeaders, protect_report};

use axum::http::{HeaderName, HeaderValue};
use config::Origin;

/// This header sets which pages may share a browsing context group.
pub(crate) const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// Only pages of the same origin.
pub(crate) const ONLY_SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");

/// Bytes of the longest request id that is accepted from a client.
const REQUEST_ID_BYTES: usize = 128;

/// The policy of a dashboard page whose scripts carry `nonce`. The page may frame HTML reports, also from their own
/// origin.
///
/// `strict-dynamic` lets these scripts load the WASM module. Uploaded files on this origin do not run as scripts of the
/// page.
pub(crate) fn page_policy(nonce: &str, reports: Option<&Origin>) -> String {
    let frames = with_reports(reports);
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; \
         frame-src {frames}; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// The policy of the login page, which has no scripts. Login may redirect to an HTML report, and browsers apply
/// `form-action` to redirects too.
pub(crate) fn login_policy(reports: Option<&Origin>) -> String {
    let forms = with_reports(reports);
    format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action {forms}; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// The own origin, and the origin of HTML reports.
fn with_reports(reports: Option<&Origin>) -> String {
    reports.map_or("'self'".to_owned(), |origin| format!("'self' {origin}"))
}

/// Whether a request id is printable and not too long, since request ids are echoed and logged.
pub(crate) fn is_request_id(id: &HeaderValue) -> bool {
    (1..=REQUEST_ID_BYTES).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
}
