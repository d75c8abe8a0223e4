//! The state that every request handler can access.

use crate::{
    http::{budget::Budget, site::Site},
    operations::{metrics::Metrics, readiness::Readiness, storage::StorageReader},
};
use access::{Admins, Readers, Uploaders};
use app::{PublicUrl, ServiceFacts, Target};
use axum::extract::FromRef;
use config::{AllowedHosts, Limits, Origin, PartsTimeout};
use domain::{Scale, ServiceSettings};
use ingest::{Ingest, ledger::Ledger};
use leptos::config::LeptosOptions;
use objects::Reports;
use review::Review;
use std::{ops::Deref, sync::Arc};
use store::Store;
use tokio_util::task::TaskTracker;

/// The running service and its store. Handlers that read use `Readable` instead of the store. Each request clones it several times.
#[derive(Clone, Debug)]
pub struct AppState {
    /// The records.
    pub store: Store,
    service: Arc<Service>,
}

/// The state that all requests share.
#[derive(Debug)]
pub struct Service {
    /// The stored HTML reports.
    pub reports: Reports,
    /// Who may upload.
    pub uploaders: Uploaders,
    /// Who may read, if reading is protected.
    pub readers: Option<Readers>,
    /// Who may administer.
    pub admins: Admins,
    /// The coverage that pages compare repositories with.
    pub target: Target,
    /// Reads the storage that HTML reports and the database use.
    pub storage: StorageReader,
    /// The configuration that pages may show.
    pub facts: ServiceFacts,
    /// The effective configuration, for admins.
    pub settings: Arc<ServiceSettings>,
    /// The limits of an upload.
    pub limits: Arc<Limits>,
    /// The percentages at which badges change colour.
    pub badge_scale: Scale,
    /// The maximum size of a list of branches, in bytes.
    pub max_branches_bytes: usize,
    /// Processes uploads.
    pub ingest: Ingest,
    /// Reports the results of uploads to forges.
    pub review: Review,
    /// How long a record waits for missing parts.
    pub parts_timeout: PartsTimeout,
    /// The permits for concurrent work of clients.
    pub budget: Budget,
    /// The result of each upload attempt.
    pub ledger: Ledger,
    /// The uploads in progress, including those whose clients have disconnected.
    pub uploads: TaskTracker,
    /// The metrics.
    pub metrics: Metrics,
    /// Whether this instance is ready for requests.
    pub readiness: Readiness,
    /// The built site.
    pub site: Site,
    /// The address at which people reach the service.
    pub public_url: PublicUrl,
    /// The host names under which the service may be reached.
    pub allowed_hosts: AllowedHosts,
    /// The origin of HTML reports, if it differs from the dashboard's.
    pub reports_origin: Option<Arc<Origin>>,
    /// The options of leptos.
    pub leptos_options: LeptosOptions,
}

impl AppState {
    /// The state of a service with these records.
    pub fn new(store: Store, service: Service) -> Self {
        Self {
            store,
            service: Arc::new(service),
        }
    }
}

impl Deref for AppState {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

impl FromRef<AppState> for Store {
    fn from_ref(state: &AppState) -> Self {
        state.store.clone()
    }
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.leptos_options.clone()
    }
}

impl FromRef<AppState> for Metrics {
    fn from_ref(state: &AppState) -> Self {
        state.metrics.clone()
    }
}

impl FromRef<AppState> for Readiness {
    fn from_ref(state: &AppState) -> Self {
        state.readiness.clone()
    }
}
