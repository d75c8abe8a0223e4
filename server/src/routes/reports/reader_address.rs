//! The address of a report for its reader: with a version, and signed if reading is protected.

use super::{
    address::{Segment, Version, report_path},
    answer::redirect,
    file_request::FileRequest,
    protection::Protection,
    serving::{Located, Serving},
};
use crate::http::error::{ApiError, Code};
use axum::response::{IntoResponse, Response};

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
}
