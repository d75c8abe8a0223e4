//! What was used last, kept in memory up to a number of bytes and of values.

use lru::LruCache;
use std::{
    borrow::Borrow,
    fmt,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// A cache whose values are cheap to clone, shared by all requests.
pub(crate) struct ByteCache<K: Hash + Eq, V> {
    max_bytes: usize,
    max_values: usize,
    kept: Mutex<Kept<K, V>>,
}

struct Kept<K: Hash + Eq, V> {
    values: LruCache<K, (V, usize)>,
    bytes: usize,
}

impl<K: Hash + Eq, V: Clone> ByteCache<K, V> {
    pub(crate) fn new(max_bytes: usize, max_values: usize) -> Self {
        let values = LruCache::unbounded();
        Self {
            max_bytes,
            max_values,
            kept: Mutex::new(Kept { values, bytes: 0 }),
        }
    }

    pub(crate) fn get<Q>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.lock().values.get(key).map(|(value, _)| value.clone())
    }

    /// Keeps a value of so many bytes; what was not used for longest makes room. One that would need all the room is not kept.
    pub(crate) fn put(&self, key: K, value: V, bytes: usize) {
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

    pub(crate) fn remove<Q>(&self, key: &Q)
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let mut kept = self.lock();
        if let Some((_, freed)) = kept.values.pop(key) {
            kept.bytes -= freed;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept<K, V>> {
        // Nothing in here panics half-way, so what another thread's panic left is whole.
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
    fn what_was_not_used_for_longest_makes_room() {
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
    fn a_value_that_is_replaced_or_too_large_takes_no_room() {
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
