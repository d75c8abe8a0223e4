//! Reads coverage files like an upload, but stores nothing: for the command that checks a gate within a job.

use super::{
    details::{Checkout, domain, take_details},
    lines::{count, of_branches},
    repository_paths::{Job, ListingError, RepositoryPaths},
};
use ::lines::{Limits, Lines, NamedBranches, TooLarge};
use domain::{Count, GlobList, PartName};
use formats::{Counter, Coverage, ReportError};
use std::{ffi::OsStr, io::Read, path::Path};
use thiserror::Error;

/// The union of coverage files.
#[derive(Debug, Default)]
pub struct Measured {
    /// The state of every line, with the paths of the repository.
    pub lines: Lines,
    /// The total: of the tool for a single file, else of the union. `None` if a file states only a percentage.
    pub total: Option<Count>,
    /// The branches: of a single file, or of several if all of them name all their branches.
    pub branches: Option<Count>,
    /// The functions of a single file.
    pub functions: Option<Count>,
    files: usize,
    named: Option<NamedBranches>,
}

impl Measured {
    /// Whether there are several coverage files.
    #[must_use]
    pub fn is_united(&self) -> bool {
        self.files > 1
    }
}

/// Why coverage files cannot be judged.
#[derive(Debug, Error)]
pub enum LocalError {
    /// A coverage file cannot be read.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A coverage file has no lines, so it cannot be united or judged.
    #[error("it has no lines")]
    NoLines,
    /// The coverage files have too many lines.
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
    ignore: GlobList,
}

impl LocalReader {
    /// Creates a reader. `paths` is the output of `git ls-files -z`, and `root` the folder of the checkout.
    /// Files that `ignore` matches count nowhere.
    ///
    /// # Errors
    ///
    /// [`LocalError::Paths`].
    pub fn new(paths: Vec<u8>, root: &Path, ignore: GlobList) -> Result<Self, LocalError> {
        Ok(Self {
            paths: RepositoryPaths::read(paths)?,
            root: root.to_str().map(str::to_owned),
            ignore,
        })
    }

    /// Adds a coverage file to `measured`. `folder` is its folder within the checkout, if it is in it. Returns why the rules
    /// about ignored files do not count for it, in a sentence, if they do not.
    pub fn add(
        &self,
        measured: &mut Measured,
        file: impl Read,
        folder: Option<&str>,
    ) -> Result<Option<&'static str>, LocalError> {
        let mut report = formats::read_with_lines(file, &formats::Limits::default())?;
        let root_name = self
            .root
            .as_deref()
            .map(Path::new)
            .and_then(Path::file_name);
        let checkout = Checkout {
            listed: &self.paths,
            job: Job {
                root: self.root.as_deref(),
                report_folder: folder.unwrap_or_default(),
                repository: root_name.and_then(OsStr::to_str).unwrap_or_default(),
                ..Job::default()
            },
            // Each coverage file is a part without a name.
            part: &PartName::default(),
        };
        let (_, content, why_not) = take_details(&mut report, Some(&checkout), &self.ignore);
        let stated = match report.total {
            Coverage::Counts(count, _) => Some(domain(count)),
            Coverage::Rate(_) | Coverage::Empty { .. } => None,
        };
        let (own, named, _) = content.ok_or(LocalError::NoLines)?;
        let limits = Limits::default();
        let before = std::mem::take(&mut measured.lines);
        let united = before.united(own, &limits);
        measured.lines = united.map_err(|TooLarge| LocalError::TooLarge)?;
        measured.files += 1;
        let is_alone = !measured.is_united();
        let alone = |counter| {
            let count = report.counters.get(counter).filter(|_| is_alone);
            count.map(domain)
        };
        measured.named = match is_alone {
            true => named,
            false => {
                let both = measured.named.take().zip(named);
                both.and_then(|(before, own)| before.united(own, &limits))
            }
        };
        let united = measured.named.as_ref().filter(|_| !is_alone);
        measured.branches =
            alone(Counter::Branch).or_else(|| united.map(|named| of_branches(named.count())));
        measured.functions = alone(Counter::Function);
        measured.total = match is_alone {
            true => stated,
            false => Some(count(measured.lines.counts())),
        };
        Ok(why_not)
    }
}
