//! The part of the configuration that pages show.

use app::{Listed, ServiceFacts};
use config::{
    Serve,
    access::{Access, ApiKind, ForeignService, IssuerKind},
};
use domain::{FormerService, ServiceSettings};
use objects::ReportsUrl;
use std::sync::Arc;
use store::Store;

/// The settings for holders of an admin token for every repository. They contain no secret.
pub(super) fn settings(config: &Serve, store: &Store) -> ServiceSettings {
    let upload_token = config
        .access
        .upload_token
        .0
        .as_ref()
        .map(|_| "UPLOAD_TOKEN");
    ServiceSettings {
        version: env!("CARGO_PKG_VERSION"),
        schema: store.schema_version(),
        database: store.engine_name(),
        storage: match config.reports_url {
            ReportsUrl::Folder(_) => "folder",
            ReportsUrl::Bucket(_) => "bucket",
        },
        tokens: upload_token.into_iter().collect(),
        groups: config.shown.clone(),
    }
}

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
    let services = FormerService::ALL.iter().copied();
    let accepted = services.filter(|service| {
        access.accept.has(match service {
            FormerService::Codecov => ForeignService::Codecov,
            FormerService::Coveralls => ForeignService::Coveralls,
        })
    });
    ServiceFacts {
        is_reading_protected: access.protect_reading,
        are_badges_open: access.open_badges,
        issuers: issuers.collect(),
        apis: apis.collect(),
        accepts: accepted.collect(),
        sites: Arc::new(access.forge_sites()),
    }
}
