//! Lines of a repository's main branch whose state changes although their file does not.

use crate::{ChainRecord, Language, LineRange, Repository, Timestamp};

/// The lines of a repository that are known to flicker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlickerList {
    /// When the page was built; ages are relative to it.
    pub now: Timestamp,
    /// The repository.
    pub repository: Repository,
    /// The lines that were found, by language.
    pub languages: Vec<FlickeringLanguage>,
    /// Whether there are more languages.
    pub has_more_languages: bool,
}

/// The lines of one language that are known to flicker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlickeringLanguage {
    /// The language.
    pub language: Language,
    /// The newest record that was searched; line numbers refer to it.
    pub record_id: i64,
    /// When it was uploaded.
    pub updated_at: Timestamp,
    /// How many records were searched.
    pub records: u64,
    /// The number of lines in all files.
    pub lines: u64,
    /// The number of files.
    pub all_files: u64,
    /// The records that `files` names, as far as they still exist.
    pub named: Vec<ChainRecord>,
    /// The first files, by path.
    pub files: Vec<FlickeringFile>,
}

/// A file with lines that are known to flicker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlickeringFile {
    /// Its path.
    pub path: String,
    /// The first of its lines that flicker.
    pub lines: Vec<LineRange>,
    /// The records that show it, the newest first: one of the lines has another state than in the previous record, or had both
    /// states in two uploads of one part.
    pub records: Vec<i64>,
}
