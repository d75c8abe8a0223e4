//! Who may upload and who may read.

mod failed_attempts;
mod hosts;
mod oidc;
mod private_files;
mod reading;
mod tokens;
mod vcs;
