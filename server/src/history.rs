//! The history as a file: a record on each line, as `coverage-dashboard export` writes and `import` reads it, NDJSON or CSV.
//!
//! Both have the same fields, whose names are those of the API and of the tables. Times are RFC 3339; counts are whole
//! numbers, and empty (CSV) or absent (NDJSON) where they are not known.

pub(crate) mod csv;
mod reading;
#[cfg(test)]
mod tests;
mod writing;

pub use reading::{LineError, read};
pub use writing::{header, line};

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum HistoryFormat {
    /// A JSON object on each line (<https://github.com/ndjson/ndjson-spec>).
    Ndjson,
    /// Comma-separated values (RFC 4180), with the names of the columns on the first line.
    Csv,
}

/// All fields, in the order of the columns.
const FIELDS: [&str; 18] = [
    "org_name",
    "repo_name",
    "branch_name",
    "commit_hash",
    "commit_author",
    "language",
    "percentage",
    "lines_covered",
    "lines_total",
    "branches_covered",
    "branches_total",
    "functions_covered",
    "functions_total",
    "report_format",
    "created_at",
    "updated_at",
    "superseded_at",
    "unconfirmed_at",
];
