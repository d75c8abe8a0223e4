//! Tests of the crate from outside.

mod any;
mod blobs;
mod carried;
mod changes;
mod difference;
mod files;
mod history;
mod properties;
