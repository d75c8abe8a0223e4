//! Headers that keep uploaded HTML, clients and the dashboard apart.

mod report;

pub(crate) use report::{OWN_PAGE_POLICY, ReportHeaders, protect_report};

use crate::config::Origin;
use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    response::Response,
};

/// Whose windows a page shares a group with.
pub(crate) const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// Only with those of its own origin.
pub(crate) const ONLY_SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");

/// The longest request id of a client's that is echoed.
const REQUEST_ID_BYTES: usize = 128;

/// The policy of a dashboard page whose own scripts carry `nonce`; it may frame reports, also from an origin of their own.
///
/// `strict-dynamic` lets them load the WASM's module; uploaded files on this origin are of no use to an attacker.
pub(crate) fn page_policy(nonce: &str, reports: Option<&Origin>) -> String {
    let frames = match reports {
        Some(origin) => format!("'self' {origin}"),
        None => "'self'".to_owned(),
    };
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; \
         frame-src {frames}; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// The policy of the login page, which has no scripts. What it leads to may be a report, and browsers hold a form to its
/// policy wherever the answer leads on.
pub(crate) fn login_policy(reports: Option<&Origin>) -> String {
    let forms = match reports {
        Some(origin) => format!("'self' {origin}"),
        None => "'self'".to_owned(),
    };
    format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action {forms}; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// No answer is taken for another kind of document than it says, whatever text of its client's it repeats.
pub(crate) async fn never_sniffed(mut response: Response) -> Response {
    response.headers_mut().insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    response
}

/// A request id is echoed and logged; one that is long or unprintable is replaced.
pub(crate) async fn drop_unusable_request_id(mut request: Request) -> Request {
    let is_usable = |id: &HeaderValue| {
        (1..=REQUEST_ID_BYTES).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
    };
    if request
        .headers()
        .get("x-request-id")
        .is_some_and(|id| !is_usable(id))
    {
        request.headers_mut().remove("x-request-id");
    }
    request
}
