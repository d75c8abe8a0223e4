//! A limit on how many permits each client holds at the same time.

use access::network::network;
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Counts the permits of each client. Clones share the counts.
#[derive(Clone, Debug)]
pub(crate) struct PerClient {
    most: usize,
    held: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl PerClient {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            held: Arc::default(),
        }
    }

    /// Returns a permit for the client at this address, released on drop. `None` if the client has reached its limit.
    pub(crate) fn acquire(&self, address: IpAddr) -> Option<HeldByClient> {
        let client = network(address);
        let mut held = self.lock();
        let count = held.entry(client).or_default();
        if *count >= self.most {
            // Remove the new entry; nothing else would.
            if *count == 0 {
                held.remove(&client);
            }
            return None;
        }
        *count += 1;
        Some(HeldByClient {
            limit: self.clone(),
            client,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
pub(crate) struct HeldByClient {
    limit: PerClient,
    client: IpAddr,
}

impl Drop for HeldByClient {
    fn drop(&mut self) {
        let mut held = self.limit.lock();
        if let Some(count) = held.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_has_its_own_count_until_it_leaves() {
        let address = |text: &str| text.parse::<IpAddr>().expect("an address");
        let limit = PerClient::new(2);
        let one = limit.acquire(address("2001:db8::1"));
        let two = limit.acquire(address("2001:db8::2"));
        assert!(one.is_some() && two.is_some());
        assert!(
            limit.acquire(address("2001:db8::3")).is_none(),
            "one network"
        );
        assert!(limit.acquire(address("1.2.3.4")).is_some());
        drop(one);
        assert!(limit.acquire(address("2001:db8::3")).is_some());
        drop(two);
        assert!(limit.lock().is_empty());
        assert!(PerClient::new(0).acquire(address("1.2.3.4")).is_none());
        assert!(limit.lock().is_empty());
    }
}
