//! The pass over the archive: every file goes into the report, and the coverage file to its parser on the way.

mod entry;
mod pass;
mod paths;
mod pax;
mod ranges;
mod tar_entries;
mod zip_entries;

use super::{CoverageFileName, IngestError, archive::Archive, body::BodyReader, meter::Meter};
use crate::{
    config::Limits,
    reports::{StagedReport, StartPage},
    store::RecordDetails,
};
use pass::Pass;
use report::Report;
use std::{error::Error, io};

/// An upload that was read to its end without a fault.
pub(super) struct Unpacked {
    /// Without its files, which are in `details`.
    pub(super) report: Report,
    pub(super) details: RecordDetails,
    pub(super) staged: StagedReport,
    pub(super) start_page: StartPage,
    pub(super) files: u64,
}

/// Reads the archive once, front to back; a zip is put aside first, since its directory comes last. Blocks.
pub(super) fn unpack(
    body: BodyReader,
    wanted: &CoverageFileName,
    limits: &Limits,
    staged: StagedReport,
) -> Result<Unpacked, IngestError> {
    let meter = Meter::new(limits);
    let archive = Archive::of(body, &meter, limits)?;
    match archive {
        Archive::Tar(stream) => {
            let mut pass = Pass::new(wanted, limits, staged, &meter);
            tar_entries::take_all(stream, &mut pass)?;
            pass.finish()
        }
        Archive::Zip(upload) => {
            let spooled = zip_entries::spool(upload, staged.scratch_file()?)?;
            let mut pass = Pass::new(wanted, limits, staged, &meter);
            zip_entries::take_all(spooled, &mut pass)?;
            pass.finish()
        }
    }
}

fn corrupt(reason: impl Into<Box<dyn Error + Send + Sync>>) -> IngestError {
    IngestError::CorruptArchive(io::Error::new(io::ErrorKind::InvalidData, reason))
}
