//! Whether a stored report still is what was written: all of it is read, front to back, and compared with its directory.

use super::{ReportObject, ReportsError, index::Slot, local_header::LocalHeader};
use flate2::read::DeflateDecoder;
use std::io::{self, BufReader, ErrorKind, Read};

/// Large enough that a disk or a network is read at its speed.
const BUFFER_BYTES: usize = 256 << 10;

impl ReportObject {
    /// Reads all of it. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Damaged`] where an entry is not what the directory says, otherwise what kept it from being read.
    pub fn check(&self) -> Result<(), ReportsError> {
        let mut bytes = BufReader::with_capacity(BUFFER_BYTES, self.whole());
        let mut position = 0;
        for slot in self.index().in_file_order() {
            let before = slot.header_start.checked_sub(position);
            let before = before.ok_or_else(|| damaged("two files overlap"))?;
            pass_over(&mut bytes, before)?;
            let header = self.check_header(&slot, &mut bytes)?;
            check_content(&slot, (&mut bytes).take(slot.stored_size))?;
            position = slot.header_start + header + slot.stored_size;
        }
        Ok(())
    }

    /// Its length.
    fn check_header(&self, slot: &Slot, bytes: &mut impl Read) -> Result<u64, ReportsError> {
        let mut header = [0; LocalHeader::BYTES];
        bytes.read_exact(&mut header).map_err(cut)?;
        let header =
            LocalHeader::read(&header).ok_or_else(|| damaged("a file has lost its header"))?;
        let mut name = vec![0; usize::from(header.name_length)];
        bytes.read_exact(&mut name).map_err(cut)?;
        if !self.index().is_named(slot, &name) {
            return Err(damaged("a file has another name than in the directory"));
        }
        pass_over(bytes, header.extra_length.into())?;
        Ok(LocalHeader::BYTES as u64 + name.len() as u64 + u64::from(header.extra_length))
    }
}

fn check_content(slot: &Slot, mut stored: impl Read) -> Result<(), ReportsError> {
    let (size, crc32) = match slot.deflated {
        true => sum(DeflateDecoder::new(&mut stored), slot.size)?,
        false => sum(&mut stored, slot.size)?,
    };
    // What an inflater has not asked for.
    io::copy(&mut stored, &mut io::sink()).map_err(cut)?;
    match (size, crc32) == (slot.size, slot.crc32) {
        true => Ok(()),
        false => Err(damaged("a file is not what was uploaded")),
    }
}

/// Length and checksum. No more is read than what shows that there is too much.
fn sum(content: impl Read, most: u64) -> Result<(u64, u32), ReportsError> {
    let mut content = content.take(most.saturating_add(1));
    let (mut size, mut hasher) = (0, crc32fast::Hasher::new());
    let mut buffer = vec![0; 64 << 10];
    loop {
        match content.read(&mut buffer).map_err(cut)? {
            0 => return Ok((size, hasher.finalize())),
            read => {
                hasher.update(&buffer[..read]);
                size += read as u64;
            }
        }
    }
}

fn pass_over(bytes: &mut impl Read, count: u64) -> Result<(), ReportsError> {
    let passed = io::copy(&mut bytes.by_ref().take(count), &mut io::sink()).map_err(cut)?;
    match passed == count {
        true => Ok(()),
        false => Err(damaged("it ends too early")),
    }
}

fn damaged(what: &'static str) -> ReportsError {
    ReportsError::Damaged(what.into())
}

/// What cannot be inflated, or is not there, is damage; everything else is the storage's failure.
fn cut(error: io::Error) -> ReportsError {
    match error.kind() {
        ErrorKind::UnexpectedEof => damaged("it ends too early"),
        ErrorKind::InvalidData | ErrorKind::InvalidInput => {
            damaged("a file cannot be decompressed")
        }
        _ => error.into(),
    }
}
