//! The state that every request handler can access.

use crate::{
    http::{budget::Budget, site::Site},
    operations::{metrics::Metrics, readiness::Readiness, storage::StorageReader},
};
use access::{Admins, Readers, Uploaders};
use app::{PublicUrl, ServiceFacts, Target};
use axum::{extract::FromRef, http::Extensions};
use config::{AllowedHosts, Limits, Origin, PartsTimeout, access::AcceptedClients};
use domain::{Scale, ServiceSettings};
use ingest::{Ingest, ledger::Ledger};
use leptos::config::LeptosOptions;
use objects::Reports;
use review::Review;
use std::{ops::Deref, sync::Arc};
use store::{ReadScope, Reader, Store};
use tokio_util::task::TaskTracker;

/// The running service and its store. Handlers that read use `Readable` instead of the store. Each request clones it several
/// times.
#[derive(Clone, Debug)]
pub struct AppState {
    pub store: Store,
    pub(crate) service: Arc<Service>,
}

/// The database of a heavy read, in the extensions of its request: a replica.
#[derive(Clone, Debug)]
pub(crate) struct ReadFrom(pub(crate) Store);

impl ReadFrom {
    /// Returns the records as the reader of a request with these extensions may see them.
    pub(crate) fn reader(extensions: &Extensions, store: &Store, scope: ReadScope) -> Reader {
        let replica = extensions.get::<Self>();
        replica.map_or(store, |Self(replica)| replica).reader(scope)
    }
}

/// The state that all requests share.
#[derive(Debug)]
pub struct Service {
    pub reports: Reports,
    pub uploaders: Uploaders,
    /// Who may read, if reading is protected.
    pub readers: Option<Readers>,
    pub admins: Admins,
    pub target: Target,
    pub storage: StorageReader,
    /// The configuration that pages may show.
    pub facts: ServiceFacts,
    /// The effective configuration, for admins.
    pub settings: Arc<ServiceSettings>,
    pub limits: Arc<Limits>,
    pub badge_scale: Scale,
    /// The maximum size of a list of branches, in bytes.
    pub max_branches_bytes: usize,
    pub ingest: Ingest,
    pub review: Review,
    /// How long a record waits for missing parts.
    pub parts_timeout: PartsTimeout,
    pub budget: Budget,
    pub ledger: Ledger,
    /// The uploads in progress, including those whose clients have disconnected.
    pub uploads: TaskTracker,
    pub metrics: Metrics,
    pub readiness: Readiness,
    pub site: Site,
    /// The address at which people reach the service.
    pub public_url: PublicUrl,
    pub allowed_hosts: AllowedHosts,
    /// The other services whose clients may upload.
    pub accept: AcceptedClients,
    /// The origin of HTML reports, if it differs from the dashboard's.
    pub reports_origin: Option<Arc<Origin>>,
    pub leptos_options: LeptosOptions,
}

impl Deref for AppState {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.leptos_options.clone()
    }
}
