//! The tests that ran each line, in their stored form, which is bounded by the number of covered lines.

use super::source_file::SourceFile;
use lines::{Limits, TestSets};

/// The bytes that each covered line may take.
const BYTES_OF_A_LINE: u64 = 4;

/// The bytes that the tests of few lines may take: mostly the names of some hundred tests.
const LEAST_BYTES: u64 = 16 << 10;

/// What a record says if tests are left out.
pub(super) const TOO_MANY: &str =
    "Which tests ran each line takes more than 4 bytes for each covered line, so it is left out.";

/// Takes the tests out of `files`. `None` if there are more than the service stores.
pub(super) fn take_tests(names: Vec<String>, files: &mut [SourceFile]) -> Option<TestSets> {
    let files = files.iter_mut().filter(|file| !file.path.is_empty());
    let pairs = files.map(|file| {
        let tests = std::mem::take(&mut file.tests).into_iter();
        let named = tests.filter(|pair| {
            let name = names.get(pair.test as usize);
            name.is_some_and(|name| !name.is_empty())
        });
        let pairs = named.map(|pair| (pair.line, pair.test)).collect();
        (file.path.as_str().into(), pairs)
    });
    let pairs: Vec<_> = pairs.collect();
    let names = names.into_iter().map(String::into_boxed_str).collect();
    TestSets::of(names, pairs, &Limits::default()).ok()
}

/// The bytes that the tests of a part with so many covered lines may take.
pub(super) fn room_for(covered: u64) -> u64 {
    covered.saturating_mul(BYTES_OF_A_LINE).max(LEAST_BYTES)
}

/// Returns the stored form of tests, `None` without tests.
///
/// # Errors
///
/// The reason, in a sentence, if there are too many, or if they take more than `room` bytes.
pub(super) fn stored_tests(
    tests: Option<&TestSets>,
    room: u64,
) -> Result<Option<Vec<u8>>, &'static str> {
    let tests = tests.ok_or(TOO_MANY)?;
    if tests.is_empty() {
        return Ok(None);
    }
    let encoded = tests.encode(&Limits::default()).map_err(|_| TOO_MANY)?;
    let is_small = encoded.len() as u64 <= room;
    is_small.then_some(Some(encoded)).ok_or(TOO_MANY)
}
