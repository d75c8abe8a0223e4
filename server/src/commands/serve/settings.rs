//! The part of the configuration that the settings page shows.

use config::Serve;
use domain::ServiceSettings;
use objects::ReportsUrl;
use store::Store;

/// The settings for holders of an admin token for every repository. They contain no secret.
pub(super) fn of(config: &Serve, store: &Store) -> ServiceSettings {
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
