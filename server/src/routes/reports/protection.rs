//! Reports where reading is protected: who may have which address of one.

use super::{
    address::{Segment, Target, Version, report_path},
    answer::redirect,
    asked::Asked,
    serving::{Located, Serving},
};
use crate::{
    auth::LinkSigner,
    http::error::{ApiError, Code},
    state::AppState,
};
use axum::response::{IntoResponse, Response};

/// What signs addresses, and where they lead.
pub(super) struct Protection {
    links: LinkSigner,
    /// The origin of reports and the dashboard's address, where these differ.
    hosts: Option<(String, String)>,
}

impl Protection {
    /// None where everybody may read.
    pub(super) fn of(state: &AppState) -> Option<Self> {
        let links = state.readers.as_ref()?.links.clone();
        let hosts = state
            .reports_origin
            .as_ref()
            .map(|origin| (origin.to_string(), state.public_url.0.to_string()));
        Some(Self { links, hosts })
    }

    /// Whether what an address asks for may be had by whoever has the address.
    pub(super) fn admits(&self, id: &str, target: &Target) -> bool {
        admits(&self.links, id, target)
    }
}

/// Whether an address is signed for what it asks for, and still works.
pub(super) fn admits(links: &LinkSigner, id: &str, target: &Target) -> bool {
    let (Ok(id), Some(segment)) = (id.parse(), target.segment) else {
        return false;
    };
    segment
        .pass
        .is_some_and(|pass| links.admits(id, segment.version, pass))
}

impl Serving {
    /// The address of a path in a version, for those who may read it.
    pub(super) fn lasting(&self, id: i64, version: Version, path: &str) -> String {
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

    /// The segment under which what is located is found now. Whoever was given a signed address may have what it names, and
    /// nothing that came after it: for that, they are asked who they are.
    pub(super) fn current(&self, located: &Located) -> Option<Segment> {
        let version = located.version;
        match (&self.protection, located.target.segment) {
            (None, _) => Some(version.into()),
            (Some(_), segment) => segment.filter(|segment| segment.version == version),
        }
    }

    /// What answers a request for an address without a version that is not led on from there.
    pub(super) fn turned_away(&self, asked: &Asked) -> Option<Response> {
        self.refused(asked, None).or_else(|| self.asked_who(asked))
    }

    /// What answers those who may read and have not shown it: on the host of reports, they are led to the dashboard's,
    /// which asks them, and leads back. Whether there is such a report, they do not learn.
    fn asked_who(&self, asked: &Asked) -> Option<Response> {
        let Protection { hosts, .. } = self.protection.as_ref()?;
        if asked.is_reader {
            return None;
        }
        Some(match hosts {
            Some((_, dashboard)) => redirect(&asked.on_host(dashboard)),
            // The dashboard asks everybody before they come so far.
            None => ApiError::new(
                Code::MissingToken,
                "Only readers are served here: send a read token in the Authorization header.",
            )
            .into_response(),
        })
    }
}
