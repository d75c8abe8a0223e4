//! One file for each route.

pub(crate) mod audit;
pub(crate) mod author;
pub(crate) mod compare;
pub(crate) mod flicker;
pub(crate) mod not_found;
pub(crate) mod org;
pub(crate) mod orgs;
pub(crate) mod overview;
pub(crate) mod record;
pub(crate) mod repository;
pub(crate) mod settings;
pub(crate) mod setup;
pub(crate) mod source;
pub(crate) mod storage;
pub(crate) mod uploads;
