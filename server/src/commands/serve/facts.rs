//! The settings that pages show.

use app::{Listed, ServiceFacts};
use config::access::{Access, ApiKind, IssuerKind};
use std::sync::Arc;

pub(super) fn facts(access: &Access) -> ServiceFacts {
    let issuers = access.oidc_issuers.iter().map(|issuer| Listed {
        kind: match issuer.kind {
            IssuerKind::GitHub => "github",
            IssuerKind::GitLab => "gitlab",
            IssuerKind::Other => "other",
        },
        address: issuer.text.clone(),
    });
    let apis = access.vcs_api_urls.iter().map(|api| Listed {
        kind: match api.kind {
            ApiKind::GitHub => "github",
            ApiKind::GitLab => "gitlab",
            ApiKind::Gitea => "gitea",
        },
        address: api.text.clone(),
    });
    ServiceFacts {
        is_reading_protected: access.protect_reading,
        issuers: issuers.collect(),
        apis: apis.collect(),
        sites: Arc::new(access.forge_sites()),
    }
}
