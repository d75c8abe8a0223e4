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

use csv::{Cell, Column, covered, text, total};
use domain::{Timestamp, text::rfc3339};
pub(crate) use reading::read;
use serde::{Deserialize, Serialize};
use store::HistoryRecord;
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
const FIELDS: [Column<HistoryRecord>; 18] = [
    ("org_name", |of| text(of.repository.org.as_str())),
    ("repo_name", |of| text(of.repository.repo.as_str())),
    ("branch_name", |of| text(of.branch.as_str())),
    ("commit_hash", |of| text(of.commit.as_str())),
    ("commit_author", |of| text(of.author.as_str())),
    ("language", |of| text(of.language.as_str())),
    ("percentage", |of| Cell::own(Some(of.percentage))),
    ("lines_covered", |of| covered(of.lines)),
    ("lines_total", |of| total(of.lines)),
    ("branches_covered", |of| covered(of.branches)),
    ("branches_total", |of| total(of.branches)),
    ("functions_covered", |of| covered(of.functions)),
    ("functions_total", |of| total(of.functions)),
    ("report_format", |of| text(&of.report_format)),
    ("created_at", |of| time(Some(of.created_at))),
    ("updated_at", |of| time(Some(of.updated_at))),
    ("superseded_at", |of| time(of.superseded_at)),
    ("unconfirmed_at", |of| time(of.unconfirmed_at)),
];

fn time<'a>(at: Option<Timestamp>) -> Cell<'a> {
    at.map_or(Cell::Empty, |at| Cell::Text(rfc3339(at).into()))
}

/// The field of the state of every line, only in NDJSON: the stored bytes (`server/lines/src/encoding.rs`) as base64 (RFC 4648).
const LINES: &str = "lines";

/// The field of the tests that ran the lines, only in NDJSON: the stored bytes (`server/lines/src/test_sets/encoding.rs`) as base64.
const TESTS: &str = "line_tests";

/// The field of the history of the lines, only in NDJSON: an object with the ids of the record, of the deleted records before it and of
/// the record before it, and with the stored bytes (`server/lines/src/history/encoding.rs`), which contain ids too, as base64.
const LINE_HISTORY: &str = "line_history";

#[derive(Serialize, Deserialize)]
struct Chain {
    id: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    deleted: Vec<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    history: Option<String>,
}

/// The field of the text of source files, only in NDJSON: a list of paths, each with the SHA-256 of its text in hexadecimal, and with the
/// text as base64 (compressed with zstd) where the file names it first.
const SOURCES: &str = "sources";

#[derive(Serialize, Deserialize)]
struct Source {
    path: String,
    digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// The fields of where the HTML report is stored, only in NDJSON.
const REPORT_KEY: &str = "report_key";
const REPORT_START_PAGE: &str = "report_start_page";
