//! The coverage dashboard's server.
//!
//! `routes -> ingest -> {store, reports, report}`; `store` and `reports` know no HTTP.

pub mod auth;
pub mod backup_command;
mod badge;
mod byte_cache;
mod commit_status;
pub mod config;
mod cookies;
mod csv;
mod database;
pub mod error;
mod fresh_cache;
pub mod healthcheck_command;
mod hexadecimal;
pub mod history_command;
pub mod history_file;
pub mod ingest;
pub mod ledger;
mod listen;
pub mod main_branch_command;
pub mod metrics;
mod outbound;
pub mod output;
mod pages;
pub mod prune_command;
pub mod readiness;
pub mod reports;
pub mod retention;
mod rfc3339;
mod routes;
mod run;
mod security;
pub mod shutdown;
mod site;
pub mod state;
pub mod store;
pub mod systemd;
pub mod telemetry;
mod theme;
pub mod token_command;
pub mod vcs;
mod welcome;

pub use routes::{openapi::text as openapi, router};
pub use run::{StartError, run};
