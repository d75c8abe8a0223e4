//! The coverage dashboard's server.
//!
//! Handlers, pages and the operator's commands. The crates beside it do the work: see ARCHITECTURE.md.

pub mod commands;
mod fresh_cache;
mod history;
mod http;
mod operations;
mod pages;
mod routes;
mod state;

pub use http::error::Code;
pub use routes::openapi::text as openapi;
