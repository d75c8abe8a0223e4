//! Reads coverage files as an upload does, but stores nothing: for the command that judges a job where it runs.

use super::{
    details::{Checkout, take_details},
    repository_paths::{ListingError, RepositoryPaths},
    settings::{Settings, SettingsError},
};
use domain::{Count, GateRules, PartName};
use formats::{Coverage, ReportError};
use lines::{Limits, Lines, TooLarge};
use std::{ffi::OsStr, io::Read, path::Path};
use thiserror::Error;

/// What coverage files say together.
#[derive(Debug, Default)]
pub struct Measured {
    /// The state of every line, with the paths of the repository.
    pub lines: Lines,
    /// The total: that of the tool if there is one file, else that of the union. None if a file states only a percentage.
    pub total: Option<Count>,
    files: usize,
}

/// Why coverage files cannot be judged.
#[derive(Debug, Error)]
pub enum LocalError {
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
pub struct LocalReader {
    paths: RepositoryPaths,
    root: Option<String>,
}

impl LocalReader {
    /// `paths` is what `git ls-files -z` prints, and `root` the checkout.
    ///
    /// # Errors
    ///
    /// [`LocalError::Paths`].
    pub fn new(paths: Vec<u8>, root: &Path) -> Result<Self, LocalError> {
        Ok(Self {
            paths: RepositoryPaths::read(paths)?,
            root: root.to_str().map(str::to_owned),
        })
    }

    /// Adds a coverage file to what was measured before. `folder` is its folder within the checkout, if it is in it.
    pub fn add(
        &self,
        measured: &mut Measured,
        file: impl Read,
        folder: Option<&str>,
    ) -> Result<(), LocalError> {
        let mut report = formats::read_with_lines(file, &formats::Limits::default())?;
        let stated = match report.total {
            Coverage::Counts(count, _) => Some(Count {
                covered: count.covered(),
                total: count.total(),
            }),
            Coverage::Rate(_) | Coverage::Empty { .. } => None,
        };
        let root_name = self
            .root
            .as_deref()
            .map(Path::new)
            .and_then(Path::file_name);
        let checkout = Checkout {
            listed: &self.paths,
            root: self.root.as_deref(),
            report_folder: folder,
            repository: root_name.and_then(OsStr::to_str).unwrap_or_default(),
            // Each coverage file is one, and they have no names.
            part: &PartName::default(),
        };
        let (_, lines) = take_details(&mut report, Some(&checkout));
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

/// Reads the rules of `coverage-dashboard.toml`, and sentences about keys that this release does not know.
///
/// # Errors
///
/// With the line, and what was expected.
pub fn gate_rules(settings: &[u8]) -> Result<(GateRules, Vec<String>), SettingsError> {
    let settings = Settings::read(settings)?;
    Ok((settings.rules, settings.notices))
}
