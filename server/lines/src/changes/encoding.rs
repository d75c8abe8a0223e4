//! Encodes changes as bytes, for storage.
//!
//! Version 1 has the bytes `CVC` and 1, and like the lines of a record a checksum and a zstd frame. The frame has the number of
//! files; then for each file the kind (0 the path stayed, 1 added, 2 deleted, 3 moved; 4 more if it is binary), its path,
//! front-coded, the old path if it moved, the number of hunks, and for each hunk four numbers: lines since the previous hunk and
//! lines, in the base and in the measured tree.

use super::{ChangedFile, Changes, Hunk, Span};
use crate::{
    encoding::{DecodeError, frame, number},
    limits::TooLarge,
};

const HEAD: frame::Head = *b"CVC\x01";

/// The most bytes before compression: more than the largest diff that is read has.
const MAX_BYTES: usize = 32 << 20;

const SAME_PATH: u32 = 0;
const ADDED: u32 = 1;
const DELETED: u32 = 2;
const MOVED: u32 = 3;
const BINARY: u32 = 4;

impl Changes {
    /// Encodes the changes.
    ///
    /// # Errors
    ///
    /// If the changes are too large to be decoded.
    pub fn encode(&self) -> Result<Vec<u8>, TooLarge> {
        let length = |number: usize| u32::try_from(number).map_err(|_| TooLarge);
        let mut body = Vec::new();
        number::write(&mut body, length(self.files.len())?);
        let mut before: &[u8] = &[];
        for file in &self.files {
            let (kind, old_path) = match (&file.old_path, &file.path) {
                (Some(old), Some(new)) if old == new => (SAME_PATH, None),
                (Some(old), Some(_)) => (MOVED, Some(old)),
                (None, _) => (ADDED, None),
                (Some(_), None) => (DELETED, None),
            };
            number::write(&mut body, if file.is_binary { kind | BINARY } else { kind });
            number::write_text(&mut body, before, file.name().as_bytes());
            before = file.name().as_bytes();
            if let Some(old_path) = old_path {
                number::write_text(&mut body, before, old_path.as_bytes());
            }
            number::write(&mut body, length(file.hunks.len())?);
            let (mut old, mut new) = (1, 1);
            for hunk in &file.hunks {
                number::write(&mut body, hunk.old.first - old);
                number::write(&mut body, hunk.old.lines);
                number::write(&mut body, hunk.new.first - new);
                number::write(&mut body, hunk.new.lines);
                (old, new) = (hunk.old.end(), hunk.new.end());
            }
        }
        match body.len() > MAX_BYTES {
            true => Err(TooLarge),
            false => frame::pack(HEAD, &body),
        }
    }

    /// Decodes changes.
    ///
    /// # Errors
    ///
    /// If any byte differs from the encoded ones, or another version encoded them.
    pub fn decode(blob: &[u8]) -> Result<Self, DecodeError> {
        let body = frame::unpack(HEAD, blob, MAX_BYTES)?;
        let mut rest = body.as_slice();
        let files = files(&mut rest).ok_or(DecodeError::Damaged)?;
        match rest.is_empty() {
            true => Self::of(files).map_err(|_| DecodeError::Damaged),
            false => Err(DecodeError::Damaged),
        }
    }
}

fn files(rest: &mut &[u8]) -> Option<Vec<ChangedFile>> {
    let number = number::read_length(rest, 4)?;
    let mut name = Vec::new();
    let mut files = Vec::with_capacity(number);
    for _ in 0..number {
        let kind = number::read(rest)?;
        number::read_text(rest, &mut name)?;
        let path: Box<str> = std::str::from_utf8(&name).ok()?.into();
        let is_binary = kind & BINARY != 0;
        let (old_path, path) = match kind & !BINARY {
            SAME_PATH => (Some(path.clone()), Some(path)),
            ADDED => (None, Some(path)),
            DELETED => (Some(path), None),
            MOVED => {
                let mut old = name.clone();
                number::read_text(rest, &mut old)?;
                (Some(std::str::from_utf8(&old).ok()?.into()), Some(path))
            }
            _ => return None,
        };
        let hunks = hunks(rest)?;
        files.push(ChangedFile {
            old_path,
            path,
            hunks,
            is_binary,
        });
    }
    Some(files)
}

fn hunks(rest: &mut &[u8]) -> Option<Vec<Hunk>> {
    let number = number::read_length(rest, 4)?;
    let mut hunks = Vec::with_capacity(number);
    let (mut old, mut new) = (1, 1);
    for _ in 0..number {
        let hunk = Hunk {
            old: span(rest, old)?,
            new: span(rest, new)?,
        };
        (old, new) = (hunk.old.end(), hunk.new.end());
        hunks.push(hunk);
    }
    Some(hunks)
}

fn span(rest: &mut &[u8], after: u32) -> Option<Span> {
    let first = after.checked_add(number::read(rest)?)?;
    let lines = number::read(rest)?;
    first.checked_add(lines)?;
    Some(Span { first, lines })
}
