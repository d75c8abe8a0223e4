//! The coverage dashboard's server.
//!
//! `routes -> ingest -> {store, reports, report}`; `store` and `reports` do not depend on HTTP.

pub mod auth;
pub mod commands;
pub mod config;
pub mod forges;
pub mod history;
pub mod http;
pub mod ingest;
mod notifications;
pub mod operations;
mod pages;
pub mod reports;
mod routes;
pub mod state;
mod uploader;

pub use routes::{openapi::text as openapi, router};
