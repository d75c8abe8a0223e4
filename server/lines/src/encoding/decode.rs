//! Decodes lines, and refuses all bytes that [`Lines::encode`] did not write.

use super::{DecodeError, HEAD, HEAD_1, frame, number};
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
    let paths = paths(rest, limits)?;
    let mut states = Vec::with_capacity(paths.len());
    let mut number_of_lines = 0;
    for _ in &paths {
        let states_of_file = states_of_file(rest).ok_or(DecodeError::Damaged)?;
        number_of_lines += states_of_file
            .iter()
            .map(|&byte| coverable(byte))
            .sum::<usize>();
        states.push(states_of_file);
    }
    if number_of_lines > limits.lines {
        return Err(TooLarge.into());
    }
    let mut files = Vec::with_capacity(paths.len());
    for states in states {
        files.push(with_hits(states, rest).ok_or(DecodeError::Damaged)?);
    }
    let mut lines = Lines::default();
    let mut names = limits.branch_names;
    for (path, file) in paths.into_iter().zip(files) {
        let file = with_branches(file, rest, row).ok_or(DecodeError::Damaged)?;
        names = names.checked_sub(file.names()).ok_or(TooLarge)?;
        lines.add(path, file);
    }
    Ok(lines)
}

fn paths(rest: &mut &[u8], limits: &Limits) -> Result<Vec<Box<str>>, DecodeError> {
    // Each path takes at least two bytes.
    let number = number::read(rest).map(|number| number as usize);
    let number = number.filter(|&number| number <= rest.len() / 2);
    let number = number.ok_or(DecodeError::Damaged)?;
    if number > limits.files {
        return Err(TooLarge.into());
    }
    let mut paths: Vec<Box<str>> = Vec::with_capacity(number);
    let mut path: Vec<u8> = Vec::new();
    let mut room = limits.path_bytes;
    for _ in 0..number {
        number::read_text(rest, &mut path).ok_or(DecodeError::Damaged)?;
        let text = std::str::from_utf8(&path).map_err(|_| DecodeError::Damaged)?;
        if paths.last().is_some_and(|before| **before >= *text) {
            return Err(DecodeError::Damaged);
        }
        room = room.checked_sub(text.len()).ok_or(TooLarge)?;
        paths.push(text.into());
    }
    Ok(paths)
}

fn states_of_file<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let last = number::read(rest)?;
    if last > MAX_LINE {
        return None;
    }
    let (states, after) = rest.split_at_checked(last.div_ceil(4) as usize)?;
    *rest = after;
    // The last state belongs to the last line.
    let is_last = states.last().is_none_or(|byte| {
        let shift = (last - 1) % 4 * 2;
        matches!(byte >> shift, 1..=3)
    });
    is_last.then_some(states)
}

/// Returns how many of the four lines of a byte are coverable.
fn coverable(byte: u8) -> usize {
    ((byte | byte >> 1) & 0b0101_0101).count_ones() as usize
}

fn with_hits(states: &[u8], rest: &mut &[u8]) -> Option<FileLines> {
    let mut file = FileLines::with_capacity(states.iter().map(|&byte| coverable(byte)).sum());
    let mut first = 1;
    for &byte in states {
        for lane in 0..4_u32 {
            let state = byte >> (lane * 2) & 3;
            if state == 0 {
                continue;
            }
            let mut hits = 0;
            if state > 1 {
                let (&of_line, after) = rest.split_first()?;
                *rest = after;
                hits = of_line;
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
    for line in file
        .lines()
        .iter()
        .filter(|line| line.state() == State::Partial)
    {
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
