//! A cache of answers that are valid as long as the database does not change.
//!
//! An answer is stored with the [`Version`] of the database from before it was computed. A request looks up the version
//! again, and uses the answer only if the version is the same; so it does not matter which process wrote.
//! Requests that wait at the same time share one lookup, which starts after the last of them arrived.
//!
//! A lookup switches threads twice. With SQLite, requests use the last version for up to [`LATEST`] without a lookup if there is no
//! sign of a write ([`Signs`]). A write of this process is visible to every request after its end. A write of another process is
//! visible a few milliseconds after it is synced; if its sync takes more than a second, up to [`LATEST`] after it.

use objects::byte_cache::ByteCache;
use std::{
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use store::{SignReader, Signs, Version, Watcher};
use tokio::sync::{mpsc, oneshot};

const MAX_ANSWERS: usize = 4_096;

/// A request that waits for a version.
type Waiting = oneshot::Sender<Option<Version>>;

/// The most requests that share one lookup.
const MOST_WAITING: usize = 1_024;

/// How long a version is used without a lookup.
const LATEST: Duration = Duration::from_millis(100);

pub(crate) struct FreshCache<Key: Hash + Eq, Answer> {
    kept: ByteCache<Key, (Version, Answer)>,
    lookups: mpsc::UnboundedSender<Waiting>,
    signs: Option<SignReader>,
    last: Mutex<Option<Last>>,
}

/// The last version, and the signs and the time that were read just before its lookup.
struct Last {
    version: Version,
    signs: Signs,
    at: Instant,
}

/// A value with a known size in memory.
pub(crate) trait Weighed {
    fn bytes(&self) -> usize;
}

impl<Key: Hash + Eq + Weighed, Answer: Clone + Weighed> FreshCache<Key, Answer> {
    /// Creates an empty cache of at most `max_bytes` bytes.
    pub(crate) fn new(watcher: Watcher, max_bytes: usize) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "each request sends one message and waits for its answer"
        )]
        let (lookups, requests) = mpsc::unbounded_channel();
        let signs = watcher.signs();
        tokio::spawn(look_up(watcher, requests));
        Self {
            kept: ByteCache::new(max_bytes, MAX_ANSWERS),
            lookups,
            signs,
            last: Mutex::default(),
        }
    }

    /// Returns the cached answer for `key`, or the result of `make`.
    pub(crate) async fn get<Failure>(
        &self,
        key: Key,
        make: impl Future<Output = Result<Answer, Failure>>,
    ) -> Result<Answer, Failure> {
        let Some(version) = self.version().await else {
            return make.await;
        };
        if let Some(answer) = self.of_version(&key, &version) {
            return Ok(answer);
        }
        let answer = make.await?;
        let bytes = key.bytes() + answer.bytes();
        self.kept.put(key, (version, answer.clone()), bytes);
        Ok(answer)
    }

    pub(crate) async fn cached(&self, key: &Key) -> Option<Answer> {
        let version = self.version().await?;
        self.of_version(key, &version)
    }

    fn of_version(&self, key: &Key, version: &Version) -> Option<Answer> {
        let (of, answer) = self.kept.get(key)?;
        (of == *version).then_some(answer)
    }

    /// Returns `None` if the database fails; the next query reports the error.
    async fn version(&self) -> Option<Version> {
        let Some(signs) = self.signs.as_ref().and_then(SignReader::read) else {
            return self.look_up().await;
        };
        let at = Instant::now();
        if let Some(last) = &*self.last()
            && last.signs == signs
            && at.duration_since(last.at) < LATEST
        {
            return Some(last.version.clone());
        }
        let version = self.look_up().await?;
        *self.last() = Some(Last {
            version: version.clone(),
            signs,
            at,
        });
        Some(version)
    }

    fn last(&self) -> MutexGuard<'_, Option<Last>> {
        // It is replaced as a whole, so a panic leaves no half-written value.
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn look_up(&self) -> Option<Version> {
        let (sender, version) = oneshot::channel();
        self.lookups.send(sender).ok()?;
        version.await.ok()?
    }
}

/// Looks up versions until the cache is dropped.
async fn look_up(mut watcher: Watcher, mut requests: mpsc::UnboundedReceiver<Waiting>) {
    let mut waiting = Vec::new();
    while requests.recv_many(&mut waiting, MOST_WAITING).await > 0 {
        let version = watcher.version().await.ok();
        for one in waiting.drain(..) {
            // A request that was dropped needs no answer.
            one.send(version.clone()).ok();
        }
    }
}
