//! Records the last use of read and admin tokens, in the background and at intervals, since readers send many requests.

use crate::failed_attempts::remembered;
use domain::text::chain;
use moka::sync::Cache;
use std::time::Duration;
use store::Store;

/// The precision of the last use of a token. Each update is a write, which may delay an upload.
const EVERY: Duration = Duration::from_secs(60);

/// The number of tokens whose last update is kept in memory.
const REMEMBERED: u64 = 1_024;

#[derive(Clone, Debug)]
pub(crate) struct LastUses {
    store: Store,
    /// The tokens that were updated within [`EVERY`].
    noted: Cache<i64, ()>,
}

impl LastUses {
    pub(crate) fn new(store: Store) -> Self {
        Self {
            store,
            noted: remembered(REMEMBERED, EVERY),
        }
    }

    pub(crate) fn note(&self, id: i64) {
        let is_due = self.noted.entry(id).or_insert(()).is_fresh();
        if !is_due {
            return;
        }
        let store = self.store.clone();
        tokio::spawn(async move {
            if let Err(error) = store.writer().token_used(id).await {
                tracing::warn!(
                    cause = chain(&error),
                    "the last use of a token was not recorded"
                );
            }
        });
    }
}
