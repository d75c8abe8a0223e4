//! Checks whether a stored report is unchanged: reads all of it and compares it with its directory.

use super::{ReportObject, ReportsError, index::Slot, local_header::LocalHeader};
use flate2::{CrcReader, read::DeflateDecoder};
use std::io::{self, BufReader, ErrorKind, Read};

/// Large enough to read a disk or a network at full speed.
const BUFFER_BYTES: usize = 256 << 10;

impl ReportObject {
    /// Reads and checks the whole report. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Damaged`] if an entry differs from the directory, else the error of the storage.
    pub fn check(&self) -> Result<(), ReportsError> {
        let mut bytes = BufReader::with_capacity(BUFFER_BYTES, self.whole());
        let mut position = 0;
        for slot in self.index.in_file_order() {
            let before = slot.header_start.checked_sub(position);
            let before = before.ok_or_else(|| damaged("two files overlap"))?;
            skip(&mut bytes, before)?;
            let header = self.check_header(&slot, &mut bytes)?;
            check_content(&slot, (&mut bytes).take(slot.stored_size))?;
            position = slot.header_start + header + slot.stored_size;
        }
        Ok(())
    }

    /// Checks the header of an entry, and returns its length.
    fn check_header(&self, slot: &Slot, bytes: &mut impl Read) -> Result<u64, ReportsError> {
        let mut header = [0; LocalHeader::BYTES];
        bytes.read_exact(&mut header).map_err(cut)?;
        let header = LocalHeader::read(&header).ok_or_else(|| damaged("a file has no header"))?;
        let mut name = vec![0; usize::from(header.name_length)];
        bytes.read_exact(&mut name).map_err(cut)?;
        if !self.index.is_named(slot, &name) {
            return Err(damaged("the name of a file differs from the directory"));
        }
        skip(bytes, header.extra_length.into())?;
        Ok(LocalHeader::BYTES as u64 + name.len() as u64 + u64::from(header.extra_length))
    }
}

fn check_content(slot: &Slot, mut stored: impl Read) -> Result<(), ReportsError> {
    let (size, crc32) = if slot.deflated {
        sum(DeflateDecoder::new(&mut stored), slot.size)?
    } else {
        sum(&mut stored, slot.size)?
    };
    // The decoder may leave bytes unread.
    io::copy(&mut stored, &mut io::sink()).map_err(cut)?;
    if (size, crc32) == (slot.size, slot.crc32) {
        Ok(())
    } else {
        Err(damaged("a file differs from the uploaded one"))
    }
}

/// Returns the length and the checksum. Reads at most one byte more than `expected`.
fn sum(content: impl Read, expected: u64) -> Result<(u64, u32), ReportsError> {
    let mut content = CrcReader::new(content.take(expected.saturating_add(1)));
    let size = io::copy(&mut content, &mut io::sink()).map_err(cut)?;
    Ok((size, content.crc().sum()))
}

fn skip(bytes: &mut impl Read, count: u64) -> Result<(), ReportsError> {
    let skipped = io::copy(&mut bytes.by_ref().take(count), &mut io::sink()).map_err(cut)?;
    if skipped == count {
        Ok(())
    } else {
        Err(damaged("it ends too early"))
    }
}

fn damaged(what: &'static str) -> ReportsError {
    ReportsError::Damaged(what.into())
}

/// Missing bytes and bytes that cannot be decompressed mean damage. All other errors come from the storage.
fn cut(error: io::Error) -> ReportsError {
    match error.kind() {
        ErrorKind::UnexpectedEof => damaged("it ends too early"),
        ErrorKind::InvalidData | ErrorKind::InvalidInput => {
            damaged("a file cannot be decompressed")
        }
        _ => error.into(),
    }
}
