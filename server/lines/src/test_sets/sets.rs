//! Distinct sets of tests by number, within a limit.

use crate::limits::TooLarge;
use std::{collections::HashMap, rc::Rc};

/// The most members of all sets together. Each takes 4 bytes of memory.
pub(super) const MEMBERS: usize = 4_000_000;

/// Distinct sets.
#[derive(Default)]
pub(super) struct Sets {
    sets: Vec<Rc<[u32]>>,
    numbers: HashMap<Rc<[u32]>, u32>,
    unions: HashMap<(u32, u32), u32>,
    members: usize,
}

impl Sets {
    /// Numbers sets, which are distinct, by their places.
    pub(super) fn of(sets: Vec<Box<[u32]>>) -> Result<Self, TooLarge> {
        let mut all = Self::default();
        for set in sets {
            all.number(set)?;
        }
        Ok(all)
    }

    /// The number of a set in ascending order.
    pub(super) fn number(&mut self, set: Box<[u32]>) -> Result<u32, TooLarge> {
        if let Some(&number) = self.numbers.get(&*set) {
            return Ok(number);
        }
        self.members += set.len();
        if self.members > MEMBERS {
            return Err(TooLarge);
        }
        let number = u32::try_from(self.sets.len()).map_err(|_| TooLarge)?;
        let set: Rc<[u32]> = set.into();
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        Ok(number)
    }

    /// The number of a set in any order.
    pub(super) fn number_of_any(&mut self, mut set: Vec<u32>) -> Result<u32, TooLarge> {
        set.sort_unstable();
        set.dedup();
        self.number(set.into())
    }

    /// The number of the union of two sets.
    pub(super) fn union_of(&mut self, one: u32, other: u32) -> Result<u32, TooLarge> {
        if one == other {
            return Ok(one);
        }
        if let Some(&known) = self.unions.get(&(one, other)) {
            return Ok(known);
        }
        let both = [one, other].map(|set| self.sets[set as usize].clone());
        let union = self.number_of_any(both.concat())?;
        self.unions.insert((one, other), union);
        Ok(union)
    }

    pub(super) fn into_vec(self) -> Vec<Box<[u32]>> {
        self.sets.iter().map(|set| Box::from(&**set)).collect()
    }
}
