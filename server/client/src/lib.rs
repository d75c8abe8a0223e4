//! The commands for jobs and laptops, which need no database, and what they share with the commands of the service.

mod answer_cache;
mod arguments;
mod check;
mod command;
pub mod command_line;
mod diff;
mod environment;
mod error;
pub mod exit;
mod git;
pub mod output;
mod pull;
pub mod script;
mod service;
mod translate;
mod upload;

pub use command::ClientCommand;
