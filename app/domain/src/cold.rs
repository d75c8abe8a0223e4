//! Lines that nothing runs, and the choices of their page.

use crate::{
    Language, LineRange, NotRunSince, Repository, Timestamp, ViewName, choice::choices,
    query::query,
};

/// A file with lines that nothing runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColdFile {
    /// The path.
    pub path: String,
    /// All coverable lines.
    pub coverable: u64,
    /// The number of cold lines.
    pub cold: u64,
    /// The cold lines.
    pub ranges: Vec<LineRange>,
    /// Since when none of the cold lines has run: the newest record that ran one of them; if no record did, the oldest record that
    /// has one. `None` if unknown.
    pub since: Option<NotRunSince>,
}

/// The lines of a main branch that are not new, and that nothing has run for some days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cold {
    /// The newest record of the main branch, which has the lines.
    pub record_id: i64,
    /// When the history begins.
    pub begins_at: Timestamp,
    /// How many days the history goes back.
    pub known_days: u64,
    /// The files, the one with the most cold lines first.
    pub files: Vec<ColdFile>,
}

query! {
    /// The choices for the page of cold lines.
    #[derive(Default)]
    pub struct ColdQuery {
        /// The language; the first one if `None`.
        pub language: Option<Language> = "language",
        /// For how many days nothing ran the lines; 90 if `None`.
        pub days: Option<ColdDays> = "days",
        /// Only files of this view.
        pub view: Option<ViewName> = "view",
    }
}

choices! {
    /// For how long nothing ran the lines.
    #[derive(Default)]
    ColdDays:
    /// 30 days.
    Month = "30" => "30 days",
    /// 90 days.
    #[default]
    Quarter = "90" => "90 days",
    /// 180 days.
    HalfYear = "180" => "180 days",
    /// 365 days.
    Year = "365" => "a year",
}

impl ColdDays {
    /// The number of days.
    pub fn days(self) -> u16 {
        match self {
            Self::Month => 30,
            Self::Quarter => 90,
            Self::HalfYear => 180,
            Self::Year => 365,
        }
    }
}

/// The cold lines of a repository, for its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColdList {
    /// The repository.
    pub repository: Repository,
    /// The languages of the main branch.
    pub languages: Vec<Language>,
    /// The shown language.
    pub language: Option<Language>,
    /// The cold lines; `None` if the lines have no history.
    pub cold: Option<Cold>,
    /// The first owners of each shown file, and how many more it has; empty if the main branch defines none.
    pub owners: Vec<(Vec<String>, usize)>,
}

impl ColdList {
    /// The most files that the page shows.
    pub const MAX_FILES: usize = 200;

    /// The most owners of a file that the page names. A file may have thousands.
    pub const MAX_OWNERS: usize = 10;
}
