//! Guessable addresses, without a version or with an old one: they are for navigations only.
//!
//! Otherwise a report, or any website, could load a script, style or image of another report by its record's id.

use super::{answer::redirect, file_request::FileRequest, missing, serving::Serving};
use crate::{
    http::security::{ONLY_SAME_ORIGIN, OPENER_POLICY},
    routes::navigation::{self, Purpose},
};
use axum::response::Response;

impl Serving {
    /// Returns the refusal of a request that is neither a navigation nor from a program. The refusal links to the start of the
    /// report of record `id`, if given.
    pub(super) fn refused(&self, request: &FileRequest, id: Option<i64>) -> Option<Response> {
        let is_refused = match request.purpose() {
            Purpose::PartOfPage => true,
            Purpose::Navigation | Purpose::Program => self.is_by_a_report(request),
        };
        is_refused.then(|| missing::answer(navigation::refusal(), self, request, id))
    }

    /// Redirects from a guessable address.
    pub(super) fn redirect_to_version(&self, address: &str) -> Response {
        match self.own_origin {
            Some(_) => alone(redirect(address)),
            None => redirect(address),
        }
    }

    /// Whether a report sent the request. On their own origin, a report could read another one that it opens in a frame
    /// or a window. Nothing else has that origin: the dashboard has another one, and so have our own pages there,
    /// because of their sandbox. A report may also not frame a redirect of the dashboard's host; for windows, [`alone`]
    /// prevents that.
    fn is_by_a_report(&self, request: &FileRequest) -> bool {
        let Some(origin) = &self.own_origin else {
            return false;
        };
        let site = navigation::site(&request.headers);
        if request.is_to(origin) {
            site == "same-origin"
        } else {
            request.is_for_frame() && matches!(site, "same-site" | "cross-site")
        }
    }
}

/// Separates a window from the page that opened it with a redirecting address: browsers do not follow such a redirect
/// in a sandboxed page's window, and cut any other window off from its opener.
pub(super) fn alone(mut redirect: Response) -> Response {
    redirect
        .headers_mut()
        .insert(OPENER_POLICY, ONLY_SAME_ORIGIN);
    redirect
}
