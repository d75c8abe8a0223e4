//! The binary `coverage-dashboard`: reads the command line, starts logging and runs what was asked for.

use clap::Parser;
use server::config::{Cli, Command};
use std::{
    io::{self, Write},
    process::ExitCode,
};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> ExitCode {
    let Command::Serve(config) = Cli::parse().command;
    server::telemetry::start(config.log_format);
    let served = async {
        let listener =
            TcpListener::bind(config.addr)
                .await
                .map_err(|source| server::StartError::Listen {
                    addr: config.addr,
                    source,
                })?;
        // Whoever closed the terminal does not need it.
        let announce = |text: &str| drop(io::stdout().write_all(text.as_bytes()));
        server::run(*config, listener, announce, server::shutdown::signalled()).await
    };
    match served.await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{}", server::error::chain(&error));
            ExitCode::FAILURE
        }
    }
}
