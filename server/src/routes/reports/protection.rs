//! The signatures of addresses of reports, if reading is protected.

use super::address::Target;
use crate::state::AppState;
use access::LinkSigner;

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

    /// Whether an address is signed and not expired.
    pub(super) fn admits(&self, id: &str, target: Target<'_>) -> bool {
        admits(&self.links, id, target)
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
