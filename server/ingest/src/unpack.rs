//! The pass over the archive: writes every file to the report, and parses the coverage file.

mod pass;
mod paths;
mod pax;
mod tar_entries;
mod zip_entries;

use super::{CoverageFileName, IngestError, archive::Archive, body::BodyReader, meter::Meter};
use config::Limits;
use formats::Report;
use objects::{StagedReport, StartPage};
use pass::Pass;
pub(super) use pass::{EntryHead, EntryKind};
use std::{error::Error, io};
pub(super) use tar_entries::{TarPass, take_all as take_tar};

/// An upload that was read to its end without an error.
pub(super) struct Unpacked {
    pub(super) report: Report,
    /// What is left out, in sentences.
    pub(super) notices: Vec<String>,
    pub(super) staged: StagedReport,
    pub(super) start_page: StartPage,
    pub(super) files: u64,
}

/// Reads the archive once from start to end. A zip is spooled to disk first, because its directory is at the end. Blocks.
pub(super) fn unpack(
    body: BodyReader,
    wanted: &CoverageFileName,
    limits: &Limits,
    staged: StagedReport,
) -> Result<Unpacked, IngestError> {
    let meter = Meter::new(limits);
    let archive = Archive::of(body, &meter, limits)?;
    let mut pass = Pass::new(wanted, limits, staged, &meter);
    match archive {
        Archive::Tar(stream) => tar_entries::take_all(stream, &meter, &mut pass)?,
        Archive::Zip(upload) => {
            let spooled = zip_entries::spool(upload, pass.staged.scratch_file()?)?;
            zip_entries::take_all(spooled, &mut pass)?;
        }
    }
    pass.finish()
}

pub(super) fn corrupt(reason: impl Into<Box<dyn Error + Send + Sync>>) -> IngestError {
    IngestError::CorruptArchive(io::Error::new(io::ErrorKind::InvalidData, reason))
}
