//! The headers of uploaded reports: other people's HTML and scripts, which must get at nothing but themselves.

use super::OPENER_POLICY;
use crate::{
    config::Origin,
    http::error::{ApiError, Code},
};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::sync::Arc;

/// On the dashboard's host: scripts run, but in an opaque origin, with no storage, no cookies, no reading of any page, the
/// dashboard's and other reports' among them. They send no requests of their own: a plain file cannot
/// either. What tools load from elsewhere (styles, images) they still load.
///
/// `Access-Control-Allow-Origin` is never sent. It would let reports load their own fonts, and any website read the reports
/// of an intranet through the browser of somebody who is in it.
const SANDBOXED: &str =
    "sandbox allow-scripts allow-popups allow-downloads; connect-src 'none'; form-action 'none'";

/// On an origin of their own, reports have storage and all else that a page has, but do not navigate what frames them.
///
/// They share that origin: one report can read and change another's storage, and read any report whose version it knows.
/// That is what an operator accepts with the setting, since no header keeps pages of one origin from each other; who may
/// upload has to be trusted that far. A report does not learn another's version, and opens none without it. What outlasts
/// a page is prevented: no service worker is ever sent (`protect_report`). The origin has no cookies of ours to steal. Best
/// it is another site than the dashboard's (`example-reports.com`, not `reports.example.com`), since a host can set cookies
/// for the domain above it.
///
/// A page has no `Cross-Origin-Opener-Policy`, only what leads to it: browsers refuse to show a sandboxed page that has one.
const ON_OWN_ORIGIN: &str =
    "sandbox allow-scripts allow-same-origin allow-popups allow-downloads allow-forms allow-modals";

/// Our own pages among reports, such as listings: no scripts at all, and their style within.
pub(crate) const OWN_PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox allow-downloads",
);

/// The policy of what was uploaded. From an origin of their own, only the dashboard may frame reports.
fn report_policy(own_origin: Option<&Origin>, dashboard: &str) -> String {
    match own_origin {
        None => SANDBOXED.to_owned(),
        Some(_) => {
            let dashboard = dashboard
                .parse()
                .ok()
                .and_then(|url| Origin::of(&url))
                .map(|origin| origin.to_string())
                .unwrap_or_default();
            format!("{ON_OWN_ORIGIN}; frame-ancestors 'self' {dashboard}")
        }
    }
}

/// What is put on everything that is served among reports.
#[derive(Debug)]
pub(crate) struct ReportHeaders {
    policy: HeaderValue,
    has_own_origin: bool,
}

impl ReportHeaders {
    pub(crate) fn new(own_origin: Option<&Origin>, dashboard: &str) -> Self {
        let policy = report_policy(own_origin, dashboard);
        Self {
            // The text of an origin has only characters that a header may hold.
            policy: HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static(SANDBOXED)),
            has_own_origin: own_origin.is_some(),
        }
    }

    /// Changes whenever browsers should get a page anew because it is protected in another way.
    pub(crate) fn fingerprint(&self) -> &[u8] {
        self.policy.as_bytes()
    }

    /// A policy that is there already is stricter. A redirect shows nothing, and browsers follow none that has both a sandbox
    /// and an opener policy.
    fn put_on(&self, headers: &mut HeaderMap) {
        if !headers.contains_key(OPENER_POLICY) {
            headers
                .entry(header::CONTENT_SECURITY_POLICY)
                .or_insert_with(|| self.policy.clone());
        }
        headers.insert(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        );
        headers.insert(
            header::REFERRER_POLICY,
            HeaderValue::from_static("no-referrer"),
        );
        // Keeps other sites from running a report's scripts for the data in them. In the sandbox, a page is foreign to its
        // own files, which could then not be loaded.
        if self.has_own_origin {
            headers.insert(
                HeaderName::from_static("cross-origin-resource-policy"),
                HeaderValue::from_static("same-origin"),
            );
        }
    }
}

/// Around every route of reports. A report's script must not become a service worker, which would answer for pages that
/// come after it.
pub(crate) async fn protect_report(
    State(headers): State<Arc<ReportHeaders>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = if request.headers().contains_key("service-worker") {
        ApiError::new(
            Code::ServiceWorkerNotAllowed,
            "Reports cannot install service workers here.",
        )
        .into_response()
    } else {
        next.run(request).await
    };
    headers.put_on(response.headers_mut());
    response
}
