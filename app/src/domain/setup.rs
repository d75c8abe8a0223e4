//! What a visitor of the setup page chose.

use super::Repository;

/// The choices, as keys of the tables of recipes; a key that is in none chooses nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetupQuery {
    /// The repository whose first upload is waited for, and which recipes name.
    pub repository: Option<Repository>,
    /// The CI system.
    pub ci: Option<String>,
    /// The language.
    pub language: Option<String>,
    /// The tool of that language.
    pub tool: Option<String>,
}
