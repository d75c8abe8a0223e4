//! What an operator does and sees: starts, settings, commands, retention, metrics.

mod admin;
mod grace;
mod health;
mod history;
mod log;
mod main_branch;
pub(crate) mod metrics;
mod names;
mod notifications;
mod object_storage;
mod retention;
mod shutdown;
mod starting;
mod upgrades;
mod verify;
