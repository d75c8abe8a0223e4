//! What the settings page shows of the configuration.

use config::Serve;
use domain::ServiceSettings;
use objects::ReportsUrl;
use store::Store;

/// Returns what holders of an admin token for every repository may see. It has no secret.
pub(super) fn of(config: &Serve, store: &Store) -> ServiceSettings {
    let upload_token = config.access.upload_token().map(|_| "UPLOAD_TOKEN");
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
