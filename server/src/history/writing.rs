//! Writes records as lines.

use super::{FIELDS, HistoryFormat};
use crate::{history::csv::quoted, store::HistoryRecord, text::rfc3339};
use domain::{Count, Timestamp};

/// The value of a field.
enum Field {
    Text(String),
    /// The text of a number.
    Number(String),
    Nothing,
}

/// Returns the start of a file.
pub fn header(format: HistoryFormat) -> String {
    match format {
        HistoryFormat::Ndjson => String::new(),
        HistoryFormat::Csv => format!("{}\r\n", FIELDS.join(",")),
    }
}

/// Returns the line of a record, with its line break.
pub fn line(format: HistoryFormat, record: &HistoryRecord) -> String {
    let fields = fields(record);
    match format {
        HistoryFormat::Csv => {
            let cells: Vec<_> = fields.map(cell).into();
            format!("{}\r\n", cells.join(","))
        }
        HistoryFormat::Ndjson => {
            let members = FIELDS.into_iter().zip(fields);
            let members = members.filter_map(|(name, field)| member(name, field));
            let members: Vec<_> = members.collect();
            format!("{{{}}}\n", members.join(","))
        }
    }
}

fn fields(record: &HistoryRecord) -> [Field; FIELDS.len()] {
    let text = |text: &str| Field::Text(text.to_owned());
    let covered = |count: Option<Count>| number(count.map(|count| count.covered));
    let total = |count: Option<Count>| number(count.map(|count| count.total));
    [
        text(record.repository.org.as_str()),
        text(record.repository.repo.as_str()),
        text(record.branch.as_str()),
        text(record.commit.as_str()),
        text(record.author.as_str()),
        text(record.language.as_str()),
        Field::Number(record.percentage.to_string()),
        covered(record.lines),
        total(record.lines),
        covered(record.branches),
        total(record.branches),
        covered(record.functions),
        total(record.functions),
        text(&record.report_format),
        Field::Text(rfc3339(record.created_at)),
        Field::Text(rfc3339(record.updated_at)),
        time(record.superseded_at),
        time(record.unconfirmed_at),
    ]
}

fn time(at: Option<Timestamp>) -> Field {
    at.map_or(Field::Nothing, |at| Field::Text(rfc3339(at)))
}

fn number(value: Option<u64>) -> Field {
    value.map_or(Field::Nothing, |value| Field::Number(value.to_string()))
}

fn member(name: &str, field: Field) -> Option<String> {
    let value = match field {
        Field::Text(text) => serde_json::Value::from(text).to_string(),
        Field::Number(number) => number,
        Field::Nothing => return None,
    };
    Some(format!("\"{name}\":{value}"))
}

/// Spreadsheets interpret texts that begin like this as formulas. An apostrophe in front prevents that, and the import removes
/// it. Therefore a text that begins with an apostrophe gets another one.
pub(super) const GUARDED: [char; 8] = ['=', '+', '-', '@', '\t', '\r', '\n', '\''];

fn cell(field: Field) -> String {
    match field {
        Field::Text(text) if text.starts_with(GUARDED) => quoted(&format!("'{text}")),
        Field::Text(text) => quoted(&text),
        Field::Number(number) => number,
        Field::Nothing => String::new(),
    }
}
