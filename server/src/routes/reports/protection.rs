//! Access to addresses of reports if reading is protected.

use super::{
    address::{Segment, Target, Version, report_path},
    answer::redirect,
    file_request::FileRequest,
    serving::{Located, Serving},
};
use crate::{
    http::error::{ApiError, Code},
    state::AppState,
};
use access::LinkSigner;
use axum::response::{IntoResponse, Response};

/// The signer of addresses, and their hosts.
pub(super) struct Protection {
    links: LinkSigner,
    /// The origin of reports and the dashboard's address, if they differ.
    hosts: Option<(String, String)>,
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

    /// Whether an address is signed and not expired.
    pub(super) fn admits(&self, id: &str, target: &Target) -> bool {
        admits(&self.links, id, target)
    }
}

/// Whether an address is signed for its target and not expired.
pub(super) fn admits(links: &LinkSigner, id: &str, target: &Target) -> bool {
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
        match (&self.protection, located.target.segment) {
            (None, _) => Some(version.into()),
            (Some(_), segment) => segment.filter(|segment| segment.version == version),
        }
    }

    /// Returns the answer to a request for an address without a version that is not redirected to a version.
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
}
