//! Encodes named branches, for storage beside the lines of a part.
//!
//! The four bytes `CVB` and 1, the CRC-32 of the rest, and a zstd frame of three columns. Numbers are unsigned LEB128.
//!
//! 1. Paths, as in the encoding of lines.
//! 2. Names: for each file the number of its branches, then for each branch the difference from the previous line, and its name. In
//!    a line, each name is the difference from the previous one.
//! 3. A bit for each branch of all files, which is set if the branch was taken, the first branch in the lowest bit.
//!
//! Equal branches have equal bytes before compression.

use super::{NAME_BITS, NamedBranches, Row, is_taken, line, name};
use crate::{
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
            let mut before = 0;
            for &row in rows {
                let lines = line(row) - line(before);
                number::write(&mut body, lines);
                let least = if lines == 0 { name(before) } else { 0 };
                number::write(&mut body, name(row) - least);
                before = row;
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
        let unused = rest.last().filter(|_| all % 8 > 0);
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
    let mut read = Vec::with_capacity(rows);
    let (mut line, mut name) = (0_u32, None);
    for _ in 0..rows {
        let lines = number::read(rest)?;
        if lines > 0 {
            line = line.checked_add(lines).filter(|line| *line <= MAX_LINE)?;
            name = None;
        }
        let difference = number::read(rest)?;
        let next = match name {
            Some(before) => u32::checked_add(before, difference).filter(|_| difference > 0)?,
            None => difference,
        };
        name = Some(next);
        (line > 0).then_some(())?;
        read.push((Row::from(line) << NAME_BITS | Row::from(next)) << 1);
    }
    Some(read)
}
