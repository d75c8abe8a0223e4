//! The coverage files of one upload, read one after the other within one limit of memory.

use crate::{IngestError, Limit};
use config::Limits;
use domain::{Language, language_of_ending};
use formats::{FileCoverage, Report, ReportError};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
    io::Read,
    mem::{self, size_of},
};

/// The most coverage files of one upload. Clients that search for coverage files find many, but a repository of a hundred projects
/// has fewer.
pub const MAX_FOREIGN_FILES: usize = 200;

/// The most languages of an upload: each has a record and a result of its own.
const MAX_LANGUAGES: usize = 20;

/// The longest name of a coverage file that a sentence shows, in bytes.
const NAME_BYTES: usize = 80;

/// The name of a language whose files have no known ending.
const UNKNOWN: &str = "unknown";

/// The longest ending that can be a language.
const ENDING_BYTES: usize = 12;

/// Coverage files that have been read.
#[derive(Debug)]
pub struct ForeignFiles {
    limits: formats::Limits,
    files: Vec<ForeignFile>,
    unread: Vec<(String, ReportError)>,
    paths: Option<Vec<u8>>,
    /// The bytes of memory of all files so far, about.
    kept: usize,
    /// Sentences about the upload, for its records.
    pub notices: Vec<String>,
}

/// A coverage file.
#[derive(Debug)]
pub(super) struct ForeignFile {
    /// Its name, for sentences.
    pub(super) name: String,
    pub(super) report: Report,
    language: Language,
}

/// The coverage files of each language, the paths of the repository, and sentences about files that were left out.
pub(super) type Grouped = (
    BTreeMap<Language, Vec<ForeignFile>>,
    Option<Vec<u8>>,
    Vec<String>,
);

impl ForeignFiles {
    /// Creates an empty collection.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self {
            limits: limits.report.of_reader(),
            files: Vec::new(),
            unread: Vec::new(),
            paths: None,
            kept: 0,
            notices: Vec::new(),
        }
    }

    /// Reads one coverage file. One that cannot be read is left out, because clients find files by their names. The caller has to
    /// read the rest of `content`, which says whether reading failed. All files together may take twice the memory of one; above
    /// that, their lines are left out. Blocks.
    ///
    /// # Errors
    ///
    /// If there are more than [`MAX_FOREIGN_FILES`].
    pub fn read(&mut self, name: &str, content: impl Read) -> Result<(), IngestError> {
        if self.files.len() + self.unread.len() >= MAX_FOREIGN_FILES {
            let most = MAX_FOREIGN_FILES as u64;
            return Err(IngestError::Limit(Limit::CoverageFiles(most)));
        }
        let most = self.limits.memory_bytes;
        let limits = formats::Limits {
            memory_bytes: most.min((2 * most).saturating_sub(self.kept)),
            ..self.limits.clone()
        };
        let name = shown(name);
        match formats::read_with_lines(content, &limits) {
            Ok(report) => {
                self.kept += bytes_of(&report);
                let language = language_of(&report);
                self.files.push(ForeignFile {
                    name,
                    report,
                    language,
                });
            }
            Err(error) => self.unread.push((name, error)),
        }
        Ok(())
    }

    /// Splits the coverage files that were read so far by the languages of their files. Files without a known language stay with the
    /// language that has the most lines.
    pub fn split_by_language(&mut self) {
        let files = mem::take(&mut self.files).into_iter();
        self.files = files.flat_map(ForeignFile::by_language).collect();
    }

    /// Sets the paths of the repository, as `git ls-files -z` prints them.
    pub fn set_paths(&mut self, listed: Vec<u8>) {
        self.paths = Some(listed);
    }

    /// Whether no coverage file was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The languages of the coverage files, each once.
    pub fn languages(&self) -> impl Iterator<Item = &Language> {
        let mut all: Vec<_> = self.files.iter().map(|file| &file.language).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }

    /// Groups the files by language.
    ///
    /// # Errors
    ///
    /// If no file could be read.
    pub(super) fn by_language(self) -> Result<Grouped, IngestError> {
        if self.files.is_empty() {
            let mut unread = self.unread.into_iter();
            return Err(match unread.next() {
                Some((path, error)) => IngestError::UnreadableReport { path, error },
                None => IngestError::NoCoverageFile,
            });
        }
        let unread = self.unread.iter();
        let unread = unread.map(|(name, error)| format!("{name} was left out: {error}."));
        let notices = self.notices.into_iter().chain(unread).collect();
        let mut groups: BTreeMap<Language, Vec<ForeignFile>> = BTreeMap::new();
        for file in self.files {
            groups.entry(file.language.clone()).or_default().push(file);
        }
        if groups.len() > MAX_LANGUAGES {
            return Err(IngestError::Limit(Limit::Languages(MAX_LANGUAGES as u64)));
        }
        Ok((groups, self.paths, notices))
    }
}

impl ForeignFile {
    /// Returns the coverage of each language of its files.
    fn by_language(self) -> Vec<Self> {
        let Self {
            name,
            report,
            language,
        } = self;
        let endings = report.files.iter().filter_map(ending_of);
        let endings: HashSet<_> = endings.map(str::to_owned).collect();
        let has = |wanted: &[&str]| wanted.iter().any(|ending| endings.contains(*ending));
        let of_file = |file: &FileCoverage| {
            let own = ending_of(file).and_then(|ending| language_of_ending(ending, has));
            let own = own.and_then(|own| own.parse().ok());
            own.unwrap_or_else(|| language.clone())
        };
        let of = |(language, report)| Self {
            name: name.clone(),
            report,
            language,
        };
        if report.files.iter().all(|file| of_file(file) == language) {
            return vec![of((language, report))];
        }
        report.split(of_file).into_iter().map(of).collect()
    }
}

/// The last component of a client's name of a file, made printable.
fn shown(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let last: String = last.chars().filter(|char| !char.is_control()).collect();
    match last.trim() {
        "" => "the coverage file".to_owned(),
        last => last[..last.floor_char_boundary(NAME_BYTES)].to_owned(),
    }
}

/// The memory of a report, about, in bytes.
fn bytes_of(report: &Report) -> usize {
    let of_files = report.files.iter().map(|file| {
        384 + 2 * file.path.len()
            + file.lines.len() * size_of::<formats::LineHits>()
            + file.partial.len() * size_of::<formats::PartialLine>()
            + file.branches.len() * size_of::<formats::NamedBranch>()
            + file.tests.len() * size_of::<formats::TestedLine>()
    });
    of_files.sum()
}

/// The ending of the name of a file, without its dot.
fn ending_of(file: &FileCoverage) -> Option<&str> {
    let name = file.path.rsplit(['/', '\\']).next()?;
    Some(name.rsplit_once('.')?.1)
}

/// The language with the most lines.
fn language_of(report: &Report) -> Language {
    let mut endings: HashMap<&str, usize> = HashMap::new();
    for file in &report.files {
        if let Some(ending) = ending_of(file) {
            *endings.entry(ending).or_default() += file.lines.len().max(1);
        }
    }
    let mut sorted: Vec<_> = endings.iter().collect();
    sorted.sort_by_key(|(ending, lines)| (Reverse(**lines), **ending));
    let has = |wanted: &[&str]| wanted.iter().any(|ending| endings.contains_key(ending));
    let mut known = sorted.iter();
    let known = known.find_map(|(ending, _)| language_of_ending(ending, has)?.parse().ok());
    let own = || {
        let mut short = sorted.iter().map(|(ending, _)| ending.to_ascii_lowercase());
        short.find_map(|ending| (ending.len() <= ENDING_BYTES).then(|| ending.parse().ok())?)
    };
    let unknown = || UNKNOWN.parse().expect("the name of a language");
    known.or_else(own).unwrap_or_else(unknown)
}
