//! The process among the others of its machine: its log, the signals to stop, and systemd, if it started the service with
//! `Type=notify`.

use config::LogFormat;
use std::{
    env,
    future::pending,
    io::{self, IsTerminal},
    os::{
        linux::net::SocketAddrExt,
        unix::net::{SocketAddr, UnixDatagram},
    },
    process,
};
use tokio::signal::{
    ctrl_c,
    unix::{SignalKind, signal},
};
use tracing_subscriber::{EnvFilter, fmt};

/// The default filter of log lines. The library of the Model Context Protocol writes several lines for each request.
const LINES: &str = "info,rmcp=error";

/// Starts logging to standard error. `RUST_LOG` sets which lines are written.
pub(crate) fn start_log(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(LINES));
    let builder = fmt().with_env_filter(filter).with_writer(io::stderr);
    let is_terminal = io::stderr().is_terminal();
    match format {
        LogFormat::Text => builder.with_target(false).with_ansi(is_terminal).init(),
        LogFormat::Json => builder.json().with_span_list(false).init(),
    }
}

/// Resolves at the first SIGINT or SIGTERM. A second one ends the process at once.
pub(crate) async fn signalled() {
    next_signal().await;
    notify(STOPPING);
    tracing::info!("stopping: finishing the requests in progress; signal again to stop at once");
    tokio::spawn(async {
        next_signal().await;
        #[expect(clippy::disallowed_methods, reason = "a second signal asks for it")]
        process::exit(130);
    });
}

async fn next_signal() {
    let terminate = async {
        match signal(SignalKind::terminate()) {
            Ok(mut signals) => drop(signals.recv().await),
            Err(_) => pending().await,
        }
    };
    tokio::select! {
        _ = ctrl_c() => {}
        () = terminate => {}
    }
}

pub(crate) const READY: &str = "READY=1";

pub(crate) const STOPPING: &str = "STOPPING=1";

/// Notifies systemd if it expects that (`man sd_notify`). A failure is logged.
pub(crate) fn notify(state: &str) {
    #[expect(
        clippy::disallowed_methods,
        reason = "systemd sets it, it is no setting"
    )]
    let Some(socket) = env::var_os("NOTIFY_SOCKET") else {
        return;
    };
    if let Err(error) = send(socket.as_encoded_bytes(), state) {
        tracing::warn!(%error, state, "cannot notify systemd");
    }
}

fn send(socket: &[u8], state: &str) -> io::Result<()> {
    let address = match socket.strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(String::from_utf8_lossy(socket).as_ref())?,
    };
    UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(listening: UnixDatagram, socket: &[u8]) -> String {
        send(socket, READY).expect("sent");
        let mut text = [0; 64];
        let length = listening.recv(&mut text).expect("received");
        String::from_utf8_lossy(&text[..length]).into_owned()
    }

    #[test]
    fn systemd_is_notified_at_a_path_and_at_an_abstract_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notify");
        let listening = UnixDatagram::bind(&path).expect("a socket");
        assert_eq!(
            received(listening, path.as_os_str().as_encoded_bytes()),
            READY
        );
        let name = format!("coverage-dashboard-{:x}", rand::random::<u64>());
        let address = SocketAddr::from_abstract_name(&name).expect("a name");
        let listening = UnixDatagram::bind_addr(&address).expect("a socket");
        assert_eq!(received(listening, format!("@{name}").as_bytes()), READY);
    }
}
