//! Counts distinct things: a repeated one counts once.

use std::hash::{BuildHasher, Hash};

use foldhash::quality::FixedState;

use super::table::{Table, Value};
use crate::count::Count;

/// Returns a key made from the identity of a thing, such as its name and line.
///
/// The same thing has the same key in every run.
/// Among a million things of one file the chance that any two share a key is below one in ten million.
pub(crate) fn key(of: impl Hash) -> u64 {
    FixedState::default().hash_one(of)
}

/// A set of numbers. A number is covered if any of its repetitions is.
///
/// Stored as bits, 64 numbers per block, so that memory depends on the number of used blocks, and a line number of four
/// billion costs no more than a small one.
#[derive(Debug, Default)]
pub(super) struct Distinct {
    blocks: Table<u64, Block>,
    /// The current block, which is not in `blocks` yet.
    at: u64,
    block: Block,
}

#[derive(Debug, Default, Clone, Copy)]
struct Block {
    present: u64,
    covered: u64,
}

impl Distinct {
    /// Adds a number and returns the additional bytes of memory.
    #[inline]
    pub(super) fn add(&mut self, number: u64, covered: bool) -> usize {
        let bit = 1 << (number % 64);
        self.add_block(
            number / 64,
            Block {
                present: bit,
                covered: if covered { bit } else { 0 },
            },
        )
    }

    /// Adds `len` numbers from `first` on, which is a multiple of 64. The first `covered` of them are covered.
    pub(super) fn add_run(&mut self, first: u64, len: u64, covered: u64) -> usize {
        let mut bytes = 0;
        for before in (0..len).step_by(64) {
            let block = Block {
                present: ones(len - before),
                covered: ones(covered.min(len).saturating_sub(before)),
            };
            bytes += self.add_block((first + before) / 64, block);
        }
        bytes
    }

    #[inline]
    fn add_block(&mut self, at: u64, block: Block) -> usize {
        let mut bytes = 0;
        if at != self.at {
            bytes = self.flush();
            self.at = at;
        }
        self.block = self.block.or(block);
        bytes
    }

    pub(super) fn count(&mut self) -> Count {
        let (at, mut pending) = (self.at, self.block);
        let mut count = Count::ZERO;
        for &(number, block) in self.blocks.rows() {
            let block = if number == at {
                block.or(std::mem::take(&mut pending))
            } else {
                block
            };
            count = count.plus(block.count());
        }
        count.plus(pending.count())
    }

    pub(super) fn merge(&mut self, mut other: Self) {
        self.flush();
        other.flush();
        self.blocks.merge(other.blocks);
    }

    /// Moves the pending block to the others and returns the additional bytes of memory.
    fn flush(&mut self) -> usize {
        let block = std::mem::take(&mut self.block);
        if block.present == 0 {
            return 0;
        }
        self.blocks.add(self.at, block)
    }
}

/// A block whose lowest `count` bits are set.
fn ones(count: u64) -> u64 {
    match count {
        0..64 => (1 << count) - 1,
        _ => u64::MAX,
    }
}

impl Block {
    fn count(self) -> Count {
        let ones = |bits: u64| u64::from(bits.count_ones());
        Count::of_missed(ones(self.covered), ones(self.present & !self.covered))
    }
}

impl Value for Block {
    fn or(self, other: Self) -> Self {
        Self {
            present: self.present | other.present,
            covered: self.covered | other.covered,
        }
    }
}
