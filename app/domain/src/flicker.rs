//! Lines of a repository's main branch whose state changes although their file does not.

use crate::{Language, LineRange, Repository, Timestamp};

/// The lines of a repository that are known to flicker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlickerList {
    /// When the page was built; ages are relative to it.
    pub now: Timestamp,
    /// The repository.
    pub repository: Repository,
    /// What was found, by language.
    pub languages: Vec<FlickeringLanguage>,
    /// Whether there are more languages.
    pub has_more_languages: bool,
}

/// The lines of one language that are known to flicker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlickeringLanguage {
    /// The language.
    pub language: Language,
    /// The newest record that was searched; line numbers are those of it.
    pub record_id: i64,
    /// When it was uploaded.
    pub updated_at: Timestamp,
    /// How many records were searched.
    pub records: u64,
    /// The number of lines in all files.
    pub lines: u64,
    /// The number of files.
    pub all_files: u64,
    /// The first files, by path, each with its first lines.
    pub files: Vec<(String, Vec<LineRange>)>,
}
