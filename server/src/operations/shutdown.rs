//! Waits for the signals to stop.

use crate::operations::systemd;
use std::process;
use tokio::signal::unix::{SignalKind, signal};

/// Resolves at the first SIGINT or SIGTERM. A second one ends the process at once.
pub async fn signalled() {
    next_signal().await;
    systemd::notify(systemd::STOPPING);
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
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminate => {}
    }
}
