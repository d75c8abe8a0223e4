//! When to stop serving.

use tokio::signal::unix::{SignalKind, signal};

/// Resolves at the first SIGINT or SIGTERM.
pub async fn signalled() {
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
    tracing::info!("stopping: requests under way are finished first");
}
