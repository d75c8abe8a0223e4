//! A queue that no single key can fill. It limits how many tasks run and how many wait. The next permit goes to the task whose
//! keys hold the fewest permits, and among equals to the task whose keys got a permit longest ago.
//!
//! A running task is not interrupted, so its permit is unavailable until the task ends. Therefore a key gets at most a share of
//! the permits that others leave: with a share of one half, the first key gets half of all permits, the next key a quarter, and
//! the last free permit goes to a key that holds none.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    sync::oneshot,
    time::{sleep, timeout},
};

/// The limits of a queue.
#[derive(Clone, Copy, Debug)]
pub struct QueueLimits {
    /// The number of tasks that run at a time.
    pub running: usize,
    /// The number of tasks that wait.
    pub waiting: usize,
    /// The share, in per cent, of the permits not held by others that one key may have.
    pub running_share: u8,
    /// The same share for waiting.
    pub waiting_share: u8,
    /// The time limit for waiting.
    pub wait: Duration,
}

/// A queue. Clones share it.
#[derive(Clone, Debug)]
pub struct FairQueue {
    limits: QueueLimits,
    state: Arc<Mutex<State>>,
}

/// The keys of a task, the most important key first.
type Keys = Vec<String>;

#[derive(Debug, Default)]
struct State {
    running: HashMap<u64, Keys>,
    /// In the order of arrival.
    waiting: BTreeMap<u64, Waiting>,
    next_id: u64,
    /// The number of the last permit that each key got.
    served: HashMap<String, u64>,
    permits: u64,
}

/// The order of two waiting tasks, before their keys count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The rank of most tasks.
    First,
    /// Lets other tasks go first, a few times.
    Later,
}

/// The number of tasks that go before a task of rank `Later`. Then it counts like the others, so that it runs at all.
const MOST_BEFORE: u32 = 3;

/// The time between two attempts to join a queue in which too many wait.
const BEFORE_NEXT: Duration = Duration::from_millis(500);

#[derive(Debug)]
struct Waiting {
    keys: Keys,
    rank: Rank,
    /// The number of tasks of the first rank that got a permit in the meantime.
    passed: u32,
    grant: oneshot::Sender<()>,
}

/// The permission to run, until it is dropped.
#[derive(Debug)]
pub struct Permit {
    queue: FairQueue,
    id: u64,
}

impl FairQueue {
    /// Creates an empty queue.
    pub fn new(limits: QueueLimits) -> Self {
        Self {
            limits,
            state: Arc::default(),
        }
    }

    /// Returns the number of running tasks.
    pub fn running(&self) -> usize {
        self.lock().running.len()
    }

    /// Returns the number of waiting tasks.
    pub fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Waits for a permit. Returns `None` if too many wait already, or if the wait takes too long.
    pub async fn enter(&self, keys: Keys) -> Option<Permit> {
        self.enter_as(keys, Rank::First).await
    }

    /// Waits for a permit with a rank.
    pub async fn enter_as(&self, keys: Keys, rank: Rank) -> Option<Permit> {
        let (permit, granted) = self.join(keys, rank)?;
        match timeout(self.limits.wait, granted).await {
            Ok(Ok(())) => Some(permit),
            // Dropping the permit leaves the queue, even if the permit was granted just now.
            _ => None,
        }
    }

    /// Waits for a permit at most for `wait`, also while too many wait already: for clients that take a refusal for the end.
    pub async fn enter_within(&self, wait: Duration, keys: Keys) -> Option<Permit> {
        let entering = async {
            loop {
                if let Some((permit, granted)) = self.join(keys.clone(), Rank::First)
                    && granted.await.is_ok()
                {
                    return permit;
                }
                sleep(BEFORE_NEXT).await;
            }
        };
        timeout(wait, entering).await.ok()
    }

    fn join(&self, keys: Keys, rank: Rank) -> Option<(Permit, oneshot::Receiver<()>)> {
        let mut state = self.lock();
        let id = state.next_id;
        state.next_id += 1;
        let (grant, granted) = oneshot::channel();
        // If a waiting task could run, it would be running. So this task overtakes none.
        if state.held_running(&self.limits).may_have_more(&keys) {
            state.run(id, keys);
            grant.send(()).ok();
        } else if state.held_waiting(&self.limits).may_have_more(&keys) {
            let waiting = Waiting {
                keys,
                rank,
                passed: 0,
                grant,
            };
            state.waiting.insert(id, waiting);
        } else {
            return None;
        }
        let queue = self.clone();
        Some((Permit { queue, id }, granted))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn held_running(&self, limits: &QueueLimits) -> Held<'_> {
        Held::of(self.running.values(), limits.running, limits.running_share)
    }

    fn held_waiting(&self, limits: &QueueLimits) -> Held<'_> {
        let waiting = self.waiting.values().map(|waiting| &waiting.keys);
        Held::of(waiting, limits.waiting, limits.waiting_share)
    }

    fn run(&mut self, id: u64, keys: Keys) {
        self.permits += 1;
        for key in &keys {
            self.served.insert(key.clone(), self.permits);
        }
        self.running.insert(id, keys);
    }

    /// Forgets the numbers of keys that no task uses.
    fn forget(&mut self) {
        let waiting = self.waiting.values().map(|waiting| &waiting.keys);
        let used: HashSet<&str> = self
            .running
            .values()
            .chain(waiting)
            .flatten()
            .map(String::as_str)
            .collect();
        self.served.retain(|key, _| used.contains(key.as_str()));
    }

    /// Gives free permits to waiting tasks.
    fn dispatch(&mut self, limits: &QueueLimits) {
        while let Some(id) = self.next(limits) {
            let Some(Waiting {
                keys, rank, grant, ..
            }) = self.waiting.remove(&id)
            else {
                return;
            };
            if rank == Rank::First {
                for waiting in self.waiting.values_mut() {
                    waiting.passed += 1;
                }
            }
            self.run(id, keys);
            // If the receiver is gone, the task drops its permit next.
            grant.send(()).ok();
        }
    }

    /// Returns the waiting task that gets the next permit.
    fn next(&self, limits: &QueueLimits) -> Option<u64> {
        let held = self.held_running(limits);
        let waiting = self.waiting.iter();
        let may_run = waiting.filter(|(_, task)| held.may_have_more(&task.keys));
        let served = |task: &Waiting| -> Vec<u64> {
            let served = |key| self.served.get(key).copied().unwrap_or_default();
            task.keys.iter().map(served).collect()
        };
        may_run
            .min_by_key(|(id, task)| {
                let is_later = task.rank == Rank::Later && task.passed < MOST_BEFORE;
                (is_later, held.counts(&task.keys), served(task), **id)
            })
            .map(|(id, _)| *id)
    }
}

/// The number of permits that each key holds.
struct Held<'a> {
    by_key: HashMap<&'a str, usize>,
    free: usize,
    /// The share, in per cent, of the permits not held by others that one key may have.
    share: u8,
}

impl<'a> Held<'a> {
    fn of(all: impl ExactSizeIterator<Item = &'a Keys>, limit: usize, share: u8) -> Self {
        let (mut by_key, free) = (HashMap::new(), limit.saturating_sub(all.len()));
        for key in all.flatten() {
            *by_key.entry(key.as_str()).or_default() += 1;
        }
        Self {
            by_key,
            free,
            share,
        }
    }

    fn counts(&self, keys: &[String]) -> Vec<usize> {
        let count = |key: &String| self.by_key.get(key.as_str()).copied().unwrap_or(0);
        keys.iter().map(count).collect()
    }

    /// Returns whether each key stays within its share of the permits that others leave. A key without a permit may always have
    /// one.
    fn may_have_more(&self, keys: &[String]) -> bool {
        let is_within = |held: usize| {
            let of_all = (self.free + held) * usize::from(self.share);
            held < of_all.div_ceil(100).max(1)
        };
        self.free > 0 && self.counts(keys).into_iter().all(is_within)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.running.remove(&self.id);
        state.waiting.remove(&self.id);
        state.dispatch(&self.queue.limits);
        state.forget();
    }
}

#[cfg(test)]
mod tests;
