//! Tests of the crate from outside.

mod any;
mod blobs;
mod files;
mod properties;
