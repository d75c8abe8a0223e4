//! One file for each route.

pub(crate) mod not_found;
pub(crate) mod overview;
