//! Writes the ledger of uploads: one task takes what has come together since the last time, and trims what is too old.

use crate::{
    store::{LedgerEntry, LedgerLimit, Store},
    text::chain,
};
use std::time::Duration;
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

/// Rows that wait for the next write, and rows of one write.
const WAITING: usize = 1_024;
const AT_ONCE: usize = 256;

/// Rows after which old ones are looked for: looking costs more than writing.
const BETWEEN_TRIMS: usize = 1_000;

/// How long an answer waits for its row. A database that is locked for longer shall not hold up a refusal.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where uploads are entered.
#[derive(Clone, Debug)]
pub struct Ledger {
    sender: mpsc::Sender<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    entry: LedgerEntry,
    written: oneshot::Sender<()>,
}

impl Ledger {
    /// Begins to write into `store`; ends when the last clone is gone.
    pub fn start(store: Store, limit: LedgerLimit) -> Self {
        let (sender, waiting) = mpsc::channel(WAITING);
        tokio::spawn(write(store, limit, waiting));
        Self { sender }
    }

    /// Enters an upload, and returns once its row is durable. What keeps it from being written goes to the log: it is
    /// no reason to refuse an upload, nor to keep a refusal back.
    pub async fn add(&self, entry: LedgerEntry) {
        let (written, is_written) = oneshot::channel();
        let adding = async {
            self.sender.send(Waiting { entry, written }).await.ok();
            is_written.await.ok();
        };
        if timeout(PATIENCE, adding).await.is_err() {
            tracing::warn!(
                "the ledger of uploads is slow to be written; an answer went out before its row"
            );
        }
    }
}

async fn write(store: Store, limit: LedgerLimit, mut waiting: mpsc::Receiver<Waiting>) {
    let mut since_trim = BETWEEN_TRIMS;
    let mut taken = Vec::with_capacity(AT_ONCE);
    while waiting.recv_many(&mut taken, AT_ONCE).await > 0 {
        let (entries, written): (Vec<_>, Vec<_>) = taken
            .drain(..)
            .map(|waiting| (waiting.entry, waiting.written))
            .unzip();
        if let Err(error) = store.add_to_ledger(&entries).await {
            let (rows, cause) = (entries.len(), chain(&error));
            tracing::error!(rows, cause, "the ledger of uploads could not be written");
        }
        for row in written {
            // An answer that did not wait for it does not mind.
            row.send(()).ok();
        }
        since_trim += entries.len();
        if since_trim >= BETWEEN_TRIMS {
            since_trim = 0;
            if let Err(error) = store.trim_ledger(limit).await {
                tracing::error!(
                    cause = chain(&error),
                    "the ledger of uploads could not be trimmed"
                );
            }
        }
    }
}
