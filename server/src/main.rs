//! The binary `coverage-dashboard`.

use std::process::ExitCode;

/// The allocator of musl has one lock, for which threads wait. The allocator of glibc keeps the memory of large uploads.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    client::exit::run(server::commands::run())
}
