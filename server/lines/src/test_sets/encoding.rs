//! Encodes the tests of lines, for storage beside the lines of a part.
//!
//! The four bytes `CVT` and 2, the CRC-32 of the rest, and four columns, each a zstd frame. Numbers are unsigned LEB128.
//!
//! 1. The number of tests, then for each name how many bytes it shares with the name before.
//! 2. The other bytes of each name, and a byte 255, which no text contains.
//! 3. Paths, as in the encoding of lines. For each file the number of its lines, then for each line the difference from the previous
//!    line, then for each line 0 if it has the next new set, else how many sets before the next new set its set was new: neighbours
//!    mostly share few sets.
//! 4. For each set how many sets before it another set is, 0 for none; then the tests that only one of the two has, as runs of
//!    consecutive tests: the number of runs, then for each the number of tests before it since the run before, and its length less 1.
//!
//! Version 1, which is read but no longer written, has one frame, names like paths, and sets without another set.
//!
//! Equal tests have equal bytes before compression.

use super::{LineSet, TestSets, sets::MEMBERS};
use crate::{
    encoding::{DecodeError, frame, number, paths},
    limits::{Limits, TooLarge},
    line::MAX_LINE,
};
use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashSet},
};

pub(super) const HEAD: frame::Head = *b"CVT\x02";

/// The first bytes of a blob of version 1.
pub(super) const HEAD_1: frame::Head = *b"CVT\x01";

/// The least number of bytes of a line, and of a run of tests.
const LEAST: usize = 2;

/// How many sets before a set it is compared with.
const BEFORE: usize = 8;

/// Ends a name.
const END: u8 = 0xff;

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
        let (mut shared, mut names) = (Vec::new(), Vec::new());
        write_length(&mut shared, self.names.len())?;
        let mut before: &[u8] = &[];
        for name in self.names.iter().map(|name| name.as_bytes()) {
            let same = name.iter().zip(before).take_while(|(a, b)| a == b).count();
            write_length(&mut shared, same)?;
            names.extend_from_slice(&name[same..]);
            names.push(END);
            before = name;
        }
        let mut lines_of = Vec::new();
        paths::write(&mut lines_of, self.files.keys().map(|path| &**path))?;
        let mut new = 0;
        for lines in self.files.values() {
            write_length(&mut lines_of, lines.len())?;
            let mut before = 0;
            for &(line, _) in lines {
                number::write(&mut lines_of, line - before);
                before = line;
            }
            for &(_, set) in lines {
                number::write(&mut lines_of, new - set);
                new = new.max(set + 1);
            }
        }
        let mut sets = Vec::new();
        for (place, set) in self.sets.iter().enumerate() {
            let (mut shortest, first) = (set_of_runs(0, set)?, place.saturating_sub(BEFORE));
            for (before, other) in (1..).zip(self.sets[first..place].iter().rev()) {
                let difference = difference(set, other);
                // So all differences have at most as many members as the sets.
                if difference.len() <= set.len() {
                    let runs = set_of_runs(before, &difference)?;
                    if runs.len() < shortest.len() {
                        shortest = runs;
                    }
                }
            }
            sets.extend(shortest);
        }
        let columns = [&shared[..], &names, &lines_of, &sets];
        if columns.iter().map(|column| column.len()).sum::<usize>() > limits.unpacked_bytes {
            return Err(TooLarge);
        }
        frame::pack_columns(HEAD, columns)
    }

    /// Decodes tests.
    ///
    /// # Errors
    ///
    /// If any byte differs from the encoded ones, if another version encoded them, or if the tests exceed the limits.
    pub fn decode(blob: &[u8], limits: &Limits) -> Result<Self, DecodeError> {
        let is_first = blob.starts_with(&HEAD_1);
        let head = if is_first { HEAD_1 } else { HEAD };
        let body = frame::unpack(head, blob, limits.unpacked_bytes)?;
        let mut rest = body.as_slice();
        let of_names = Limits {
            files: Self::TESTS,
            path_bytes: NAMES_BYTES,
            ..*limits
        };
        let names = match is_first {
            true => paths::read(&mut rest, &of_names)?,
            false => read_names(&mut rest, &of_names)?,
        };
        let paths = paths::read(&mut rest, limits)?;
        let (mut files, mut new, mut room) = (BTreeMap::new(), 0, limits.lines);
        for path in paths {
            let lines = number::read_length(&mut rest, LEAST).ok_or(DecodeError::Damaged)?;
            room = room.checked_sub(lines).ok_or(TooLarge)?;
            let lines = read_lines(&mut rest, lines, &mut new).filter(|lines| !lines.is_empty());
            files.insert(path, lines.ok_or(DecodeError::Damaged)?);
        }
        let (mut sets, mut room): (Vec<Box<[u32]>>, _) = (Vec::new(), [MEMBERS; 2]);
        let mut used = vec![false; names.len()];
        for place in 0..new as usize {
            let before = match is_first {
                true => 0,
                false => number::read(&mut rest).ok_or(DecodeError::Damaged)? as usize,
            };
            let mut set = read_runs(&mut rest, names.len(), &mut room[0])?;
            if before > 0 {
                let other = place.checked_sub(before).ok_or(DecodeError::Damaged)?;
                set = difference(&set, &sets[other]).into();
            }
            if set.is_empty() {
                return Err(DecodeError::Damaged);
            }
            room[1] = room[1].checked_sub(set.len()).ok_or(TooLarge)?;
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

/// A set that differs from a set `before` it in these tests.
fn set_of_runs(before: u32, tests: &[u32]) -> Result<Vec<u8>, TooLarge> {
    let runs: Vec<_> = tests.chunk_by(|test, next| test + 1 == *next).collect();
    let mut bytes = Vec::new();
    number::write(&mut bytes, before);
    write_length(&mut bytes, runs.len())?;
    let mut end = 0;
    for run in runs {
        number::write(&mut bytes, run[0] - end);
        write_length(&mut bytes, run.len() - 1)?;
        end = run[run.len() - 1] + 1;
    }
    Ok(bytes)
}

/// The tests of only one of two sets, in ascending order.
fn difference(mut one: &[u32], mut other: &[u32]) -> Vec<u32> {
    let mut difference = Vec::new();
    while let ([first, rest @ ..], [of_other, rest_of_other @ ..]) = (one, other) {
        match first.cmp(of_other) {
            Ordering::Less => one = rest,
            Ordering::Greater => other = rest_of_other,
            Ordering::Equal => (one, other) = (rest, rest_of_other),
        }
        if first != of_other {
            difference.push(*first.min(of_other));
        }
    }
    difference.extend_from_slice(one);
    difference.extend_from_slice(other);
    difference
}

/// Reads the two columns of names.
fn read_names(rest: &mut &[u8], limits: &Limits) -> Result<Vec<Box<str>>, DecodeError> {
    let number = number::read_length(rest, 1).ok_or(DecodeError::Damaged)?;
    if number > limits.files {
        return Err(TooLarge.into());
    }
    let shared = (0..number).map(|_| number::read(rest));
    let shared: Vec<_> = shared.collect::<Option<_>>().ok_or(DecodeError::Damaged)?;
    let mut names: Vec<Box<str>> = Vec::with_capacity(number);
    let (mut name, mut room) = (Vec::new(), limits.path_bytes);
    for shared in shared {
        let end = rest.iter().position(|&byte| byte == END);
        let own = end
            .and_then(|end| rest.split_off(..end))
            .filter(|_| name.len() >= shared as usize);
        name.truncate(shared as usize);
        name.extend_from_slice(own.ok_or(DecodeError::Damaged)?);
        *rest = &rest[1..];
        let text = std::str::from_utf8(&name).map_err(|_| DecodeError::Damaged)?;
        if names.last().is_some_and(|before| **before >= *text) {
            return Err(DecodeError::Damaged);
        }
        room = room.checked_sub(text.len()).ok_or(TooLarge)?;
        names.push(text.into());
    }
    Ok(names)
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

/// Reads some of `tests` tests. `room` is the number of tests that may follow.
fn read_runs(rest: &mut &[u8], tests: usize, room: &mut usize) -> Result<Box<[u32]>, DecodeError> {
    let runs = number::read_length(rest, LEAST);
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
