//! The names of the tests of a report, and their numbers.

use std::collections::HashMap;

/// The most tests of a report that are kept.
const TESTS: usize = 50_000;

/// The longest name that is kept whole, in bytes: a path, and a few parameters of a test.
const NAME_BYTES: usize = 512;

/// The bytes of a test besides its name, which is kept twice.
const TEST_BYTES: usize = 160;

/// The tests so far, in the order of their first occurrence.
#[derive(Debug, Default)]
pub(super) struct TestNames {
    /// Empty for a test whose name is read later.
    names: Vec<String>,
    by_name: HashMap<String, u32>,
    by_id: HashMap<u64, u32>,
}

impl TestNames {
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn are_too_many(&self) -> bool {
        self.names.len() > TESTS
    }

    /// The number of the test with this name, and the additional bytes of memory.
    pub(super) fn number(&mut self, name: &str) -> (u32, usize) {
        if let Some(&known) = self.by_name.get(name) {
            return (known, 0);
        }
        let kept = kept(name);
        if let Some(&known) = self.by_name.get(&kept) {
            return (known, 0);
        }
        let bytes = TEST_BYTES + 2 * kept.len();
        let number = self.add(kept.clone());
        self.by_name.insert(kept, number);
        (number, bytes)
    }

    /// The number of the test with this id, whose name may be read later, and the additional bytes of memory.
    pub(super) fn number_of_id(&mut self, id: u64) -> (u32, usize) {
        if let Some(&known) = self.by_id.get(&id) {
            return (known, 0);
        }
        let number = self.add(String::new());
        self.by_id.insert(id, number);
        (number, TEST_BYTES)
    }

    /// Sets the name of the test with this id, and returns the additional bytes of memory.
    pub(super) fn name(&mut self, id: u64, name: &str) -> usize {
        let (number, bytes) = self.number_of_id(id);
        let kept = kept(name);
        let bytes = bytes + kept.len();
        self.names[number as usize] = kept;
        bytes
    }

    pub(super) fn forget_ids(&mut self) {
        self.by_id = HashMap::new();
    }

    fn add(&mut self, name: String) -> u32 {
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name);
        number
    }

    pub(super) fn into_vec(self) -> Vec<String> {
        self.names
    }
}

/// A long name is cut, and a number distinguishes it from others with the same start.
fn kept(name: &str) -> String {
    if name.len() <= NAME_BYTES {
        return name.to_owned();
    }
    const ENDING: usize = "… 0123456789abcdef".len();
    let cut = &name[..name.floor_char_boundary(NAME_BYTES - ENDING)];
    // FNV-1a: the same in all releases, because names are stored.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{cut}… {hash:016x}")
}
