//! Things that may come twice and count once.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::count::Count;

/// The key of something by what it is: its name and line, say.
///
/// Among a million things of one file the chance that any two share a key is below one in ten million.
pub(crate) fn key(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// A set of numbers, each covered if any of its copies is.
///
/// Kept as bits, 64 numbers to a block, so that memory grows by blocks touched and a line number of four billion costs
/// no more than a small one. The map is ordered by numbers and not by hashes, so no choice of numbers makes it slow.
#[derive(Debug, Default)]
pub(super) struct Distinct {
    blocks: BTreeMap<u64, Block>,
    /// The block that numbers are added to, not in `blocks` yet: lines mostly come in order.
    at: u64,
    block: Block,
}

#[derive(Debug, Default, Clone, Copy)]
struct Block {
    present: u64,
    covered: u64,
}

/// What a block costs in the map, nodes that are not full included.
const BLOCK_BYTES: usize = 48;

impl Distinct {
    /// Adds a number and tells how many more bytes are kept for it.
    #[inline]
    pub(super) fn add(&mut self, number: u64, covered: bool) -> usize {
        let at = number / 64;
        let mut bytes = 0;
        if at != self.at {
            bytes = self.flush();
            self.at = at;
        }
        let bit = 1 << (number % 64);
        self.block.present |= bit;
        self.block.covered |= if covered { bit } else { 0 };
        bytes
    }

    pub(super) fn count(&self) -> Count {
        let pending = self.blocks.get(&self.at).copied().unwrap_or_default();
        let together = pending.or(self.block);
        let others = self.blocks.iter().filter(|(at, _)| **at != self.at);
        others.fold(together.count(), |count, (_, block)| {
            count.plus(block.count())
        })
    }

    pub(super) fn merge(&mut self, mut other: Self) {
        self.flush();
        other.flush();
        for (at, block) in other.blocks {
            let kept = self.blocks.entry(at).or_default();
            *kept = kept.or(block);
        }
    }

    fn flush(&mut self) -> usize {
        let block = std::mem::take(&mut self.block);
        if block.present == 0 {
            return 0;
        }
        let mut bytes = 0;
        let kept = self.blocks.entry(self.at).or_insert_with(|| {
            bytes = BLOCK_BYTES;
            Block::default()
        });
        *kept = kept.or(block);
        bytes
    }
}

impl Block {
    fn or(self, other: Self) -> Self {
        Self {
            present: self.present | other.present,
            covered: self.covered | other.covered,
        }
    }

    fn count(self) -> Count {
        let ones = |bits: u64| u64::from(bits.count_ones());
        Count::of_missed(ones(self.covered), ones(self.present & !self.covered))
    }
}
