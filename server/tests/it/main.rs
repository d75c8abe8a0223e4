//! Tests of the whole service: a real server on loopback, a real database and folder, spoken to over HTTP.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should stop where it is"
)]

mod bad_input;
mod crash;
mod harness;
mod hostile;
mod ledger;
mod listing;
mod memory;
mod pages;
mod queue;
mod racing;
mod reading;
mod reports;
mod samples;
mod starting;
mod upload;
