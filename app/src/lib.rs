//! The dashboard: pages that the server renders (`ssr`), and the islands in them that render in the browser too (`hydrate`).
//!
//! Pages read their data through `ReadModel`, without SQL. Pages are complete without scripts. The other code that runs in the
//! browser is in the crate `frontend` and makes pages quicker to use.

// Views are deeply nested types.
#![recursion_limit = "256"]
// The macros of leptos make public items for private components.
#![allow(unreachable_pub)]

#[cfg(feature = "ssr")]
mod address;
pub mod api;
pub mod browser;
pub mod charts;
#[cfg(feature = "ssr")]
mod components;
#[cfg(feature = "ssr")]
mod error;
mod escaped;
pub mod islands;
#[cfg(feature = "ssr")]
mod login;
#[cfg(feature = "ssr")]
mod markers;
mod numbers;
#[cfg(feature = "ssr")]
mod outcome;
#[cfg(feature = "ssr")]
mod pages;
#[cfg(feature = "ssr")]
mod plain;
#[cfg(feature = "ssr")]
mod port;
#[cfg(feature = "ssr")]
pub mod recipe;
#[cfg(feature = "ssr")]
mod shell;
pub mod tables;
#[cfg(all(test, feature = "ssr"))]
mod testing;
mod theme;

pub use domain::links;
#[cfg(feature = "ssr")]
pub use {
    components::coverage::Target,
    error::AppError,
    login::{Issuer, LoginFor, LoginPage, login_page},
    markers::without_markers,
    outcome::{MadeTokenPage, RefusalPage, made_token_page, refusal_page},
    port::{
        AuditAccess, BrowserSession, Listed, PublicUrl, ReadModel, ServiceFacts, SharedReadModel,
        SharedStorageModel, SomeOrgsOnly, StorageModel, VisibleSettings,
    },
    recipe::upload_command,
    shell::{App, Assets, shell},
};
pub use {escaped::escaped, theme::Theme};
