//! Tests of the whole service: a real server on loopback, a real database and folder, spoken to over HTTP.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should stop where it is"
)]

mod bad_input;
mod harness;
mod hostile;
mod listing;
mod pages;
mod racing;
mod reports;
mod samples;
mod starting;
mod upload;
