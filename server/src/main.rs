//! The binary `coverage-dashboard`: reads the command line, starts logging and runs the command.

use clap::ArgMatches;
use client::{
    command_line,
    exit::{self, ended, failed},
    output::Output,
};
use config::Serve;
use domain::text::chain;
use server::{
    commands::{
        Cli, Command,
        names::NamesArguments,
        settings::without_secret,
        token::TokenAction,
        verify::{Caller, VerifyArguments},
    },
    operations::systemd,
};
use std::{
    io::{self, BufReader, IsTerminal, Write},
    process::ExitCode,
};
use store::HowNamesChange;
use tokio::net::TcpListener;

/// musl's own allocator has one lock, for which threads wait.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    exit::run(run())
}

async fn run() -> ExitCode {
    let (cli, matches) = match command_line::read::<Cli>(without_secret) {
        Ok(read) => read,
        Err(error) => error.exit(),
    };
    match cli.command {
        Command::Serve(config) => {
            server::operations::telemetry::start(config.log_format);
            match serve(*config, &matches).await {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    tracing::error!("{}", chain(&error));
                    ExitCode::FAILURE
                }
            }
        }
        Command::Client(command) => command.run().await,
        Command::Session(arguments) => {
            let (mut out, mut notes) = (Output::new(io::stdout()), io::stderr());
            let done = server::commands::session::run(arguments, &mut out, &mut notes).await;
            ended(out.ended(done))
        }
        Command::MainBranch(arguments) => {
            let (mut out, mut notes) = (Output::new(io::stdout()), io::stderr());
            let done = server::commands::main_branch::run(arguments, &mut out, &mut notes).await;
            ended(out.ended(done))
        }
        Command::Gate(arguments) => {
            let (mut out, mut notes) = (Output::new(io::stdout()), io::stderr());
            let done = server::commands::gate::run(arguments, &mut out, &mut notes).await;
            ended(out.ended(done))
        }
        Command::Rename(arguments) => change_names(arguments, HowNamesChange::Rename).await,
        Command::Merge(arguments) => change_names(arguments, HowNamesChange::Merge).await,
        Command::UnpinIdentity(arguments) => {
            ended(server::commands::unpin_identity::run(arguments, &mut io::stderr()).await)
        }
        Command::Export(arguments) => {
            let (mut out, mut notes) = (Output::new(io::stdout().lock()), io::stderr());
            let done = server::commands::history::export(arguments, &mut out, &mut notes).await;
            ended(out.ended(done))
        }
        Command::Import(arguments) => {
            let done =
                server::commands::history::import(arguments, io::stdin().lock(), &mut io::stderr())
                    .await;
            ended(done)
        }
        Command::Backup(arguments) => {
            let done = server::commands::backup::run(arguments, &mut io::stderr()).await;
            ended(done)
        }
        Command::Verify(arguments) => verify(arguments).await,
        Command::Prune(arguments) => {
            let (mut out, mut notes) = (Output::new(io::stdout()), io::stderr());
            let done = server::commands::prune::prune(arguments, &mut out, &mut notes).await;
            ended(out.ended(done))
        }
        Command::Pin(arguments) => {
            ended(server::commands::prune::pin(arguments, true, &mut io::stderr()).await)
        }
        Command::Unpin(arguments) => {
            ended(server::commands::prune::pin(arguments, false, &mut io::stderr()).await)
        }
        Command::Healthcheck(arguments) => {
            let done = server::commands::healthcheck::run(arguments, &mut io::stdout()).await;
            ended(done)
        }
        Command::Delete(arguments) => {
            let is_terminal = io::stdin().is_terminal();
            let (mut answers, mut notes) = (io::stdin().lock(), io::stderr());
            let done =
                server::commands::delete::run(arguments, is_terminal, &mut answers, &mut notes)
                    .await;
            ended(done)
        }
        Command::Audit(arguments) => {
            let mut out = Output::new(io::BufWriter::new(io::stdout()));
            let done = server::commands::audit::run(arguments, &mut out, &mut io::stderr()).await;
            ended(out.ended(done))
        }
        Command::Config(arguments) => {
            let mut out = Output::new(io::stdout());
            let printed = server::commands::settings::run(&arguments, &matches, &mut out);
            ended(out.ended(printed))
        }
        Command::TestWebhooks(arguments) => {
            let mut out = Output::new(io::stdout());
            let done = server::commands::test_webhooks::run(*arguments, &mut out).await;
            ended(out.ended(done))
        }
        Command::Openapi => {
            let mut out = Output::new(io::stdout());
            let printed = server::openapi().map_err(io::Error::other);
            let printed = printed.and_then(|text| out.write_all(text.as_bytes()));
            ended(out.ended(printed))
        }
        Command::Token(arguments) => {
            let (mut out, mut notes) = (Output::new(io::stdout()), io::stderr());
            let is_list = matches!(arguments.action, TokenAction::List { .. });
            let done = server::commands::token::run(arguments, &mut out, &mut notes).await;
            // `create` fails if the output is closed: its token was never shown, and is revoked.
            ended(if is_list { out.ended(done) } else { done })
        }
    }
}

async fn change_names(arguments: NamesArguments, how: HowNamesChange) -> ExitCode {
    let (is_terminal, mut notes) = (io::stdin().is_terminal(), io::stderr());
    let mut answers = BufReader::new(io::stdin());
    let done =
        server::commands::names::run(arguments, how, is_terminal, &mut answers, &mut notes).await;
    ended(done)
}

async fn serve(
    mut config: Serve,
    matches: &ArgMatches,
) -> Result<(), server::commands::serve::StartError> {
    let addr = config.addr;
    let listener = TcpListener::bind(addr)
        .await
        .map_err(|source| server::commands::serve::StartError::Listen { addr, source })?;
    let listening = listener.local_addr().unwrap_or(addr);
    config.shown = server::commands::settings::settings(matches, &config, listening);
    let announce = |text: &str| {
        // A closed terminal does not stop the service.
        drop(io::stdout().write_all(text.as_bytes()));
        systemd::notify(systemd::READY);
    };
    server::commands::serve::run(
        config,
        listener,
        announce,
        server::operations::shutdown::signalled(),
    )
    .await
}

/// The exit code: 0 if nothing was found, 1 if something was found, 2 if something could not be checked.
async fn verify(arguments: VerifyArguments) -> ExitCode {
    let (mut out, mut notes) = (Output::new(io::stdout().lock()), io::stderr());
    let caller = Caller {
        terminal: io::stdin().is_terminal().then(|| io::stdin().lock()),
        sees_progress: notes.is_terminal(),
        out: &mut out,
        notes: &mut notes,
    };
    let done = server::commands::verify::run(arguments, caller).await;
    let is_well = matches!(done, Ok(true));
    match out.ended(done.map(drop)) {
        Ok(()) if is_well => ExitCode::SUCCESS,
        // Also if the reader closed the output early.
        Ok(()) => ExitCode::from(1),
        Err(error) => {
            failed(&error);
            ExitCode::from(2)
        }
    }
}
