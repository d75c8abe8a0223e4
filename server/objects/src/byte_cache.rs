//! An LRU cache in memory with limits on bytes and on the number of values.
//!
//! The crate moka does not fit. It has only one of these limits. It also holds removed values until its next maintenance: a cache
//! with room for 5 values still held 77 of 200. A value of this cache may be an open file, whose space on the disk must become free.

use lru::LruCache;
use std::{
    borrow::Borrow,
    fmt,
    hash::Hash,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// A cache that all requests share. Its values are cheap to clone.
pub struct ByteCache<K: Hash + Eq, V> {
    max_bytes: usize,
    max_values: usize,
    kept: Mutex<Kept<K, V>>,
    hits: AtomicU64,
    misses: AtomicU64,
}

/// The content of a cache, and its hits and misses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUse {
    /// The number of values.
    pub entries: usize,
    /// The bytes of all values.
    pub bytes: usize,
    /// The number of lookups that found a value.
    pub hits: u64,
    /// The number of values that had to be computed.
    pub misses: u64,
}

struct Kept<K: Hash + Eq, V> {
    values: LruCache<K, (V, usize)>,
    bytes: usize,
}

impl<K: Hash + Eq, V: Clone> ByteCache<K, V> {
    /// Creates an empty cache of at most `max_bytes` bytes and `max_values` values.
    pub fn new(max_bytes: usize, max_values: usize) -> Self {
        let values = LruCache::unbounded();
        Self {
            max_bytes,
            max_values,
            kept: Mutex::new(Kept { values, bytes: 0 }),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    /// Returns the value of a key, which becomes the most recently used one.
    pub fn get<Q>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let found = self.lock().values.get(key).map(|(value, _)| value.clone());
        if found.is_some() {
            self.hits.fetch_add(1, Ordering::Relaxed);
        }
        found
    }

    /// Stores a value of `bytes` bytes, and evicts the least recently used ones. A value larger than the cache is not stored.
    pub fn put(&self, key: K, value: V, bytes: usize) {
        // Counted here, because a caller may look up a value more than once before it stores it.
        self.misses.fetch_add(1, Ordering::Relaxed);
        if bytes > self.max_bytes {
            return;
        }
        let mut kept = self.lock();
        kept.bytes += bytes;
        if let Some((_, replaced)) = kept.values.put(key, (value, bytes)) {
            kept.bytes -= replaced;
        }
        while kept.bytes > self.max_bytes || kept.values.len() > self.max_values {
            let Some((_, (_, freed))) = kept.values.pop_lru() else {
                break;
            };
            kept.bytes -= freed;
        }
    }

    /// Removes the value of a key.
    pub fn remove<Q>(&self, key: &Q)
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let mut kept = self.lock();
        if let Some((_, freed)) = kept.values.pop(key) {
            kept.bytes -= freed;
        }
    }

    /// Returns how full the cache is, and how many lookups found a value.
    pub fn usage(&self) -> CacheUse {
        let kept = self.lock();
        CacheUse {
            entries: kept.values.len(),
            bytes: kept.bytes,
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept<K, V>> {
        // No code panics while it holds the lock, so the content is consistent.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq, V> fmt::Debug for ByteCache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByteCache")
            .field("max_bytes", &self.max_bytes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_value_is_evicted() {
        let cache = ByteCache::new(10, 9);
        cache.put("a", 1, 4);
        cache.put("b", 2, 4);
        assert_eq!(cache.get("a"), Some(1));
        cache.put("c", 3, 4);
        assert_eq!(
            ["a", "b", "c"].map(|key| cache.get(key)),
            [Some(1), None, Some(3)]
        );
        cache.remove("a");
        cache.put("d", 4, 6);
        assert_eq!(["c", "d"].map(|key| cache.get(key)), [Some(3), Some(4)]);
    }

    #[test]
    fn a_cache_counts_hits_and_misses() {
        let cache = ByteCache::new(10, 9);
        assert_eq!(cache.get("a"), None);
        cache.put("a", 1, 4);
        cache.get("a");
        cache.get("a");
        let usage = CacheUse {
            entries: 1,
            bytes: 4,
            hits: 2,
            misses: 1,
        };
        assert_eq!(cache.usage(), usage);
    }

    #[test]
    fn a_replaced_or_too_large_value_takes_no_space() {
        let cache = ByteCache::new(10, 2);
        cache.put("a", 1, 9);
        cache.put("a", 2, 1);
        cache.put("b", 3, 9);
        cache.put("c", 4, 11);
        assert_eq!(
            ["a", "b", "c"].map(|key| cache.get(key)),
            [Some(2), Some(3), None]
        );
    }

    #[test]
    fn there_are_never_more_values_than_allowed() {
        let cache = ByteCache::new(10, 2);
        for key in ["a", "b", "c"] {
            cache.put(key, key, 0);
        }
        assert_eq!(
            ["a", "b", "c"].map(|key| cache.get(key).is_some()),
            [false, true, true]
        );
    }
}
