//! Encodes named branches, for storage beside the lines of a part.
//!
//! The four bytes `CVB` and 1, the CRC-32 of the rest, and a zstd frame of three columns. Numbers are unsigned LEB128.
//!
//! 1. Paths, as in the encoding of lines.
//! 2. Names: for each file the number of its branches, then for each branch the difference from the previous line, then for each
//!    branch the difference from the previous name (from 0 after a hash), zigzag-coded and with the bits of the scheme above the
//!    others: mostly small.
//! 3. A bit for each branch of all files, which is set if the branch was taken, the first branch in the lowest bit.
//!
//! Equal branches have equal bytes before compression.

use super::{NAME_BITS, NamedBranches, Row, is_taken, line, name};
use crate::{
    branches::Branches,
    encoding::{DecodeError, frame, number, paths},
    limits::{Limits, TooLarge},
    line::MAX_LINE,
};

const HEAD: frame::Head = *b"CVB\x01";

/// The least number of bytes of a branch: of its line, and of its name.
const LEAST: usize = 2;

impl NamedBranches {
    /// Encodes the branches.
    ///
    /// # Errors
    ///
    /// If the branches exceed the limits.
    pub fn encode(&self, limits: &Limits) -> Result<Vec<u8>, TooLarge> {
        self.within(limits)?;
        let mut body = Vec::new();
        paths::write(&mut body, self.files.keys().map(|path| &**path))?;
        for rows in self.files.values() {
            number::write(&mut body, u32::try_from(rows.len()).map_err(|_| TooLarge)?);
            let (mut before, mut name_before) = (0, 0);
            for &row in rows {
                number::write(&mut body, line(row) - before);
                before = line(row);
            }
            for &row in rows {
                number::write(&mut body, difference(name_before, name(row)));
                name_before = name(row);
            }
        }
        let taken: Vec<bool> = self
            .files
            .values()
            .flatten()
            .map(|row| is_taken(*row))
            .collect();
        body.extend(taken.chunks(8).map(|bits| {
            let bits = bits.iter().enumerate();
            bits.fold(0, |byte, (bit, &is_taken)| byte | u8::from(is_taken) << bit)
        }));
        if body.len() > limits.unpacked_bytes {
            return Err(TooLarge);
        }
        frame::pack(HEAD, &body)
    }

    /// Decodes branches.
    ///
    /// # Errors
    ///
    /// If any byte differs from the encoded ones, if another version encoded them, or if the branches exceed the limits.
    pub fn decode(blob: &[u8], limits: &Limits) -> Result<Self, DecodeError> {
        let body = frame::unpack(HEAD, blob, limits.unpacked_bytes)?;
        let mut rest = body.as_slice();
        let paths = paths::read(&mut rest, limits)?;
        let (mut files, mut room) = (Vec::with_capacity(paths.len()), limits.lines);
        for path in paths {
            let rows = number::read_length(&mut rest, LEAST).ok_or(DecodeError::Damaged)?;
            room = room.checked_sub(rows).ok_or(TooLarge)?;
            let rows = read_rows(&mut rest, rows).filter(|rows| !rows.is_empty());
            files.push((path, rows.ok_or(DecodeError::Damaged)?));
        }
        let all = limits.lines - room;
        if rest.len() != all.div_ceil(8) {
            return Err(DecodeError::Damaged);
        }
        for (index, row) in files.iter_mut().flat_map(|(_, rows)| rows).enumerate() {
            *row |= Row::from(rest[index / 8] >> (index % 8) & 1);
        }
        let unused = rest.last().filter(|_| !all.is_multiple_of(8));
        if unused.is_some_and(|byte| byte >> (all % 8) > 0) {
            return Err(DecodeError::Damaged);
        }
        Ok(Self {
            files: files.into_iter().collect(),
        })
    }
}

/// Reads branches, without whether they were taken.
fn read_rows(rest: &mut &[u8], rows: usize) -> Option<Vec<Row>> {
    let mut read: Vec<Row> = Vec::with_capacity(rows);
    let mut line = 0_u32;
    for _ in 0..rows {
        line = line.checked_add(number::read(rest)?)?;
        if !(1..=MAX_LINE).contains(&line) {
            return None;
        }
        read.push(Row::from(line));
    }
    let mut name = 0;
    for row in &mut read {
        name = after(name, number::read(rest)?);
        *row = (*row << NAME_BITS | Row::from(name)) << 1;
    }
    read.is_sorted_by(|one, next| one < next).then_some(read)
}

/// The number from which the name after `name` differs: 0 after the hash of a text, because hashes are not close to each other.
fn start(name: u32) -> u32 {
    const LARGE: u32 = 1 << 20;
    match name >> Branches::SCHEME_BITS {
        0..LARGE => name.rotate_right(Branches::SCHEME_BITS),
        LARGE.. => 0,
    }
}

/// The difference from one name to the next.
fn difference(name: u32, next: u32) -> u32 {
    let to = next.rotate_right(Branches::SCHEME_BITS);
    let difference = to.wrapping_sub(start(name)).cast_signed();
    (difference << 1 ^ difference >> (u32::BITS - 1)).cast_unsigned()
}

/// The name at a [`difference`] from another one.
fn after(name: u32, difference: u32) -> u32 {
    let signed = difference >> 1 ^ (difference & 1).wrapping_neg();
    let to = start(name).wrapping_add(signed);
    to.rotate_left(Branches::SCHEME_BITS)
}
