//! The dashboard: domain types, pages, components and charts, shared by the server (`ssr`) and the browser (`hydrate`).
//!
//! Pages ask their questions through [`api`], which on the server goes through [`ReadModel`]: nothing here sees SQL.

// Views are deeply nested types.
#![recursion_limit = "256"]

pub mod api;
mod app;
#[cfg(feature = "ssr")]
pub mod charts;
mod components;
pub mod domain;
mod error;
pub mod links;
#[cfg(feature = "ssr")]
mod login;
mod pages;
#[cfg(feature = "ssr")]
mod port;
#[cfg(feature = "ssr")]
pub mod recipe;
#[cfg(feature = "ssr")]
mod shell;

pub use app::App;
pub use error::AppError;
#[cfg(feature = "ssr")]
pub use login::login_page;
#[cfg(feature = "ssr")]
pub use port::{PublicUrl, ReadModel, SharedReadModel};
#[cfg(feature = "ssr")]
pub use recipe::upload_command;
#[cfg(feature = "ssr")]
pub use shell::{Assets, HasSession, shell};
