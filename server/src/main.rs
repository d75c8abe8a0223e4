//! The binary `coverage-dashboard`.

use std::process::ExitCode;

/// glibc's allocator keeps what large uploads freed, once for each of its arenas; musl's has one lock, for which threads wait.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    client::exit::run(server::commands::run())
}
