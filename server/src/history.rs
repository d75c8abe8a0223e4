//! The file format of the history that `coverage-dashboard export` writes and `import` reads: one record per line, as NDJSON or
//! CSV.
//!
//! Both forms have the same fields, named as in the API and the tables. Times are RFC 3339. Counts are whole numbers; an
//! unknown count is empty (CSV) or absent (NDJSON).

pub(crate) mod csv;
mod reading;
#[cfg(test)]
mod tests;
mod writing;

pub(crate) use reading::read;
pub(crate) use writing::HistoryWriter;

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum HistoryFormat {
    /// A JSON object on each line (<https://github.com/ndjson/ndjson-spec>).
    Ndjson,
    /// Comma-separated values (RFC 4180), with the names of the columns on the first line.
    Csv,
}

/// All fields of numbers, in the order of the columns.
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

/// The field of the state of every line, only in NDJSON: the stored bytes (`server/lines/src/encoding.rs`) as base64 (RFC 4648).
const LINES: &str = "lines";

/// The fields of where the HTML report is stored, only in NDJSON.
const REPORT_KEY: &str = "report_key";
const REPORT_START_PAGE: &str = "report_start_page";
