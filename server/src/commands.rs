//! What the command line can ask for: one file for each command.

pub mod audit;
pub mod backup;
mod confirmation;
pub(crate) mod database;
pub mod delete;
pub mod healthcheck;
pub mod history;
pub mod main_branch;
pub mod names;
pub mod output;
pub mod prune;
pub mod serve;
pub mod token;
pub mod unpin_identity;
pub mod verify;
mod welcome;
