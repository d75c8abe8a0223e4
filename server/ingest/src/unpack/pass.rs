//! Processes every entry of any kind of archive: checks it, writes it to the report, and parses it if it is the coverage file, or
//! names the tests of lines beside it.

use super::{
    TarPass, Unpacked,
    paths::{Clash, Paths},
};
use crate::{
    CoverageFileName, IngestError, Limit, coverage_file::CoverageFile, entry_path::entry_path,
    meter::Meter, tests_beside::add_tests,
};
use config::Limits;
use formats::{PhpunitTests, Report, ReportError};
use objects::{ReportsError, StagedReport, StartPage};
use std::io::{self, Read, Write};

/// Bytes copied at a time.
const COPY_BYTES: usize = 64 << 10;

#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryHead<'a> {
    /// The path, as in the archive.
    pub(crate) path: &'a [u8],
    pub(crate) size: u64,
    pub(crate) kind: EntryKind<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind<'a> {
    File,
    Folder,
    /// The same file under another name. tar also writes one for a file that is listed twice.
    HardLink {
        target: &'a [u8],
    },
    /// Any other kind, with the reason for refusing it.
    Other(&'static str),
}

pub(super) struct Pass<'a> {
    pub(super) limits: &'a Limits,
    pub(super) meter: &'a Meter,
    pub(super) staged: StagedReport,
    wanted: &'a CoverageFileName,
    entries: u64,
    files: u64,
    paths: Paths,
    start_page: StartPage,
    coverage: CoverageFile<'a, Result<Report, ReportError>>,
    tests: PhpunitTests,
    buffer: Vec<u8>,
}

impl<'a> Pass<'a> {
    pub(super) fn new(
        wanted: &'a CoverageFileName,
        limits: &'a Limits,
        staged: StagedReport,
        meter: &'a Meter,
    ) -> Self {
        Self {
            limits,
            meter,
            staged,
            wanted,
            entries: 0,
            files: 0,
            paths: Paths::new(limits.max_entries),
            start_page: StartPage::default(),
            coverage: CoverageFile::new(wanted),
            tests: PhpunitTests::new(&limits.report.of_tests_beside()),
            buffer: vec![0; COPY_BYTES],
        }
    }

    /// Processes one entry. `content` is read to its end only if the entry is a file.
    pub(super) fn take_entry(
        &mut self,
        head: EntryHead<'_>,
        content: impl Read,
    ) -> Result<(), IngestError> {
        self.entries += 1;
        self.check_count(self.entries)?;
        let path = entry_path(head.path, self.limits.max_path_bytes)?;
        match head.kind {
            EntryKind::File => self.add_file(path, head.size, content),
            EntryKind::Folder if head.size > 0 => {
                refuse(path, "is a folder with content; pack the archive again")
            }
            EntryKind::Folder => {
                let added = self.paths.add_folder(&path);
                added.map_err(|clash| self.explain(clash, path))
            }
            EntryKind::HardLink { target } if head.size == 0 && self.is_itself(&path, target) => {
                Ok(())
            }
            EntryKind::HardLink { .. } => {
                refuse(path, "is a hard link; pack with tar --hard-dereference")
            }
            EntryKind::Other(reason) => refuse(path, reason),
        }
    }

    fn add_file(&mut self, path: String, size: u64, content: impl Read) -> Result<(), IngestError> {
        if path.is_empty() {
            return refuse(path, "has no name; leave it out");
        }
        self.check_size(size)?;
        if let Err(clash) = self.paths.add_file(&path) {
            return Err(self.explain(clash, path));
        }
        self.files += 1;
        self.start_page.see(&path);
        self.staged.begin_entry(&path)?;
        let mut tee = Tee {
            entry: content,
            report: &mut self.staged,
            failed: None,
        };
        if self.coverage.is_better(&path) {
            let read = formats::read_with_lines(&mut tee, &self.limits.report.of_reader());
            self.coverage.set(path, read);
        } else if path.ends_with(".xml") {
            self.tests.read(&path, &mut tee);
        }
        tee.finish(&mut self.buffer)?
            .map_err(|error| self.meter.explain(error))
    }

    /// Checks the number of entries. If the archive states the number, this is called before the entries are read.
    pub(super) fn check_count(&self, entries: u64) -> Result<(), IngestError> {
        within(entries, self.limits.max_entries, Limit::Entries)
    }

    fn is_itself(&self, path: &str, target: &[u8]) -> bool {
        let target = entry_path(target, self.limits.max_path_bytes).ok();
        target.as_deref() == Some(path) && self.paths.has_file(path)
    }

    fn explain(&self, clash: Clash, path: String) -> IngestError {
        let reason = match clash {
            Clash::TooMany => {
                return IngestError::Limit(Limit::Entries(self.limits.max_entries));
            }
            Clash::Twice => "occurs twice; pack each file once",
            Clash::FileAndFolder => "is used as a file and as a folder; leave one of them out",
        };
        IngestError::UnsafeEntry { path, reason }
    }

    pub(super) fn finish(self) -> Result<Unpacked, IngestError> {
        let (path, read) =
            self.coverage
                .finish()
                .map_err(|found| IngestError::CoverageFileNotFound {
                    wanted: self.wanted.clone(),
                    found,
                })?;
        let mut report = read.map_err(|error| IngestError::UnreadableReport { path, error })?;
        let notices = add_tests(&mut report, self.tests.finish());
        Ok(Unpacked {
            report,
            notices,
            staged: self.staged,
            start_page: self.start_page,
            files: self.files,
        })
    }
}

impl TarPass for Pass<'_> {
    fn entry(&mut self, head: EntryHead<'_>, content: impl Read) -> Result<(), IngestError> {
        self.take_entry(head, content)
    }

    fn check_size(&self, size: u64) -> Result<(), IngestError> {
        within(size, self.limits.max_file_bytes, Limit::FileBytes)
    }
}

fn refuse(path: String, reason: &'static str) -> Result<(), IngestError> {
    Err(IngestError::UnsafeEntry { path, reason })
}

fn within(value: u64, limit: u64, passed: impl FnOnce(u64) -> Limit) -> Result<(), IngestError> {
    if value > limit {
        return Err(IngestError::Limit(passed(limit)));
    }
    Ok(())
}

/// A reader that also writes everything it reads to the report.
struct Tee<'a, R> {
    entry: R,
    report: &'a mut StagedReport,
    failed: Option<ReportsError>,
}

impl<R: Read> Tee<'_, R> {
    /// Reads the rest of the entry. The outer error is a failed write, the inner error a failed read.
    fn finish(mut self, buffer: &mut [u8]) -> Result<io::Result<()>, ReportsError> {
        let rest = loop {
            match self.read(buffer) {
                Ok(0) => break Ok(()),
                Ok(_) => {}
                Err(error) => break Err(error),
            }
        };
        self.failed.map_or(Ok(rest), Err)
    }
}

impl<R: Read> Read for Tee<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.entry.read(buffer)?;
        if let Err(error) = self.report.write_all(&buffer[..read]) {
            self.failed = Some(error.into());
            return Err(io::Error::other("the report cannot be written"));
        }
        Ok(read)
    }
}
