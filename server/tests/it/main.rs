//! Tests of the whole service over HTTP: a real server on loopback, a real database and a real folder.

#![allow(unreachable_pub, reason = "a test has no other crate to hide from")]
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should stop where it is"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "tests call the service, simulate other services, and read variables that name the servers to test with"
)]

mod access;
mod clients;
mod harness;
mod operate;
mod read;
mod upload;
