//! The pass over the archive: every file goes into the report, and the coverage file to its parser on the way.

use super::{
    CoverageFileName, IngestError, Limit,
    archive::{BLOCK_BYTES, tar_stream},
    body::BodyReader,
    coverage_file::CoverageFile,
    entry_path::entry_path,
    source::{Meter, Source},
    tee::Tee,
};
use crate::{
    config::Limits,
    reports::{StagedReport, StartPage},
};
use report::{Report, ReportError};
use std::{
    collections::HashSet,
    io::{self, Read},
};
use tar::{Archive, Entry, EntryType};

/// An upload that was read to its end without a fault.
pub(super) struct Unpacked {
    pub(super) report: Report,
    pub(super) staged: StagedReport,
    pub(super) start_page: StartPage,
    pub(super) files: u64,
}

/// Reads the archive once, front to back. Blocks.
pub(super) fn unpack(
    body: BodyReader,
    wanted: &CoverageFileName,
    limits: &Limits,
    staged: StagedReport,
) -> Result<Unpacked, IngestError> {
    let (stream, meter) = Source::new(tar_stream(body)?, limits.max_unpacked_bytes);
    let mut archive = Archive::new(stream);
    let mut pass = Pass {
        limits,
        staged,
        paths: HashSet::new(),
        start_page: StartPage::default(),
        coverage: CoverageFile::new(wanted),
    };
    let mut end = 0;
    meter.in_headers(limits.max_header_bytes);
    for (number, entry) in (1..).zip(archive.entries().map_err(|error| meter.explain(error))?) {
        meter.in_entry();
        if number > limits.max_entries {
            return Err(IngestError::Limit(Limit::Entries(limits.max_entries)));
        }
        let mut entry = entry.map_err(|error| meter.explain(error))?;
        pass.take(&mut entry, &meter)?;
        end = entry.raw_file_position() + entry.size().next_multiple_of(BLOCK_BYTES as u64);
        meter.in_headers(limits.max_header_bytes);
    }
    meter.in_entry();
    check_end(archive.into_inner(), &meter, end)?;
    pass.finish(wanted)
}

/// An archive ends with a block of zeros; one that just stops was cut off. What follows the zeros is padding, read to
/// the end because a compressed stream carries its checksum there.
fn check_end(mut stream: impl Read, meter: &Meter, end_of_entries: u64) -> Result<(), IngestError> {
    if meter.bytes_read() <= end_of_entries {
        return Err(IngestError::CorruptArchive(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "the end of the archive is missing",
        )));
    }
    io::copy(&mut stream, &mut io::sink()).map_err(|error| meter.explain(error))?;
    Ok(())
}

struct Pass<'a> {
    limits: &'a Limits,
    staged: StagedReport,
    paths: HashSet<String>,
    start_page: StartPage,
    coverage: CoverageFile<'a, Result<Report, ReportError>>,
}

impl Pass<'_> {
    fn take(&mut self, entry: &mut Entry<'_, impl Read>, meter: &Meter) -> Result<(), IngestError> {
        if entry.size() > self.limits.max_file_bytes {
            return Err(IngestError::Limit(Limit::FileBytes(
                self.limits.max_file_bytes,
            )));
        }
        let path = entry_path(&entry.path_bytes(), self.limits.max_path_bytes)?;
        let refuse = |path, reason| Err(IngestError::UnsafeEntry { path, reason });
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous => {}
            EntryType::Directory | EntryType::XGlobalHeader => return Ok(()),
            EntryType::Link if self.is_known(&path, entry) => return Ok(()),
            EntryType::Link => {
                return refuse(path, "is a hard link; pack with tar --hard-dereference");
            }
            EntryType::Symlink => return refuse(path, "is a link; pack with tar --dereference"),
            EntryType::GNUSparse => {
                return refuse(path, "is a sparse file; pack it as a plain one");
            }
            _ => return refuse(path, "is neither a file nor a folder; leave it out"),
        }
        if path.is_empty() {
            return refuse(path, "has no name; leave it out");
        }
        if !self.paths.insert(path.clone()) {
            return refuse(path, "is there twice; pack each file once");
        }
        self.start_page.see(&path);
        self.staged.begin_entry(&path)?;
        let mut tee = Tee::new(entry, &mut self.staged);
        if self.coverage.is_better(&path) {
            let read = report::read(&mut tee, &self.limits.report.of_reader());
            self.coverage.set(path, read);
        }
        tee.finish()?.map_err(|error| meter.explain(error))
    }

    /// tar writes a file that it is told to pack a second time as a link to itself.
    fn is_known(&self, path: &str, entry: &Entry<'_, impl Read>) -> bool {
        let target = entry
            .link_name_bytes()
            .and_then(|target| entry_path(&target, self.limits.max_path_bytes).ok());
        target.as_deref() == Some(path) && self.paths.contains(path)
    }

    fn finish(self, wanted: &CoverageFileName) -> Result<Unpacked, IngestError> {
        let (path, read) =
            self.coverage
                .finish()
                .map_err(|found| IngestError::CoverageFileNotFound {
                    wanted: wanted.clone(),
                    found,
                })?;
        let report = read.map_err(|source| IngestError::UnreadableReport { path, source })?;
        Ok(Unpacked {
            report,
            staged: self.staged,
            start_page: self.start_page,
            files: self.paths.len() as u64,
        })
    }
}
