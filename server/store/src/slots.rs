//! Shared values by key. Each value exists as long as it is used.

use std::{
    collections::HashMap,
    fmt::Debug,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError, Weak},
};

/// Shared values by key. Clones share the same values.
#[derive(Debug)]
pub struct Slots<K, T>(Arc<Mutex<HashMap<K, Weak<T>>>>);

impl<K, T> Clone for Slots<K, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K, T> Default for Slots<K, T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: Eq + Hash, T: Default> Slots<K, T> {
    /// The value of a key: the value that others use, or a new one.
    pub fn get(&self, key: K) -> Arc<T> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|_, slot| slot.strong_count() > 0);
        let slot = slots.entry(key).or_default();
        // The lock is held, so no other thread can change the slot between these lines.
        slot.upgrade().unwrap_or_else(|| {
            let new = Arc::default();
            *slot = Arc::downgrade(&new);
            new
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_shared_while_it_is_used_and_new_afterwards() {
        let slots = Slots::<&str, Mutex<u8>>::default();
        let one = slots.get("a");
        *one.lock().expect("a value") = 7;
        assert_eq!(*slots.get("a").lock().expect("a value"), 7);
        assert_eq!(*slots.get("b").lock().expect("a value"), 0);
        drop(one);
        assert_eq!(*slots.get("a").lock().expect("a value"), 0);
    }
}
