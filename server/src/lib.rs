//! The coverage dashboard's server.
//!
//! `routes -> ingest -> {store, objects, report}`: the last three are crates that know no HTTP.

pub mod commands;
pub mod history;
pub mod http;
pub mod operations;
mod pages;
mod routes;
pub mod state;

pub use routes::openapi::text as openapi;
