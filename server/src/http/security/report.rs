//! The headers of HTML reports: untrusted HTML and scripts that must not reach anything else.

use super::OPENER_POLICY;
use crate::http::{
    error::{ApiError, Code},
    surround::run,
};
use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
    routing::Route,
};
use config::Origin;
use std::sync::Arc;

/// On the dashboard's host, scripts run in an opaque origin: no storage, no cookies, no access to pages of the
/// dashboard or of other reports. They cannot send requests, as in a page opened from a file. They can still load
/// styles and images from elsewhere.
///
/// `Access-Control-Allow-Origin` is never sent. It would let reports load their own fonts, but it would also let any
/// website read the reports of an intranet through the browser of a person in that intranet.
const SANDBOXED: &str =
    "sandbox allow-scripts allow-popups allow-downloads; connect-src 'none'; form-action 'none'";

/// On their own origin, reports have storage and everything else that a page has, but cannot navigate the page that
/// frames them.
///
/// All reports share that origin: a report can read and change another report's storage, and read any report whose
/// version it knows. The operator accepts this with the setting, since no header separates pages of one origin;
/// uploaders must be trusted that far. A report cannot learn another report's version, and cannot open a report without
/// it. Nothing outlives a page: no service worker is ever sent (`protect_report`). The origin has none of our cookies.
/// It should be another site than the dashboard's (`example-reports.com`, not `reports.example.com`), since a host can
/// set cookies for its parent domain.
///
/// Only redirects to a page have a `Cross-Origin-Opener-Policy`: browsers refuse to show a sandboxed page that has one.
const ON_OWN_ORIGIN: &str =
    "sandbox allow-scripts allow-same-origin allow-popups allow-downloads allow-forms allow-modals";

/// For our own pages among reports, such as listings: no scripts, inline styles only.
pub(crate) const OWN_PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox allow-downloads",
);

/// The headers of every answer below `/reports`.
#[derive(Debug)]
pub(crate) struct ReportHeaders {
    policy: HeaderValue,
    has_own_origin: bool,
}

impl ReportHeaders {
    pub(crate) fn new(own_origin: Option<&Origin>, dashboard: &str) -> Self {
        let policy = match own_origin {
            None => SANDBOXED.to_owned(),
            // Only the dashboard may frame reports.
            Some(_) => {
                let dashboard = dashboard.parse().ok().and_then(|url| Origin::of(&url));
                let dashboard = dashboard.map_or_else(String::new, |origin| origin.to_string());
                format!("{ON_OWN_ORIGIN}; frame-ancestors 'self' {dashboard}")
            }
        };
        Self {
            // The text of an origin has only characters that a header may hold.
            policy: HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static(SANDBOXED)),
            has_own_origin: own_origin.is_some(),
        }
    }

    /// A value that changes whenever the headers change, so that browsers fetch the page again.
    pub(crate) fn fingerprint(&self) -> &[u8] {
        self.policy.as_bytes()
    }

    /// Keeps an existing policy, which is stricter. A redirect needs no policy, and browsers do not follow a redirect
    /// that has both a sandbox and an opener policy.
    fn put_on(&self, headers: &mut HeaderMap) {
        if !headers.contains_key(OPENER_POLICY) {
            headers
                .entry(header::CONTENT_SECURITY_POLICY)
                .or_insert_with(|| self.policy.clone());
        }
        headers.insert(
            header::REFERRER_POLICY,
            HeaderValue::from_static("no-referrer"),
        );
        // Keeps other sites from loading a report's scripts to read the data in them. A sandboxed page counts as
        // another origin than its own files, so this header would block them there.
        if self.has_own_origin {
            headers.insert(
                HeaderName::from_static("cross-origin-resource-policy"),
                HeaderValue::from_static("same-origin"),
            );
        }
    }
}

/// Adds the headers to every answer, and refuses service workers: one would answer requests for later pages.
pub(crate) async fn protect_report(
    headers: Arc<ReportHeaders>,
    request: Request,
    route: Route,
) -> Response {
    let mut response = if request.headers().contains_key("service-worker") {
        ApiError::new(
            Code::ServiceWorkerNotAllowed,
            "HTML reports cannot install service workers here; remove the service worker from the report.",
        )
        .into_response()
    } else {
        run(route, request).await
    };
    headers.put_on(response.headers_mut());
    response
}
