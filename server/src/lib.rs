//! The coverage dashboard's server.
//!
//! Handlers, pages and the operator's commands. The crates beside it do the work: see ARCHITECTURE.md.

pub mod commands;
pub mod history;
pub mod http;
pub mod operations;
mod pages;
mod routes;
pub mod state;

pub use routes::openapi::text as openapi;
