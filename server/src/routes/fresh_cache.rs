//! Answers that are kept for as long as the database does not change: never one that is older than what a client may know.
//!
//! An answer is kept with a [`Version`] of the database from before it was made. Whoever asks for it has the version looked
//! up again, and gets it only if that is still the same; so it does not matter which process wrote, nor when it tells. One
//! question is enough for all who wait for it: it has to be asked after the last of them came.

use crate::{
    reports::byte_cache::ByteCache,
    store::{Version, Watcher},
};
use std::{fmt, hash::Hash, sync::Arc};
use tokio::sync::{mpsc, oneshot};

/// How much may be kept.
const MAX_BYTES: usize = 32 << 20;
const MAX_ANSWERS: usize = 4_096;

/// Who waits for a version.
type Waiting = oneshot::Sender<Option<Version>>;

/// How many one question answers.
const MOST_WAITING: usize = 1_024;

/// A cache of answers to `Key`s.
pub(crate) struct FreshCache<Key: Hash + Eq, Answer> {
    kept: Arc<ByteCache<Key, (Version, Answer)>>,
    ask: mpsc::UnboundedSender<Waiting>,
}

/// What takes memory.
pub(crate) trait Weighed {
    /// Bytes of memory.
    fn bytes(&self) -> usize;
}

impl<Key: Hash + Eq + Weighed, Answer: Clone + Weighed> FreshCache<Key, Answer> {
    /// An empty one over the database of `watcher`.
    pub(crate) fn new(watcher: Watcher) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "each request sends one message and waits for its answer"
        )]
        let (ask, asked) = mpsc::unbounded_channel();
        tokio::spawn(look_up(watcher, asked));
        Self {
            kept: Arc::new(ByteCache::new(MAX_BYTES, MAX_ANSWERS)),
            ask,
        }
    }

    /// The answer that is kept for `key`, or the one that `make` gives.
    ///
    /// # Errors
    ///
    /// That of `make`.
    pub(crate) async fn get<Failure>(
        &self,
        key: Key,
        make: impl Future<Output = Result<Answer, Failure>>,
    ) -> Result<Answer, Failure> {
        let Some(version) = self.version().await else {
            return make.await;
        };
        match self.kept.get(&key) {
            Some((of, answer)) if of == version => Ok(answer),
            _ => {
                let answer = make.await?;
                let bytes = key.bytes() + answer.bytes();
                self.kept.put(key, (version, answer.clone()), bytes);
                Ok(answer)
            }
        }
    }

    /// None where the database fails: whoever asks it next will hear why.
    async fn version(&self) -> Option<Version> {
        let (tell, told) = oneshot::channel();
        self.ask.send(tell).ok()?;
        told.await.ok()?
    }
}

/// Until nobody can ask any more.
async fn look_up(mut watcher: Watcher, mut asked: mpsc::UnboundedReceiver<Waiting>) {
    let mut waiting = Vec::new();
    while asked.recv_many(&mut waiting, MOST_WAITING).await > 0 {
        let version = watcher.version().await.ok();
        for one in waiting.drain(..) {
            // One that has hung up needs no answer.
            one.send(version.clone()).ok();
        }
    }
}

impl<Key: Hash + Eq, Answer> Clone for FreshCache<Key, Answer> {
    fn clone(&self) -> Self {
        Self {
            kept: self.kept.clone(),
            ask: self.ask.clone(),
        }
    }
}

impl<Key: Hash + Eq, Answer> fmt::Debug for FreshCache<Key, Answer> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FreshCache")
    }
}
