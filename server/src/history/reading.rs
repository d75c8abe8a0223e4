//! Reads records from lines. Every field is checked like an upload's, and errors name the line.

mod sources;

use super::{
    Chain, FIELDS, HistoryFormat, LINE_HISTORY, LINES, REPORT_KEY, REPORT_START_PAGE, SOURCES,
    TESTS,
};
use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use chrono::{DateTime, NaiveDate, NaiveTime};
use domain::{Count, GUARDED, OrgName, Percentage, RepoName, Repository, Timestamp};
use lines::{History, Limits, Lines, TestSets};
use objects::Reports;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::{
    collections::HashSet,
    fmt::Display,
    io::{BufRead, Read},
    iter,
    str::FromStr,
};
use store::{HistoryRecord, NewLines, RecordChain, StoredReport};
use thiserror::Error;

/// The most bytes of a line. Without the state of its lines, the longest one of an export has some 2,000.
fn max_line_bytes(format: HistoryFormat) -> u64 {
    const NUMBERS: u64 = 64 << 10;
    match format {
        HistoryFormat::Csv => NUMBERS,
        // Base64 makes four bytes of three. Compressed lines, their history and source text take far less.
        HistoryFormat::Ndjson => {
            NUMBERS + (Limits::default().unpacked_bytes + MAX_SOURCES_BYTES) as u64 / 3 * 4
        }
    }
}

/// The most bytes of the source text of a record with its paths.
const MAX_SOURCES_BYTES: usize = 96 << 20;

/// The most decimals of a percentage that are read. Two are stored.
const MAX_DECIMALS: usize = 12;

/// The author of a commit if the file names none.
const UNKNOWN_AUTHOR: &str = "unknown";

/// The report format if the file names none.
const DEFAULT_FORMAT: &str = "import";

/// How far a time may be in the future, in microseconds: five minutes, because clocks differ. Otherwise later uploads would be
/// older than imported records.
const MAX_CLOCK_SKEW: i64 = 300_000_000;

/// Why a line cannot be read.
#[derive(Debug, Error)]
#[error("line {line}: {reason}")]
pub(crate) struct LineError {
    line: u64,
    reason: String,
}

/// Reads the records of a file up to the first invalid line. Each record is one line, because names contain no line breaks.
pub(crate) fn read(
    format: HistoryFormat,
    mut file: impl BufRead,
    now: Timestamp,
) -> impl Iterator<Item = Result<HistoryRecord, LineError>> {
    let (mut number, mut columns) = (0, None);
    iter::from_fn(move || {
        loop {
            number += 1;
            let line = match next_line(&mut file, max_line_bytes(format)) {
                Ok(None) => return None,
                Ok(Some(line)) if line.trim_ascii().is_empty() => continue,
                line => line.transpose()?,
            };
            let record = line.and_then(|line| match format {
                HistoryFormat::Ndjson => of_json(&line, now).map(Some),
                HistoryFormat::Csv => of_csv(&line, &mut columns, now),
            });
            let record = record.map_err(|reason| LineError {
                line: number,
                reason,
            });
            if let Some(record) = record.transpose() {
                return Some(record);
            }
        }
    })
}

fn next_line(file: &mut impl BufRead, most: u64) -> Result<Option<Vec<u8>>, String> {
    let mut line = Vec::new();
    let read = file.by_ref().take(most + 1).read_until(b'\n', &mut line);
    match read {
        Ok(0) => Ok(None),
        Ok(bytes) if bytes as u64 > most => Err(format!("must have at most {most} bytes")),
        Ok(_) => Ok(Some(line)),
        Err(error) => Err(error.to_string()),
    }
}

fn of_json(line: &[u8], now: Timestamp) -> Result<HistoryRecord, String> {
    let object: Map<String, Value> =
        serde_json::from_slice(line).map_err(|error| format!("must be a JSON object: {error}"))?;
    let record = record_of(now, |name| match object.get(name)? {
        Value::String(text) => Some(text.clone()),
        Value::Null => None,
        // A number keeps its text. The text of any other value is refused later.
        other => Some(other.to_string()),
    })?;
    let line_states = match object.get(LINES) {
        None | Some(Value::Null) => None,
        Some(value) => Some(NewLines {
            tests: tests(object.get(TESTS))?,
            ..lines(value.as_str())?
        }),
    };
    let chain = match object.get(LINE_HISTORY) {
        // Histories belong to lines. Other files may have a field of this name.
        Some(value @ Value::Object(_)) => Some(chain(value, line_states.as_ref())?),
        _ => None,
    };
    let sources = match object.get(SOURCES) {
        // Source text belongs to lines. Other files may have a field of this name.
        Some(value @ Value::Array(_)) if line_states.is_some() => sources::of_json(value)?,
        _ => Vec::new(),
    };
    Ok(HistoryRecord {
        line_states,
        sources,
        chain,
        report: report(object.get(REPORT_KEY), object.get(REPORT_START_PAGE))?,
        ..record
    })
}

fn lines(text: Option<&str>) -> Result<NewLines, String> {
    let text = text.ok_or_else(|| format!("{LINES} must be a text of base64"))?;
    let encoded = STANDARD
        .decode(text)
        .map_err(|error| format!("{LINES} must be base64: {error}"))?;
    let read = Lines::decode(&encoded, &Limits::default());
    let counts = read.map_err(|error| format!("{LINES}: {error}"))?.counts();
    Ok(NewLines {
        covered: counts.covered(),
        coverable: counts.coverable(),
        encoded,
        branches: None,
        tests: None,
    })
}

fn tests(value: Option<&Value>) -> Result<Option<Vec<u8>>, String> {
    // Other files may have a field of this name.
    let Some(text) = value.and_then(Value::as_str) else {
        return Ok(None);
    };
    let encoded = STANDARD
        .decode(text)
        .map_err(|error| format!("{TESTS} must be base64: {error}"))?;
    let read = TestSets::decode(&encoded, &Limits::default());
    read.map_err(|error| format!("{TESTS}: {error}"))?;
    Ok(Some(encoded))
}

fn chain(value: &Value, line_states: Option<&NewLines>) -> Result<RecordChain, String> {
    let chain = Chain::deserialize(value).map_err(|error| format!("{LINE_HISTORY}: {error}"))?;
    let different: HashSet<_> = chain.deleted.iter().collect();
    if different.len() < chain.deleted.len() {
        return Err(format!(
            "{LINE_HISTORY}: deleted must name each record once"
        ));
    }
    let history = match (chain.history, line_states) {
        (Some(text), Some(line_states)) => {
            let encoded = STANDARD
                .decode(text)
                .map_err(|error| format!("{LINE_HISTORY}: history must be base64: {error}"))?;
            let limits = Limits::default();
            Lines::decode(&line_states.encoded, &limits)
                .and_then(|lines| History::decode(&encoded, &lines, &limits))
                .map_err(|error| format!("{LINE_HISTORY}: history: {error}"))?;
            Some(encoded)
        }
        _ => None,
    };
    Ok(RecordChain {
        id: chain.id,
        deleted: chain.deleted,
        base: chain.base,
        history,
    })
}

/// Where the HTML report is stored. Its size is 0 until it is found there.
fn report(key: Option<&Value>, start_page: Option<&Value>) -> Result<Option<StoredReport>, String> {
    let text = |name, value: Option<&Value>| match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("{name} must be a text")),
    };
    let Some(key) = text(REPORT_KEY, key)? else {
        return Ok(None);
    };
    if !Reports::is_key(&key) {
        return Err(format!("{REPORT_KEY} must be 32 hexadecimal digits"));
    }
    Ok(Some(StoredReport {
        key,
        start_page: text(REPORT_START_PAGE, start_page)?,
        bytes: 0,
    }))
}

/// The column of each field, if there is one.
type Columns = [(&'static str, Option<usize>); FIELDS.len()];

/// Returns `None` for the first line, which names the columns.
fn of_csv(
    line: &[u8],
    columns: &mut Option<Columns>,
    now: Timestamp,
) -> Result<Option<HistoryRecord>, String> {
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(line);
    let mut row = csv::StringRecord::new();
    rows.read_record(&mut row)
        .map_err(|error| error.to_string())?;
    let Some(columns) = columns else {
        let place = |name| {
            let mut names = row.iter().map(|name| name.trim_start_matches('\u{feff}'));
            names.position(|other| other == name)
        };
        let found = FIELDS.map(|(name, _)| (name, place(name)));
        if found.iter().all(|(_, place)| place.is_none()) {
            return Err("must name the columns, with commas between them".to_owned());
        }
        *columns = Some(found);
        return Ok(None);
    };
    let record = record_of(now, |name| {
        let (_, place) = columns.iter().find(|(column, _)| *column == name)?;
        let cell = row.get((*place)?)?;
        (!cell.is_empty()).then(|| unguarded(cell).to_owned())
    });
    record.map(Some)
}

/// Removes the apostrophe that prevents spreadsheets from interpreting a text as a formula.
fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if text.starts_with(GUARDED) => text,
        _ => cell,
    }
}

fn record_of(
    now: Timestamp,
    field: impl Fn(&'static str) -> Option<String>,
) -> Result<HistoryRecord, String> {
    let lines = count(&field, "lines_covered", "lines_total")?;
    let percentage = match field("percentage") {
        Some(text) => percentage(&text)?,
        None => lines
            .and_then(Percentage::of)
            .ok_or("percentage is missing, and so are lines_covered and lines_total")?,
    };
    let created_at = time(&field, "created_at", now)?.ok_or("created_at is missing")?;
    let updated_at = time(&field, "updated_at", now)?.unwrap_or(created_at);
    if updated_at < created_at {
        return Err("updated_at must not be before created_at".to_owned());
    }
    let superseded_at = time(&field, "superseded_at", now)?;
    let unconfirmed_at = time(&field, "unconfirmed_at", now)?;
    if unconfirmed_at.is_some() && superseded_at.is_none() {
        return Err("unconfirmed_at needs superseded_at: such a record is not current".to_owned());
    }
    // A record that was confirmed earlier may have been superseded before its last upload.
    if unconfirmed_at.is_none() && superseded_at.is_some_and(|at| at < updated_at) {
        return Err("superseded_at must not be before updated_at".to_owned());
    }
    Ok(HistoryRecord {
        repository: Repository {
            org: required::<OrgName>(&field, "org_name")?,
            repo: required::<RepoName>(&field, "repo_name")?,
        },
        branch: required(&field, "branch_name")?,
        commit: required(&field, "commit_hash")?,
        author: parsed(
            "commit_author",
            field("commit_author").as_deref().unwrap_or(UNKNOWN_AUTHOR),
        )?,
        language: required(&field, "language")?,
        percentage,
        lines,
        branches: count(&field, "branches_covered", "branches_total")?,
        functions: count(&field, "functions_covered", "functions_total")?,
        report_format: report_format(field("report_format"))?,
        created_at,
        updated_at,
        superseded_at,
        unconfirmed_at,
        line_states: None,
        sources: Vec::new(),
        chain: None,
        report: None,
    })
}

fn required<Name: FromStr<Err: Display>>(
    field: impl Fn(&'static str) -> Option<String>,
    name: &'static str,
) -> Result<Name, String> {
    let text = field(name).ok_or_else(|| format!("{name} is missing"))?;
    parsed(name, &text)
}

fn parsed<Name: FromStr<Err: Display>>(name: &str, text: &str) -> Result<Name, String> {
    text.parse().map_err(|rule| format!("{name} {rule}"))
}

/// Parses a percentage as a count in units of its last decimal: `66.667` is 66,667 of 100,000.
fn percentage(text: &str) -> Result<Percentage, String> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = !whole.is_empty() && is_digits(whole) && is_digits(decimals);
    let count = || {
        let decimals = &decimals[..decimals.len().min(MAX_DECIMALS)];
        Some(Count {
            covered: format!("{whole}{decimals}").parse().ok()?,
            total: 100 * 10_u64.pow(u32::try_from(decimals.len()).ok()?),
        })
    };
    let count = is_number.then(count).flatten();
    count
        .filter(|count| count.covered <= count.total)
        .and_then(Percentage::of)
        .ok_or_else(|| "percentage must be a number from 0 to 100".to_owned())
}

fn report_format(text: Option<String>) -> Result<String, String> {
    let text = text.unwrap_or_else(|| DEFAULT_FORMAT.to_owned());
    let is_name =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.+".contains(&byte);
    if (1..=32).contains(&text.len()) && text.bytes().all(is_name) {
        Ok(text)
    } else {
        Err("report_format must be 1 to 32 of a-z, 0-9, - _ . +".to_owned())
    }
}

fn count(
    field: impl Fn(&'static str) -> Option<String>,
    covered: &'static str,
    total: &'static str,
) -> Result<Option<Count>, String> {
    let number = |name| {
        let parse = |text: String| {
            let number = text.parse::<u64>().ok();
            let number = number.filter(|number| i64::try_from(*number).is_ok());
            number.ok_or_else(|| format!("{name} must be a whole number"))
        };
        field(name).map(parse).transpose()
    };
    match (number(covered)?, number(total)?) {
        (None, None) => Ok(None),
        (Some(covered), Some(total)) if covered <= total => Ok(Some(Count { covered, total })),
        (Some(_), Some(_)) => Err(format!("{covered} must not be more than {total}")),
        _ => Err(format!("{covered} and {total} belong together")),
    }
}

/// Parses a time of RFC 3339, or a day, which means its start in UTC.
fn time(
    field: impl Fn(&'static str) -> Option<String>,
    name: &'static str,
    now: Timestamp,
) -> Result<Option<Timestamp>, String> {
    let Some(text) = field(name) else {
        return Ok(None);
    };
    let of_day = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc().timestamp_micros();
    let at = DateTime::parse_from_rfc3339(&text)
        .map(|time| time.timestamp_micros())
        .or_else(|_| text.parse().map(of_day));
    match at {
        Ok(at) if at > now.0 + MAX_CLOCK_SKEW => Err(format!("{name} is in the future")),
        Ok(at) if at < 0 => Err(format!("{name} is before 1970")),
        Ok(at) => Ok(Some(Timestamp(at))),
        Err(_) => Err(format!(
            "{name} must be a time such as 2026-04-05T17:15:59Z, or a day such as 2026-04-05"
        )),
    }
}
