//! Headers that keep uploaded HTML, clients and the dashboard apart.

use axum::{
    extract::Request,
    http::{HeaderValue, header},
    response::Response,
};

/// Reports run their scripts, but in an opaque origin: no storage, no cookies, no reading of the dashboard's pages.
const REPORT_POLICY: &str = "sandbox allow-scripts allow-popups allow-downloads";

/// The longest request id of a client's that is echoed.
const REQUEST_ID_BYTES: usize = 128;

/// Puts the headers on everything that was uploaded.
pub(crate) async fn sandbox_report(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(REPORT_POLICY),
    );
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    response
}

/// The policy of a dashboard page whose own scripts carry `nonce`.
///
/// `strict-dynamic` lets them load the WASM's module; uploaded files on this origin are of no use to an attacker.
pub(crate) fn page_policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; \
         frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// A request id is echoed and logged; one that is long or unprintable is replaced.
pub(crate) async fn drop_unusable_request_id(mut request: Request) -> Request {
    let is_usable =
        |id: &HeaderValue| id.len() <= REQUEST_ID_BYTES && !id.is_empty() && id.to_str().is_ok();
    if request
        .headers()
        .get("x-request-id")
        .is_some_and(|id| !is_usable(id))
    {
        request.headers_mut().remove("x-request-id");
    }
    request
}
