//! The program that jobs and laptops download: the commands of `coverage-dashboard` that need no database.

use clap::Parser;
use client::{ClientCommand, command_line, exit};
use std::process::ExitCode;

/// musl's own allocator has one lock, for which threads wait.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Uploads and judges code coverage, and shows it in a working tree. This is the part of coverage-dashboard for jobs and laptops;
/// the service itself is another program.
#[derive(Debug, Parser)]
#[command(name = "coverage-dashboard", version, mut_subcommands = command_line::without_values)]
struct Cli {
    #[command(subcommand)]
    command: ClientCommand,
}

fn main() -> ExitCode {
    let cli: Cli = match command_line::read(|error, _| error) {
        Ok((cli, _)) => cli,
        Err(error) => error.exit(),
    };
    exit::run(cli.command.run())
}
