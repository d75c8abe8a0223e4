//! Tests of the crate from outside.

mod file;
mod fnmatch;
mod github;
mod gitlab;
mod hostile;
mod model;
mod oracle;
