//! Writes the ledger of uploads: one task writes new entries in batches and removes old ones.

use domain::text::chain;
use std::time::Duration;
use store::{LedgerEntry, LedgerLimit, Store};
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

/// The most rows that wait for the next write.
const MAX_WAITING: usize = 1_024;
/// The most rows of one write.
const BATCH_ROWS: usize = 256;

/// The number of new rows between two removals of old rows. A removal costs more than a write.
const BETWEEN_TRIMS: usize = 1_000;

/// How long a response waits for its row. A locked database must not delay a refusal for longer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(2);

/// The ledger of uploads.
#[derive(Clone, Debug)]
pub struct Ledger {
    sender: mpsc::Sender<(LedgerEntry, Written)>,
}

/// Tells a response that its row is written.
type Written = oneshot::Sender<()>;

impl Ledger {
    /// Starts the task that writes into `store`. The task ends when the last clone is dropped.
    pub fn start(store: Store, limit: LedgerLimit) -> Self {
        let (sender, waiting) = mpsc::channel(MAX_WAITING);
        tokio::spawn(write(store, limit, waiting));
        Self { sender }
    }

    /// Adds an upload, and returns when its row is durable or the write takes too long. A failed write is only logged, because a
    /// problem of the ledger must not make an upload fail or delay its response.
    pub async fn add(&self, entry: LedgerEntry) {
        let (written, is_written) = oneshot::channel();
        let adding = async {
            self.sender.send((entry, written)).await.ok();
            is_written.await.ok();
        };
        if timeout(WRITE_TIMEOUT, adding).await.is_err() {
            tracing::warn!(
                "writing the ledger of uploads is slow; a response was sent before its row was written, and the row may be missing"
            );
        }
    }
}

async fn write(
    store: Store,
    limit: LedgerLimit,
    mut waiting: mpsc::Receiver<(LedgerEntry, Written)>,
) {
    let mut since_trim = BETWEEN_TRIMS;
    let mut batch = Vec::with_capacity(BATCH_ROWS);
    while waiting.recv_many(&mut batch, BATCH_ROWS).await > 0 {
        let (entries, written): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
        if let Err(error) = store.writer().add_to_ledger(&entries).await {
            let (rows, cause) = (entries.len(), chain(&error));
            tracing::error!(rows, cause, "cannot write the ledger of uploads");
        }
        for row in written {
            // Fails only if the response no longer waits.
            row.send(()).ok();
        }
        since_trim += entries.len();
        if since_trim >= BETWEEN_TRIMS {
            since_trim = 0;
            if let Err(error) = store.writer().trim_ledger(limit).await {
                tracing::error!(
                    cause = chain(&error),
                    "cannot remove old rows from the ledger of uploads"
                );
            }
        }
    }
}
