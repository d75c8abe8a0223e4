//! The HTTP layer below the routes: connections, limits per client, headers and errors.

pub(crate) mod budget;
pub(crate) mod error;
pub(crate) mod listen;
pub(crate) mod pace;
pub(crate) mod per_client;
pub(crate) mod request_log;
pub(crate) mod security;
pub(crate) mod site;
pub(crate) mod surround;
