//! Reads coverage files as an upload does, but stores nothing: for the command that judges a job where it runs.

use super::{
    details::take_details,
    repository_paths::{ListingError, RepositoryPaths},
    settings::{Settings, SettingsError},
};
use domain::{Count, GateRules};
use lines::{Limits, Lines, TooLarge};
use report::{Coverage, ReportError};
use std::io::Read;
use thiserror::Error;

/// What coverage files say together.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    /// The state of every line, with the paths of the repository.
    pub(crate) lines: Lines,
    /// The total: that of the tool if there is one file, else that of the union. None if a file states only a percentage.
    pub(crate) total: Option<Count>,
    files: usize,
}

/// Why coverage files cannot be judged.
#[derive(Debug, Error)]
pub(crate) enum LocalError {
    /// One cannot be read.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// One has no lines, so it cannot be united or judged.
    #[error("it has no lines")]
    NoLines,
    /// There are too many lines.
    #[error("it has more lines than the service stores")]
    TooLarge,
    /// The list of paths cannot be read.
    #[error("the list of the repository's files cannot be read: {0}")]
    Paths(#[from] ListingError),
}

/// Reads coverage files of one repository.
pub(crate) struct LocalReader {
    paths: RepositoryPaths,
}

impl LocalReader {
    /// `paths` is what `git ls-files -z` prints.
    ///
    /// # Errors
    ///
    /// [`LocalError::Paths`].
    pub(crate) fn new(paths: Vec<u8>) -> Result<Self, LocalError> {
        Ok(Self {
            paths: RepositoryPaths::read(paths)?,
        })
    }

    /// Adds a coverage file to what was measured before.
    ///
    /// # Errors
    ///
    /// [`LocalError`].
    pub(crate) fn add(&self, measured: &mut Measured, file: impl Read) -> Result<(), LocalError> {
        let mut report = report::read_with_lines(file, &report::Limits::default())?;
        let stated = match report.total {
            Coverage::Counts(count, _) => Some(Count {
                covered: count.covered(),
                total: count.total(),
            }),
            Coverage::Rate(_) | Coverage::Empty { .. } => None,
        };
        let (_, lines) = take_details(&mut report, Some(&self.paths));
        let encoded = lines.ok_or(LocalError::NoLines)?.encoded;
        let limits = Limits::default();
        let own = Lines::decode(&encoded, &limits).map_err(|_| LocalError::TooLarge)?;
        let before = std::mem::take(&mut measured.lines);
        let united = before.united(own, &limits);
        measured.lines = united.map_err(|TooLarge| LocalError::TooLarge)?;
        measured.files += 1;
        measured.total = match measured.files {
            1 => stated,
            _ => {
                let counts = measured.lines.counts();
                Some(Count {
                    covered: counts.covered(),
                    total: counts.coverable(),
                })
            }
        };
        Ok(())
    }
}

/// Reads the rules of `.coverage.toml`, and sentences about keys that this release does not know.
///
/// # Errors
///
/// With the line, and what was expected.
pub(crate) fn gate_rules(settings: &[u8]) -> Result<(GateRules, Vec<String>), SettingsError> {
    let settings = Settings::read(settings)?;
    Ok((settings.rules, settings.notices))
}
