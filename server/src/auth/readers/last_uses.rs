//! Records the last use of read and admin tokens, in the background and at intervals, since readers send many requests.

use crate::{store::Store, text::chain};
use lru::LruCache;
use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// The precision of the last use of a token. Each note is a write, which may delay an upload.
const EVERY: Duration = Duration::from_secs(60);

/// The number of tokens whose last note is remembered.
const REMEMBERED: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1_023);

#[derive(Clone, Debug)]
pub(in crate::auth) struct LastUses {
    store: Store,
    noted: Arc<Mutex<LruCache<i64, Instant>>>,
}

impl LastUses {
    pub(in crate::auth) fn new(store: Store) -> Self {
        Self {
            store,
            noted: Arc::new(Mutex::new(LruCache::new(REMEMBERED))),
        }
    }

    /// Notes in the background that the token with this id was used.
    pub(in crate::auth) fn note(&self, id: i64) {
        if !self.is_due(id) {
            return;
        }
        let store = self.store.clone();
        tokio::spawn(async move {
            if let Err(error) = store.token_used(id).await {
                tracing::warn!(
                    cause = chain(&error),
                    "the last use of a token was not recorded"
                );
            }
        });
    }

    fn is_due(&self, id: i64) -> bool {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let is_fresh = noted.get(&id).is_some_and(|at| at.elapsed() < EVERY);
        if !is_fresh {
            noted.put(id, Instant::now());
        }
        !is_fresh
    }
}
