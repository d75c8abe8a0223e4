//! An upload, from its bytes to the record and the verdict.

mod accepted;
pub(crate) mod bad_input;
mod base;
mod branches;
mod budget;
mod changes;
pub(crate) mod crash;
mod explanation;
mod formats;
mod gate;
mod hostile;
mod ignore;
mod ledger;
mod memory;
mod merge_queue;
mod order;
mod parts;
mod paths;
mod push_base;
pub(crate) mod queue;
mod quota;
mod racing;
mod records;
mod samples;
mod sources;
mod unknown_paths;
