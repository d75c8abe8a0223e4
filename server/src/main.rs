//! The binary `coverage-dashboard`.

use std::process::ExitCode;

/// musl's own allocator has one lock, for which threads wait.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    client::exit::run(server::commands::run())
}
