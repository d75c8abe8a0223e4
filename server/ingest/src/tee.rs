//! A reader that also writes everything it reads to the report.

use objects::{ReportsError, StagedReport};
use std::io::{self, Read, Write};

pub(super) struct Tee<'a, R> {
    entry: R,
    report: &'a mut StagedReport,
    failed: Option<ReportsError>,
}

impl<'a, R: Read> Tee<'a, R> {
    pub(super) fn new(entry: R, report: &'a mut StagedReport) -> Self {
        Self {
            entry,
            report,
            failed: None,
        }
    }

    /// Reads the rest of the entry. The outer error is a failed write, the inner error a failed read.
    pub(super) fn finish(mut self, buffer: &mut [u8]) -> Result<io::Result<()>, ReportsError> {
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
