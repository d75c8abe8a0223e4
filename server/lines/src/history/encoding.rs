//! Encodes the history of a record's lines, for storage beside them.
//!
//! The four bytes `CVH` and 1, the CRC-32 of the rest, and a zstd frame. Numbers are unsigned LEB128.
//!
//! 1. The ids of records, in ascending order: their number, then 8 bytes each (little endian).
//! 2. The distinct origins: their number, then for each the position of `after` among the records, from 1, 0 for none; and the
//!    position of `at`.
//! 3. The index of the origin of each line, as runs: the length of a run, and its value.
//! 4. The position of the last run among the records, from 1, 0 for none: first of all lines that ran, then of all missed lines,
//!    each as runs. Lines that ran mostly ran in the record itself, so the states are not stored a second time.

use super::{History, LineHistory, Origin};
use crate::{
    encoding::{DecodeError, frame, number},
    limits::{Limits, TooLarge},
    record::Lines,
};
use std::collections::{BTreeSet, HashMap};

const HEAD: frame::Head = *b"CVH\x01";

impl History {
    /// Encodes the history of `lines`.
    ///
    /// # Errors
    ///
    /// If the history exceeds the limits.
    pub fn encode(&self, lines: &Lines, limits: &Limits) -> Result<Vec<u8>, TooLarge> {
        let last_runs = self.distinct.iter().filter_map(|history| history.last_run);
        let mut of_distinct = HashMap::new();
        let mut origins = Vec::new();
        for history in &self.distinct {
            of_distinct.entry(history.origin).or_insert_with(|| {
                origins.push(history.origin);
                origins.len() - 1
            });
        }
        let records = records(&origins, last_runs);
        let mut body = origins_of(&records, &origins)?;
        let all = self
            .lines
            .iter()
            .map(|&index| &self.distinct[index as usize]);
        write_runs(&mut body, all.clone().map(|line| of_distinct[&line.origin]))?;
        let states = lines.files().flat_map(|(_, file)| file.lines());
        let (ran, missed): (Vec<_>, Vec<_>) = all.zip(states).partition(|(_, line)| line.ran());
        for lines in [ran, missed] {
            let last_runs = lines.into_iter().map(|(line, _)| match line.last_run {
                Some(record) => records.binary_search(&record).map_or(0, |at| at + 1),
                None => 0,
            });
            write_runs(&mut body, last_runs)?;
        }
        match body.len() > limits.unpacked_bytes {
            true => Err(TooLarge),
            false => frame::pack(HEAD, &body),
        }
    }

    /// Decodes the history of `lines`.
    ///
    /// # Errors
    ///
    /// If the bytes are no history, or the history of other lines.
    pub fn decode(blob: &[u8], lines: &Lines, limits: &Limits) -> Result<Self, DecodeError> {
        let body = frame::unpack(HEAD, blob, limits.unpacked_bytes)?;
        let mut rest = body.as_slice();
        let decoded = read(&mut rest, lines).filter(|_| rest.is_empty());
        decoded.ok_or(DecodeError::Damaged)
    }
}

fn read(rest: &mut &[u8], lines: &Lines) -> Option<History> {
    let records = read_records(rest)?;
    // A line has each origin.
    let origins = read_origins_of(&records, rest, lines.len())?;
    let of_lines = read_runs(rest, lines.len())?;
    let counts = lines.counts();
    let covered = usize::try_from(counts.covered()).ok()?;
    let mut ran = read_runs(rest, covered)?.into_iter();
    let mut missed = read_runs(rest, lines.len() - covered)?.into_iter();
    let mut history = History::default();
    history.lines.reserve_exact(lines.len());
    let mut known: HashMap<(u32, u32), u32> = HashMap::new();
    // Most lines have the history of the last line that ran, or of the last missed line.
    let mut last = [None; 2];
    let states = lines.files().flat_map(|(_, file)| file.lines());
    for (origin, line) in of_lines.into_iter().zip(states) {
        let last_run = if line.ran() {
            ran.next()?
        } else {
            missed.next()?
        };
        let (key, last) = ((origin, last_run), &mut last[usize::from(line.ran())]);
        let index = match *last {
            Some((same, index)) if same == key => index,
            _ => match known.get(&key) {
                Some(&index) => index,
                None => {
                    let index = u32::try_from(history.distinct.len()).ok()?;
                    history.distinct.push(LineHistory {
                        origin: *origins.get(origin as usize)?,
                        last_run: position(&records, last_run)?,
                    });
                    known.insert(key, index);
                    index
                }
            },
        };
        *last = Some((key, index));
        history.lines.push(index);
    }
    Some(history)
}

/// The record at a position from 1; `Some(None)` for 0.
fn position(records: &[i64], at: u32) -> Option<Option<i64>> {
    match at.checked_sub(1) {
        None => Some(None),
        Some(index) => records.get(index as usize).map(|&record| Some(record)),
    }
}

/// All records that origins and runs name, in ascending order.
fn records(origins: &[Origin], last_runs: impl Iterator<Item = i64>) -> Vec<i64> {
    let named = origins.iter().flat_map(|of| [of.after, Some(of.at)]);
    let named: BTreeSet<i64> = named.flatten().chain(last_runs).collect();
    named.into_iter().collect()
}

/// Encodes the first two columns.
pub(super) fn origins(origins: &[Origin]) -> Result<Vec<u8>, TooLarge> {
    origins_of(&records(origins, [].into_iter()), origins)
}

fn origins_of(records: &[i64], origins: &[Origin]) -> Result<Vec<u8>, TooLarge> {
    let number_of = |length| u32::try_from(length).map_err(|_| TooLarge);
    let mut bytes = Vec::new();
    number::write(&mut bytes, number_of(records.len())?);
    for record in records {
        bytes.extend(record.to_le_bytes());
    }
    let position = |record| number_of(records.binary_search(record).unwrap_or_default());
    number::write(&mut bytes, number_of(origins.len())?);
    for Origin { after, at } in origins {
        let after = after.as_ref().map(|after| Ok(position(after)? + 1));
        number::write(&mut bytes, after.transpose()?.unwrap_or(0));
        number::write(&mut bytes, position(at)?);
    }
    Ok(bytes)
}

pub(super) fn read_origins(rest: &mut &[u8], most: usize) -> Option<Vec<Origin>> {
    let records = read_records(rest)?;
    read_origins_of(&records, rest, most)
}

fn read_records(rest: &mut &[u8]) -> Option<Vec<i64>> {
    let number = number::read_length(rest, size_of::<i64>())?;
    let (records, []) = rest.split_off(..number * size_of::<i64>())?.as_chunks() else {
        return None;
    };
    Some(
        records
            .iter()
            .map(|bytes| i64::from_le_bytes(*bytes))
            .collect(),
    )
}

/// An origin takes 12 times as much memory as its encoding, so `most` bounds their number.
fn read_origins_of(records: &[i64], rest: &mut &[u8], most: usize) -> Option<Vec<Origin>> {
    let number = number::read_length(rest, 2).filter(|&number| number <= most)?;
    let origins = (0..number).map(|_| {
        Some(Origin {
            after: position(records, number::read(rest)?)?,
            at: *records.get(number::read(rest)? as usize)?,
        })
    });
    origins.collect()
}

/// Writes equal neighbours as runs: the number of equal values, and the value.
fn write_runs(bytes: &mut Vec<u8>, values: impl Iterator<Item = usize>) -> Result<(), TooLarge> {
    let number_of = |length| u32::try_from(length).map_err(|_| TooLarge);
    let mut values = values.peekable();
    while let Some(value) = values.next() {
        let mut length = 1;
        while values.next_if_eq(&value).is_some() {
            length += 1;
        }
        number::write(bytes, number_of(length)?);
        number::write(bytes, number_of(value)?);
    }
    Ok(())
}

/// Reads runs of exactly `number` values.
fn read_runs(rest: &mut &[u8], number: usize) -> Option<Vec<u32>> {
    let mut values = Vec::with_capacity(number);
    while values.len() < number {
        let (length, value) = (number::read(rest)?, number::read(rest)?);
        let end = values.len().checked_add(length as usize)?;
        if length == 0 || end > number {
            return None;
        }
        values.resize(end, value);
    }
    Some(values)
}
