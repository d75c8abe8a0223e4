//! LCOV tracefiles: a record for each file, from `SF:path` to `end_of_record`.
//!
//! The total is in lines, as in `lcov --summary` and `genhtml`: the lines (`DA`) of a path are added up over all of its
//! records. The counts that a record states (`LF`, `LH`) are used only if it lists no lines. The same applies to functions,
//! by name, and branches, by line, block and branch. Negative counts are 0. MC/DC is ignored.
//!
//! `TN` names the test of the records after it, as in `lcov`, so a path with several records may have several tests. If all records
//! have the same name, it names the run and is no test.
//!
//! A record may lack its end only if another record follows. A file that does not end with the end of a record was cut off.
//! A file that is cut off exactly between two records cannot be distinguished from a complete one.
//!
//! Source: `man geninfo` of LCOV 1.16 (`FN`, `FNDA`) and 2.x (`FNL`, `FNA`), section FILES.

use crate::counter::Counter;
use crate::error::{ReportError, shown};
use crate::files::key;
use crate::findings::Findings;
use crate::number::{hits, integer};
use crate::report::{BranchName, Scheme};
use crate::text::Text;

pub(super) fn claims(line: &[u8]) -> bool {
    let marks: [&[u8]; 3] = [b"TN:", b"SF:", b"KF:"];
    marks.iter().any(|mark| line.starts_with(mark))
}

pub(super) fn read(text: &mut Text<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let mut record: Option<Record> = None;
    let mut test = None;
    loop {
        let (field, value) = split(text.line(), b':');
        match field {
            b"TN" | b"SF" | b"KF" | b"end_of_record" => {
                if let Some(record) = record.take() {
                    record.finish(found);
                }
                if field == b"TN" {
                    test = found
                        .files
                        .test(&String::from_utf8_lossy(value.trim_ascii()));
                }
                if field != b"end_of_record" {
                    record = Some(Record::begin(field, value, test, found));
                }
                let has_file = record.as_ref().is_some_and(|record| record.has_file);
                text.record = has_file.then(|| shown(text.line()));
            }
            _ => match &mut record {
                Some(record) => record.field(field, value, found),
                // An unknown line without a line end: the file was cut off.
                None if !field.is_empty() && !text.is_terminated => break,
                None => {}
            },
        }
        if let Some(record) = record.as_mut().filter(|record| record.has_file) {
            // Most lines of a tracefile.
            text.skip_while(|rest| {
                let (number, hits, length) = plain(rest)?;
                record.line(number, hits, found);
                Some(length)
            });
        }
        if !text.advance()? {
            found.files.forget_only_test();
            return match record {
                None => Ok(()),
                Some(_) => Err(text.cut_off("end_of_record")),
            };
        }
    }
    Err(text.cut_off("end_of_record"))
}

/// The data of a record until it ends.
#[derive(Default)]
struct Record {
    /// Nothing counts before `SF`, or if `SF` names no file.
    has_file: bool,
    has_lines: bool,
    has_functions: bool,
    has_branches: bool,
    /// The test that ran its lines.
    test: Option<u32>,
    lines: Stated,
    functions: Stated,
    branches: Stated,
}

/// The stated counts of a record: the numbers hit and found.
type Stated = (Option<u64>, Option<u64>);

impl Record {
    fn begin(field: &[u8], path: &[u8], test: Option<u32>, found: &mut Findings) -> Self {
        let has_file = field != b"TN" && !path.is_empty();
        if has_file {
            found.files.enter(&String::from_utf8_lossy(path));
        }
        Self {
            has_file,
            test,
            ..Self::default()
        }
    }

    #[inline]
    fn field(&mut self, field: &[u8], value: &[u8], found: &mut Findings) {
        if !self.has_file {
            return;
        }
        match field {
            b"DA" => {
                if let Some((number, hits)) = line(value) {
                    self.line(number, hits, found);
                }
            }
            b"BRDA" => self.has_branches |= branch(value, found).is_some(),
            b"FN" => {
                let (_, rest) = split(value, b',');
                let (end, name) = split(rest, b',');
                let has_end = integer::<u64>(end).is_some() && !name.is_empty();
                self.function(if has_end { name } else { rest }, b"0", found);
            }
            b"FNDA" => {
                let (count, name) = split(value, b',');
                self.function(name, count, found);
            }
            b"FNA" => {
                let (_, alias) = split(value, b',');
                let (count, name) = split(alias, b',');
                self.function(name, count, found);
            }
            b"LH" => self.lines.0 = integer(value),
            b"LF" => self.lines.1 = integer(value),
            b"FNH" => self.functions.0 = integer(value),
            b"FNF" => self.functions.1 = integer(value),
            b"BRH" => self.branches.0 = integer(value),
            b"BRF" => self.branches.1 = integer(value),
            _ => {}
        }
    }

    #[inline]
    fn line(&mut self, number: u32, hits: u64, found: &mut Findings) {
        self.has_lines = true;
        found.files.line(number, hits);
        if let Some(test) = self.test.filter(|_| hits > 0) {
            found.files.tested(number, test);
        }
    }

    fn function(&mut self, name: &[u8], count: &[u8], found: &mut Findings) {
        if !name.is_empty() {
            self.has_functions = true;
            found.files.function(key(name), hits(count) > 0);
        }
    }

    /// Adds the stated counts of all kinds that the record does not list.
    fn finish(self, found: &mut Findings) {
        for (counter, is_listed, (hit, all)) in [
            (Counter::Line, self.has_lines, self.lines),
            (Counter::Function, self.has_functions, self.functions),
            (Counter::Branch, self.has_branches, self.branches),
        ] {
            if !is_listed {
                found.files.add(counter, found.warnings.count(hit, all));
            }
        }
    }
}

/// Reads `line,hits[,checksum]`.
fn line(value: &[u8]) -> Option<(u32, u64)> {
    let (number, rest) = split(value, b',');
    let (count, _) = split(rest, b',');
    if count.is_empty() {
        return None;
    }
    Some((integer(number)?, hits(count)))
}

/// Reads a whole line `DA:line,hits` at the start of the text, if both are written with few digits and nothing else. Also returns the
/// length of the line.
#[inline]
fn plain(text: &[u8]) -> Option<(u32, u64, usize)> {
    let mut rest = text.strip_prefix(b"DA:")?;
    let number = digits(&mut rest, b',')?;
    let hits = digits(&mut rest, b'\n')?;
    Some((u32::try_from(number).ok()?, hits, text.len() - rest.len()))
}

/// Reads a number of at most 18 digits and the byte after it.
#[inline]
fn digits(text: &mut &[u8], end: u8) -> Option<u64> {
    let mut number = 0;
    for (place, &byte) in text.iter().enumerate().take(19) {
        if byte == end && place > 0 {
            *text = &text[place + 1..];
            return Some(number);
        }
        if !byte.is_ascii_digit() {
            return None;
        }
        number = number * 10 + u64::from(byte - b'0');
    }
    None
}

/// Reads `line,block,branch,taken`. Before the block, `e` or `f` states the kind of the branch, and `U` that it
/// cannot be reached and does not count. The branch is a number, or in hardware languages an expression.
#[inline]
fn branch(value: &[u8], found: &mut Findings) -> Option<()> {
    let (number, rest) = split(value, b',');
    let line: u32 = integer(number)?;
    let (place, taken) = rest.split_at(memchr::memrchr(b',', rest)?);
    let place = match place {
        [b'e' | b'f', place @ ..] | place => place,
    };
    if place.starts_with(b"U") {
        return None;
    }
    let (key, name) = named(line, place)?;
    let is_taken = hits(&taken[1..]) > 0;
    found.files.branch(key, is_taken);
    found.files.branch_on(line, name, is_taken);
    Some(())
}

/// The key and the name of a branch, whose place is `block,branch`.
#[inline]
pub(super) fn named(line: u32, place: &[u8]) -> Option<(u64, BranchName)> {
    let (block, branch) = split(place, b',');
    match (integer::<u16>(block), integer::<u16>(branch)) {
        // These keys are adjacent for the branches of a line, which takes less memory.
        (Some(block), Some(branch)) => {
            let place = u32::from(block) << 16 | u32::from(branch);
            let key = (u64::from(line) << 32) | u64::from(place);
            Some((key, numbered(block.into(), branch.into())))
        }
        _ if branch.is_empty() => None,
        _ => Some((
            key((line, place)),
            BranchName::of_text(Scheme::Texts, place),
        )),
    }
}

/// The name of a branch of a block. Most blocks have few branches, so that most names are small.
pub(super) fn numbered(block: u32, branch: u32) -> BranchName {
    const BRANCHES: u32 = 64;
    let number = match branch {
        0..BRANCHES => block.wrapping_mul(BRANCHES) | branch,
        _ => 1 << 27 | (block << 12 ^ branch),
    };
    BranchName::new(Scheme::Numbers, number)
}

/// Returns the text before and after the first separator. Without a separator, the second part is empty.
#[inline]
fn split(text: &[u8], separator: u8) -> (&[u8], &[u8]) {
    // Fields and numbers are short, so a plain loop is faster than a vectorised search.
    match text.iter().position(|&byte| byte == separator) {
        Some(at) => (&text[..at], text[at + 1..].trim_ascii_start()),
        None => (text, b""),
    }
}

#[cfg(test)]
mod tests;
