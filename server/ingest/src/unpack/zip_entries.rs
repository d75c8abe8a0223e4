//! Reads the entries of a zip in the order of its directory, which is never in memory as a whole.

mod record;

use super::{
    corrupt,
    pass::{EntryHead, Pass},
};
use crate::IngestError;
use flate2::read::DeflateDecoder;
use objects::ReportsError;
use rawzip::{
    CompressionMethod, FileReader, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ZipArchive,
    ZipFileHeaderRecord,
};
use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufRead, Read, Write},
    os::unix::fs::FileExt,
};

/// The longest name and extra fields: each length has 16 bits (PKWARE APPNOTE, section 4.3.7).
const LOCAL_HEADER_BYTES: usize = 2 * u16::MAX as usize;

/// The most padding after a zip. Tools pad to the block of a tape, which is 10 KiB.
const MAX_PADDING_BYTES: usize = 64 << 10;

/// Writes an upload to `file`.
pub(super) fn spool(mut upload: impl BufRead, mut file: File) -> Result<File, IngestError> {
    loop {
        let chunk = upload.fill_buf().map_err(IngestError::CorruptArchive)?;
        if chunk.is_empty() {
            return Ok(file);
        }
        file.write_all(chunk).map_err(ReportsError::from)?;
        let length = chunk.len();
        upload.consume(length);
    }
}

/// Passes every entry to `pass`.
pub(super) fn take_all(file: File, pass: &mut Pass<'_>) -> Result<(), IngestError> {
    let length = file.metadata().map_err(ReportsError::from)?.len();
    let tail = file.try_clone().map_err(ReportsError::from)?;
    let mut directory = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let archive = ZipArchive::from_file(file, &mut directory).map_err(explain)?;
    if !is_padding(&tail, archive.end_offset(), length).map_err(ReportsError::from)? {
        return Err(corrupt("there are other bytes after the end of the zip"));
    }
    pass.check_count(archive.entries_hint())?;
    let mut zip = Zip {
        archive: &archive,
        ranges: Ranges::default(),
        local: vec![0; LOCAL_HEADER_BYTES],
    };
    let mut entries = archive.entries(&mut directory);
    let mut count = 0_u64;
    while let Some(record) = entries.next_entry().map_err(explain)? {
        zip.read(&record, pass)?;
        count += 1;
    }
    // Without zip64 the count has 16 bits, and in some tools it overflows.
    if count as u16 != archive.entries_hint() as u16 {
        return Err(corrupt("the directory of the zip is incomplete"));
    }
    Ok(())
}

struct Zip<'a> {
    archive: &'a ZipArchive<FileReader>,
    ranges: Ranges,
    local: Vec<u8>,
}

impl Zip<'_> {
    fn read(
        &mut self,
        record: &ZipFileHeaderRecord<'_>,
        pass: &mut Pass<'_>,
    ) -> Result<(), IngestError> {
        let entry = self
            .archive
            .get_entry(record.wayfinder())
            .map_err(explain)?;
        let local = entry.local_header(&mut self.local).map_err(explain)?;
        let (_, end) = entry.compressed_data_range();
        if end > self.archive.directory_offset() {
            return Err(corrupt("an entry overlaps the directory of the zip"));
        }
        let is_alone = self.ranges.claim(record.local_header_offset(), end);
        let path = record::path(record);
        let head = EntryHead {
            path: &path,
            size: record.uncompressed_size_hint(),
            kind: record::kind(record, &local, is_alone),
        };
        let decoder: Box<dyn Read + '_> = match record.compression_method() {
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(entry.reader())),
            _ => Box::new(entry.reader()),
        };
        pass.take_entry(head, pass.meter.unpack(entry.verifying_reader(decoder)))
    }
}

/// Returns whether only zeros follow from `start` on. bsdtar pads its output with zeros if it writes to a pipe.
fn is_padding(file: &File, start: u64, end: u64) -> io::Result<bool> {
    let length = end.saturating_sub(start);
    if length > MAX_PADDING_BYTES as u64 {
        return Ok(false);
    }
    let mut padding = vec![0; length as usize];
    file.read_exact_at(&mut padding, start)?;
    Ok(padding.iter().all(|&byte| byte == 0))
}

/// An error with a code of the operating system comes from the disk; all others come from the archive.
fn explain(error: rawzip::Error) -> IngestError {
    match error.kind() {
        rawzip::ErrorKind::IO(cause) if cause.raw_os_error().is_some() => {
            ReportsError::Io(io::Error::other(error)).into()
        }
        _ => corrupt(error),
    }
}

/// The byte ranges that entries have claimed, by their start: no two entries may share bytes. Adjacent ranges are merged, so a
/// normal archive ends up as a single range.
#[derive(Debug, Default)]
struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    /// Claims `start..end`. Returns `false` if a part of it is already claimed.
    fn claim(&mut self, start: u64, end: u64) -> bool {
        let before = self.0.range(..=start).next_back().map(|(&s, &e)| (s, e));
        let after = self.0.range(start..).next().map(|(&s, &e)| (s, e));
        let overlaps = before.is_some_and(|(_, before_end)| before_end > start)
            || after.is_some_and(|(after_start, _)| after_start < end);
        if overlaps {
            return false;
        }
        let start = match before {
            Some((before_start, before_end)) if before_end == start => before_start,
            _ => start,
        };
        let end = match after {
            Some((after_start, after_end)) if after_start == end => {
                self.0.remove(&after_start);
                after_end
            }
            _ => end,
        };
        self.0.insert(start, end);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_can_be_claimed_once() {
        let mut ranges = Ranges::default();
        assert!(ranges.claim(10, 20));
        assert!(ranges.claim(30, 40));
        for (start, end) in [
            (10, 20),
            (9, 11),
            (19, 21),
            (12, 13),
            (0, 50),
            (35, 36),
            (30, 31),
        ] {
            assert!(!ranges.claim(start, end), "{start}..{end}");
        }
        assert!(ranges.claim(20, 30), "the gap between them");
        assert_eq!(ranges.0.len(), 1, "adjacent ranges are merged");
        assert!(ranges.claim(0, 10) && ranges.claim(40, 50));
        assert_eq!(ranges.0.into_iter().collect::<Vec<_>>(), [(0, 50)]);
    }
}
