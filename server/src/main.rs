//! The binary `coverage-dashboard`: reads the command line, starts logging and runs what was asked for.

use clap::Parser;
use server::{
    config::{Cli, Command, Serve},
    error::chain,
};
use std::{
    error::Error,
    io::{self, Write},
    process::ExitCode,
};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Serve(config) => {
            server::telemetry::start(config.log_format);
            ended(serve(*config).await, |cause| tracing::error!("{cause}"))
        }
        Command::MainBranch(arguments) => {
            let (mut out, mut notes) = (io::stdout(), io::stderr());
            let done = server::main_branch_command::run(arguments, &mut out, &mut notes).await;
            ended(done, complain)
        }
        Command::Export(arguments) => {
            let (mut out, mut notes) = (io::stdout().lock(), io::stderr());
            let done = server::history_command::export(arguments, &mut out, &mut notes).await;
            ended(done, complain)
        }
        Command::Import(arguments) => {
            let done =
                server::history_command::import(arguments, io::stdin().lock(), &mut io::stderr())
                    .await;
            ended(done, complain)
        }
        Command::Backup(arguments) => {
            let done = server::backup_command::run(arguments, &mut io::stderr()).await;
            ended(done, complain)
        }
        Command::Token(arguments) => {
            let (mut out, mut notes) = (io::stdout(), io::stderr());
            let done = server::token_command::run(arguments, &mut out, &mut notes).await;
            ended(done, complain)
        }
    }
}

async fn serve(config: Serve) -> Result<(), server::StartError> {
    let addr = config.addr;
    let listener = TcpListener::bind(addr)
        .await
        .map_err(|source| server::StartError::Listen { addr, source })?;
    // Whoever closed the terminal does not need it.
    let announce = |text: &str| drop(io::stdout().write_all(text.as_bytes()));
    server::run(config, listener, announce, server::shutdown::signalled()).await
}

fn complain(cause: String) {
    drop(writeln!(io::stderr(), "error: {cause}"));
}

fn ended(result: Result<(), impl Error>, report: impl FnOnce(String)) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(chain(&error));
            ExitCode::FAILURE
        }
    }
}
