//! What every request handler can reach.

use crate::{
    auth::{Admins, Readers, Uploaders},
    config::{AllowedHosts, BadgeThresholds, Limits, Origin},
    http::{budget::Budget, site::Site},
    ingest::{Ingest, ledger::Ledger},
    operations::{metrics::Metrics, readiness::Readiness},
    reports::Reports,
    store::Store,
};
use app::{PublicUrl, ServiceFacts, Target};
use axum::extract::FromRef;
use domain::Percentage;
use leptos::config::LeptosOptions;
use std::sync::Arc;
use tokio_util::task::TaskTracker;

/// The running service.
#[derive(Clone, Debug, FromRef)]
pub struct AppState {
    /// The records.
    pub store: Store,
    /// The uploaded reports.
    pub reports: Reports,
    /// Who may upload.
    pub uploaders: Uploaders,
    /// Who may read, where reading is protected.
    pub readers: Option<Readers>,
    /// Who may administer.
    pub admins: Admins,
    /// The coverage below which a commit's status says failure.
    pub minimum_coverage: Option<Percentage>,
    /// The coverage that pages hold repositories to.
    pub target: Target,
    /// What pages may tell of how the service is set up.
    pub facts: ServiceFacts,
    /// How much may be uploaded.
    pub limits: Arc<Limits>,
    /// How badges are coloured.
    pub badge_thresholds: BadgeThresholds,
    /// Bytes of a list of branches.
    pub max_branches_bytes: usize,
    /// What takes uploads in.
    pub ingest: Ingest,
    /// What clients may have the service do at once.
    pub budget: Budget,
    /// What became of each upload.
    pub ledger: Ledger,
    /// The uploads under way, whether or not their clients still listen.
    pub uploads: TaskTracker,
    /// What is counted.
    pub metrics: Metrics,
    /// Whether requests should be sent here.
    pub readiness: Readiness,
    /// The built site.
    pub site: Site,
    /// The address that people reach the service by.
    pub public_url: PublicUrl,
    /// The host names that the service may be reached by.
    pub allowed_hosts: AllowedHosts,
    /// The origin that reports are served from, where it is not the dashboard's own.
    pub reports_origin: Option<Arc<Origin>>,
    /// What leptos needs to know to render.
    pub leptos_options: LeptosOptions,
}
