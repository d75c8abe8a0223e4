//! Decodes lines, and refuses all bytes that [`Lines::encode`] did not write.

use super::{DecodeError, HEAD, HEAD_1, frame, number, paths};
use crate::{
    branches::{Branches, schemes},
    file::FileLines,
    limits::{Limits, TooLarge},
    line::{Line, MAX_LINE, State},
    record::Lines,
};

impl Lines {
    /// Decodes lines.
    ///
    /// # Errors
    ///
    /// If any byte differs from the encoded ones, if another version encoded them, or if the lines exceed the limits.
    pub fn decode(blob: &[u8], limits: &Limits) -> Result<Self, DecodeError> {
        let (head, row): (_, ReadRow) = match blob.starts_with(&HEAD_1) {
            true => (HEAD_1, row_of_version_1),
            false => (HEAD, row),
        };
        let body = frame::unpack(head, blob, limits.unpacked_bytes)?;
        let mut rest = body.as_slice();
        let lines = lines(&mut rest, limits, row)?;
        if !rest.is_empty() {
            return Err(DecodeError::Damaged);
        }
        Ok(lines)
    }
}

/// Reads the branches of a line with this number of branches.
type ReadRow = fn(u32, &mut &[u8]) -> Option<Branches>;

/// Reads the four columns.
fn lines(rest: &mut &[u8], limits: &Limits, row: ReadRow) -> Result<Lines, DecodeError> {
    let paths = paths::read(rest, limits)?;
    let states = paths.iter().map(|_| states_of_file(rest));
    let states: Vec<&[u8]> = states.collect::<Option<_>>().ok_or(DecodeError::Damaged)?;
    if states.iter().map(|states| coverable(states)).sum::<usize>() > limits.lines {
        return Err(TooLarge.into());
    }
    let files = states.into_iter().map(|states| with_hits(states, rest));
    let files: Vec<_> = files.collect::<Option<_>>().ok_or(DecodeError::Damaged)?;
    let mut lines = Lines::default();
    let mut names = limits.branch_names;
    for (path, file) in paths.into_iter().zip(files) {
        let file = with_branches(file, rest, row).ok_or(DecodeError::Damaged)?;
        names = names.checked_sub(file.names()).ok_or(TooLarge)?;
        lines.add(path, file);
    }
    Ok(lines)
}

fn states_of_file<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let last = number::read(rest)?;
    if last > MAX_LINE {
        return None;
    }
    let states = rest.split_off(..last.div_ceil(4) as usize)?;
    // The last state belongs to the last line.
    let is_last = states.last().is_none_or(|byte| {
        let shift = (last - 1) % 4 * 2;
        matches!(byte >> shift, 1..=3)
    });
    is_last.then_some(states)
}

/// The number of coverable lines. A byte has the states of four lines.
fn coverable(states: &[u8]) -> usize {
    let of_byte = |byte: &u8| ((byte | byte >> 1) & 0b0101_0101).count_ones() as usize;
    states.iter().map(of_byte).sum()
}

fn with_hits(states: &[u8], rest: &mut &[u8]) -> Option<FileLines> {
    let mut file = FileLines::with_capacity(coverable(states));
    let mut first = 1;
    for &byte in states {
        for lane in 0..4_u32 {
            let state = byte >> (lane * 2) & 3;
            if state == 0 {
                continue;
            }
            let mut hits = 0;
            if state > 1 {
                hits = *rest.split_off_first()?;
                if hits == 0 {
                    return None;
                }
            }
            let number = first + lane;
            file.push(Line::new(number, hits.into(), state == 2), None);
        }
        first += 4;
    }
    Some(file)
}

fn with_branches(mut file: FileLines, rest: &mut &[u8], row: ReadRow) -> Option<FileLines> {
    let mut rows = Vec::new();
    for line in file.in_state(State::Partial) {
        let total = number::read(rest)?;
        if total > 0 {
            rows.push((line.number(), row(total, rest)?));
        }
    }
    file.branches = rows;
    Some(file)
}

fn row(total: u32, rest: &mut &[u8]) -> Option<Branches> {
    let taken = number::read(rest)?;
    let missed_only = u16::try_from(number::read(rest)?).ok()?;
    let (missed, reached) = (names(rest)?, names(rest)?);
    Branches::decoded((taken, total), (&missed, &reached), missed_only)
}

fn row_of_version_1(total: u32, rest: &mut &[u8]) -> Option<Branches> {
    let taken = number::read(rest)?;
    // Only missed branches have names, of any scheme.
    let missed = names(rest)?;
    Branches::decoded((taken, total), (&missed, &[]), schemes(&missed))
}

fn names(rest: &mut &[u8]) -> Option<Vec<u32>> {
    let number_of_names = number::read(rest)?;
    if number_of_names as usize > Branches::MOST_NAMES {
        return None;
    }
    let mut names = Vec::with_capacity(number_of_names as usize);
    let mut name = 0_u32;
    for index in 0..number_of_names {
        let difference = number::read(rest)?;
        if index > 0 && difference == 0 {
            return None;
        }
        name = name.checked_add(difference)?;
        names.push(name);
    }
    Some(names)
}
