//! The records of a repository whose histories are computed one after another.

use crate::{Store, StoreError};
use std::collections::{HashSet, VecDeque};

/// The maximum number of later records whose histories are computed again, as many as a carried part may be old.
const MAX_LATER: usize = 50;

/// The records that wait for the computation of their history. Each record is computed after its base, and waits only once, so
/// several uploads of a record shortly after each other cost one computation of each later record.
#[derive(Debug, Default)]
pub struct WaitingHistories {
    next: VecDeque<Waiting>,
    ids: HashSet<i64>,
    /// How many more later records are computed.
    room: usize,
}

#[derive(Debug, Clone, Copy)]
struct Waiting {
    id: i64,
    /// Whether the record waits because the history of its base changed.
    is_later: bool,
}

impl WaitingHistories {
    /// Returns whether no record waits.
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    /// Adds a record whose lines or base changed, after the records before it that lack a history. If these are many, because
    /// another branch became the main branch for example, all other records go first.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn add(&mut self, store: &Store, record_id: i64) -> Result<(), StoreError> {
        if self.ids.contains(&record_id) {
            return Ok(());
        }
        let waits = |id| self.ids.contains(&id);
        let before = store.writer().before_without_history(record_id, waits);
        let before = before.await?;
        let is_last = before.follows_waiting || before.records.len() > MAX_LATER;
        let all = before.records.into_iter().chain([record_id]);
        let all: Vec<i64> = all.filter(|&id| self.ids.insert(id)).collect();
        let all = all.into_iter().map(|id| Waiting {
            id,
            is_later: false,
        });
        match is_last {
            true => self.next.extend(all),
            false => all.rev().for_each(|waiting| self.next.push_front(waiting)),
        }
        Ok(())
    }

    /// Computes and stores the history of the next record.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if stored lines or changes are damaged. The record no longer waits.
    pub async fn compute_next(&mut self, store: &Store) -> Result<(), StoreError> {
        let Some(Waiting { id, is_later }) = self.next.pop_front() else {
            return Ok(());
        };
        self.ids.remove(&id);
        if !is_later {
            self.room = MAX_LATER;
        }
        for id in store.writer().keep_line_history(id).await? {
            if self.room > 0 && self.ids.insert(id) {
                self.room -= 1;
                self.next.push_front(Waiting { id, is_later: true });
            }
        }
        Ok(())
    }
}
