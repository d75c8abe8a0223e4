//! When tokens for reading and for administration were last used: noted in the background, and now and then only, as readers ask for much at once.

use crate::{store::Store, text::chain};
use lru::LruCache;
use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// How exact the last use of a read token is. Each note is a write, which an upload may have to wait for.
const EVERY: Duration = Duration::from_secs(60);

/// Tokens whose last note is remembered.
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

    /// Notes that the token with this id was used. Nobody waits for it.
    pub(in crate::auth) fn note(&self, id: i64) {
        if !self.is_due(id) {
            return;
        }
        let store = self.store.clone();
        tokio::spawn(async move {
            if let Err(error) = store.token_used(id).await {
                tracing::warn!(
                    cause = chain(&error),
                    "the last use of a read token was not noted"
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
