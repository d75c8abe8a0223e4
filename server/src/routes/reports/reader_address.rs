//! The address of a report for its reader: with a version, and signed if reading is protected. Guessable addresses, without a version
//! or with an old one, are for navigations only: otherwise a report, or any website, could load a script, style or image of another
//! report by its record's id.

use super::{
    address::{Segment, Target, Version, report_path},
    answer::redirect,
    document::missing,
    file_request::FileRequest,
    located::{Located, Serving},
};
use crate::{
    http::{
        error::{ApiError, Code},
        security::{ONLY_SAME_ORIGIN, OPENER_POLICY},
    },
    routes::navigation::{self, Purpose},
    state::AppState,
};
use access::LinkSigner;
use axum::response::{IntoResponse, Response};

/// The signer of addresses, and their hosts.
pub(super) struct Protection {
    pub(super) links: LinkSigner,
    /// The origin of reports and the dashboard's address, if they differ.
    pub(super) hosts: Option<(String, String)>,
}

impl Protection {
    /// Returns `None` if reading is not protected.
    pub(super) fn of(state: &AppState) -> Option<Self> {
        let links = state.readers.as_ref()?.links.clone();
        let hosts = state
            .reports_origin
            .as_ref()
            .map(|origin| (origin.to_string(), state.public_url.0.to_string()));
        Some(Self { links, hosts })
    }
}

/// Whether an address is signed for its target and not expired.
pub(super) fn admits(links: &LinkSigner, id: &str, target: Target<'_>) -> bool {
    let (Ok(id), Some(segment)) = (id.parse(), target.segment) else {
        return false;
    };
    segment
        .pass
        .is_some_and(|pass| links.admits(id, segment.version, pass))
}

impl Serving {
    /// Returns the address of a path in a version, for a reader.
    pub(super) fn versioned_address(&self, id: i64, version: Version, path: &str) -> String {
        let Some(Protection { links, hosts }) = &self.protection else {
            return report_path(id, Some(version.into()), path);
        };
        let segment = Segment {
            version,
            pass: Some(links.sign(id, version)),
        };
        let path = report_path(id, Some(segment), path);
        match hosts {
            Some((reports, _)) => format!("{reports}{path}"),
            None => path,
        }
    }

    /// Returns the current segment of a located path. A signed address gives access to its own version only; a later
    /// version needs authentication again.
    pub(super) fn current(&self, located: &Located) -> Option<Segment> {
        let version = located.version;
        match (&self.protection, located.segment) {
            (None, _) => Some(version.into()),
            (Some(_), segment) => segment.filter(|segment| segment.version == version),
        }
    }

    /// Returns the answer if a request for an address without a version must not be redirected to a version.
    pub(super) fn rejected(&self, request: &FileRequest) -> Option<Response> {
        self.refused(request, None)
            .or_else(|| self.login_redirect(request))
    }

    /// Returns the answer to a request without authentication: on the host of reports, a redirect to the dashboard's
    /// host, which authenticates and redirects back. The answer does not reveal whether the report exists.
    fn login_redirect(&self, request: &FileRequest) -> Option<Response> {
        let Protection { hosts, .. } = self.protection.as_ref()?;
        if request.is_reader {
            return None;
        }
        Some(match hosts {
            Some((_, dashboard)) => redirect(&request.on_host(dashboard)),
            // The dashboard has already authenticated the request.
            None => ApiError::new(
                Code::MissingToken,
                "Reading is protected here; send a read token in the Authorization header.",
            )
            .into_response(),
        })
    }

    /// Returns the refusal of a request that is neither a navigation nor from a program. The refusal links to the start of the
    /// report of record `id`, if given.
    pub(super) fn refused(&self, request: &FileRequest, id: Option<i64>) -> Option<Response> {
        let is_refused = match request.purpose() {
            Purpose::PartOfPage => true,
            Purpose::Navigation | Purpose::Program => self.is_by_a_report(request),
        };
        is_refused.then(|| missing(navigation::refusal(), self, request, id))
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
