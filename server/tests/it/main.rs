//! Tests of the whole service over HTTP: a real server on loopback, a real database and a real folder.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should stop where it is"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "tests call the service, simulate other services, and read variables that name the servers to test with"
)]

mod admin;
mod author;
mod bad_input;
mod badge;
mod base;
mod branches;
mod budget;
mod changes;
mod client;
mod crash;
mod explanation;
mod failed_attempts;
mod formats;
mod gate;
mod grace;
mod harness;
mod health;
mod history;
mod hostile;
mod hosts;
mod ledger;
mod lines;
mod listing;
mod log;
mod main_branch;
mod markup;
mod mcp;
mod memory;
mod metrics;
mod names;
mod notifications;
mod object_storage;
mod oidc;
mod openapi;
mod order;
mod org;
mod overview;
mod pages;
mod parts;
mod paths;
mod preview;
mod private_files;
mod published_action;
mod push_base;
mod queue;
mod quota;
mod racing;
mod reading;
mod recipes;
mod records;
mod reports;
mod repository;
mod retention;
mod samples;
mod search;
mod setup;
mod shutdown;
mod starting;
mod storage;
mod theme;
mod tokens;
mod trend;
mod unknown_paths;
mod upgrades;
mod upload;
mod uploader;
mod vcs;
mod verify;
