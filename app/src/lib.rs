//! The dashboard: pages that the server renders (`ssr`), and a few islands that the browser hydrates (`hydrate`).
//!
//! Pages query data through [`ReadModel`]: there is no SQL here. They work without scripts; scripts make them faster to
//! use.

// Views are deeply nested types.
#![recursion_limit = "256"]

#[cfg(feature = "ssr")]
mod address;
#[cfg(feature = "ssr")]
mod app;
#[cfg(feature = "hydrate")]
mod browser;
#[cfg(feature = "ssr")]
pub mod charts;
#[cfg(feature = "ssr")]
mod components;
#[cfg(feature = "ssr")]
mod error;
#[cfg(feature = "ssr")]
mod escaped;
mod islands;
#[cfg(feature = "ssr")]
pub mod links;
#[cfg(feature = "ssr")]
mod login;
#[cfg(feature = "ssr")]
mod pages;
#[cfg(feature = "ssr")]
mod port;
#[cfg(feature = "ssr")]
pub mod recipe;
#[cfg(feature = "ssr")]
mod shell;
#[cfg(all(test, feature = "ssr"))]
mod testing;
mod theme;

#[cfg(feature = "ssr")]
pub use app::App;
#[cfg(feature = "hydrate")]
pub use browser::start;
#[cfg(feature = "ssr")]
pub use error::AppError;
#[cfg(feature = "ssr")]
pub use login::{LoginFor, login_page};
#[cfg(feature = "ssr")]
pub use port::{AuditAccess, Listed, PublicUrl, ReadModel, ServiceFacts, SharedReadModel, Target};
#[cfg(feature = "ssr")]
pub use recipe::upload_command;
#[cfg(feature = "ssr")]
pub use shell::{Assets, HasSession, shell};
pub use theme::Theme;
