//! Encodes the tests of lines, for storage beside the lines of a part.
//!
//! The four bytes `CVT` and 1, the CRC-32 of the rest, and a zstd frame. Numbers are unsigned LEB128.
//!
//! 1. The names of the tests, front-coded like paths.
//! 2. Paths, as in the encoding of lines.
//! 3. For each file the number of its lines, then for each line the difference from the previous line, then for each line 0 if it
//!    has the next new set, else how many sets before the next new set its set was new: neighbours mostly share few sets.
//! 4. Each set as runs of consecutive tests: the number of runs, then for each the number of tests before it since the run before,
//!    and its length less 1.
//!
//! Equal tests have equal bytes before compression.

use super::{LineSet, TestSets, sets::MEMBERS};
use crate::{
    encoding::{DecodeError, frame, number, paths},
    limits::{Limits, TooLarge},
    line::MAX_LINE,
};
use std::collections::{BTreeMap, HashSet};

const HEAD: frame::Head = *b"CVT\x01";

/// The least number of bytes of a line, and of a run of tests.
const LEAST: usize = 2;

/// The most bytes of all names together.
const NAMES_BYTES: usize = 8 << 20;

impl TestSets {
    /// Encodes the tests.
    ///
    /// # Errors
    ///
    /// If the tests exceed the limits.
    pub fn encode(&self, limits: &Limits) -> Result<Vec<u8>, TooLarge> {
        if self.names.iter().map(|name| name.len()).sum::<usize>() > NAMES_BYTES {
            return Err(TooLarge);
        }
        let mut body = Vec::new();
        paths::write(&mut body, self.names())?;
        paths::write(&mut body, self.files.keys().map(|path| &**path))?;
        let mut new = 0;
        for lines in self.files.values() {
            write_length(&mut body, lines.len())?;
            let mut before = 0;
            for &(line, _) in lines {
                number::write(&mut body, line - before);
                before = line;
            }
            for &(_, set) in lines {
                number::write(&mut body, new - set);
                new = new.max(set + 1);
            }
        }
        for set in &self.sets {
            let runs: Vec<_> = set.chunk_by(|test, next| test + 1 == *next).collect();
            write_length(&mut body, runs.len())?;
            let mut end = 0;
            for run in runs {
                number::write(&mut body, run[0] - end);
                write_length(&mut body, run.len() - 1)?;
                end = run[run.len() - 1] + 1;
            }
        }
        if body.len() > limits.unpacked_bytes {
            return Err(TooLarge);
        }
        frame::pack_tightly(HEAD, &body)
    }

    /// Decodes tests.
    ///
    /// # Errors
    ///
    /// If any byte differs from the encoded ones, if another version encoded them, or if the tests exceed the limits.
    pub fn decode(blob: &[u8], limits: &Limits) -> Result<Self, DecodeError> {
        let body = frame::unpack(HEAD, blob, limits.unpacked_bytes)?;
        let mut rest = body.as_slice();
        let of_names = Limits {
            files: Self::TESTS,
            path_bytes: NAMES_BYTES,
            ..*limits
        };
        let names = paths::read(&mut rest, &of_names)?;
        let paths = paths::read(&mut rest, limits)?;
        let (mut files, mut new, mut room) = (BTreeMap::new(), 0, limits.lines);
        for path in paths {
            let lines = number::read_length(&mut rest, LEAST).ok_or(DecodeError::Damaged)?;
            room = room.checked_sub(lines).ok_or(TooLarge)?;
            let lines = read_lines(&mut rest, lines, &mut new).filter(|lines| !lines.is_empty());
            files.insert(path, lines.ok_or(DecodeError::Damaged)?);
        }
        let (mut sets, mut room) = (Vec::new(), MEMBERS);
        let mut used = vec![false; names.len()];
        for _ in 0..new {
            let set = read_set(&mut rest, names.len(), &mut room)?;
            set.iter().for_each(|&test| used[test as usize] = true);
            sets.push(set);
        }
        let are_distinct = sets.iter().collect::<HashSet<_>>().len() == sets.len();
        if !rest.is_empty() || !are_distinct || used.contains(&false) {
            return Err(DecodeError::Damaged);
        }
        Ok(Self { names, sets, files }.within(limits)?)
    }
}

fn write_length(body: &mut Vec<u8>, length: usize) -> Result<(), TooLarge> {
    number::write(body, u32::try_from(length).map_err(|_| TooLarge)?);
    Ok(())
}

/// Reads the lines of a file. `new` is the number of the next new set.
fn read_lines(rest: &mut &[u8], lines: usize, new: &mut u32) -> Option<Vec<LineSet>> {
    let (mut read, mut line) = (Vec::with_capacity(lines), 0_u32);
    for _ in 0..lines {
        let difference = number::read(rest).filter(|&difference| difference > 0)?;
        line = line
            .checked_add(difference)
            .filter(|&line| line <= MAX_LINE)?;
        read.push((line, 0));
    }
    for (_, set) in &mut read {
        *set = new.checked_sub(number::read(rest)?)?;
        // At most as many sets as bytes.
        *new = (*new).max(*set + 1);
    }
    Some(read)
}

/// Reads a set of some of `tests` tests. `room` is the number of members that may follow.
fn read_set(rest: &mut &[u8], tests: usize, room: &mut usize) -> Result<Box<[u32]>, DecodeError> {
    let runs = number::read_length(rest, LEAST).filter(|&runs| runs > 0);
    let (mut set, mut end) = (Vec::new(), 0_usize);
    for run in 0..runs.ok_or(DecodeError::Damaged)? {
        let gap = number::read(rest).filter(|&gap| run == 0 || gap > 0);
        let length = number::read(rest).and_then(|length| length.checked_add(1));
        let (gap, length) = gap.zip(length).ok_or(DecodeError::Damaged)?;
        let start = end.saturating_add(gap as usize);
        end = start.saturating_add(length as usize);
        if end > tests {
            return Err(DecodeError::Damaged);
        }
        *room = room.checked_sub(end - start).ok_or(TooLarge)?;
        // A number of tests fits.
        set.extend((start..end).map(|test| test as u32));
    }
    Ok(set.into())
}
