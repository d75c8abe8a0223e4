//! Writes records as lines.

use super::{
    FIELDS, HistoryFormat, LINES, REPORT_KEY, REPORT_START_PAGE,
    csv::{Cell, write_row, writer},
};
use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use domain::{Count, Timestamp, text::rfc3339};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;
use std::{
    borrow::Cow,
    io::{self, Write},
};
use store::{HistoryRecord, StoredReport};

pub struct HistoryWriter<W: Write>(Form<W>);

enum Form<W: Write> {
    Ndjson(W),
    Csv(Box<csv::Writer<W>>),
}

impl<W: Write> HistoryWriter<W> {
    pub fn start(format: HistoryFormat, out: W) -> io::Result<Self> {
        Ok(Self(match format {
            HistoryFormat::Ndjson => Form::Ndjson(out),
            HistoryFormat::Csv => {
                let mut table = Box::new(writer(out));
                table.write_record(FIELDS).map_err(of_output)?;
                Form::Csv(table)
            }
        }))
    }

    pub fn write(&mut self, record: &HistoryRecord) -> io::Result<()> {
        let fields = fields(record);
        match &mut self.0 {
            Form::Ndjson(out) => {
                let lines = record.line_states.as_ref();
                let lines = lines.map(|lines| STANDARD.encode(&lines.encoded));
                let report = record.report.as_ref();
                serde_json::to_writer(
                    &mut *out,
                    &Object {
                        fields,
                        lines,
                        report,
                    },
                )?;
                out.write_all(b"\n")
            }
            Form::Csv(table) => write_row(table, fields.map(cell)).map_err(of_output),
        }
    }

    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Form::Ndjson(mut out) => out.flush(),
            Form::Csv(mut table) => table.flush(),
        }
    }
}

/// Returns the error of the output itself: `io::Error::from` would hide its kind, for example a closed pipe.
fn of_output(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// The value of a field; `None` if it is unknown.
type Field<'a> = Option<Value<'a>>;

#[derive(Serialize)]
#[serde(untagged)]
enum Value<'a> {
    Text(Cow<'a, str>),
    Count(u64),
    /// A number with both decimals.
    Percentage(Box<RawValue>),
}

fn fields(record: &HistoryRecord) -> [Field<'_>; FIELDS.len()] {
    let text = |text| Some(Value::Text(Cow::Borrowed(text)));
    let time = |at: Timestamp| Value::Text(rfc3339(at).into());
    let covered = |count: Option<Count>| count.map(|count| Value::Count(count.covered));
    let total = |count: Option<Count>| count.map(|count| Value::Count(count.total));
    [
        text(record.repository.org.as_str()),
        text(record.repository.repo.as_str()),
        text(record.branch.as_str()),
        text(record.commit.as_str()),
        text(record.author.as_str()),
        text(record.language.as_str()),
        RawValue::from_string(record.percentage.to_string())
            .ok()
            .map(Value::Percentage),
        covered(record.lines),
        total(record.lines),
        covered(record.branches),
        total(record.branches),
        covered(record.functions),
        total(record.functions),
        text(&record.report_format),
        Some(time(record.created_at)),
        Some(time(record.updated_at)),
        record.superseded_at.map(time),
        record.unconfirmed_at.map(time),
    ]
}

fn cell(field: Field<'_>) -> Cell<'_> {
    match field {
        Some(Value::Text(text)) => Cell::Text(text),
        Some(Value::Count(count)) => Cell::own(Some(count)),
        Some(Value::Percentage(number)) => Cell::own(Some(number)),
        None => Cell::Empty,
    }
}

/// The known fields of a record, in the order of [`FIELDS`], its lines, and where its HTML report is stored.
struct Object<'a> {
    fields: [Field<'a>; FIELDS.len()],
    lines: Option<String>,
    report: Option<&'a StoredReport>,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for (name, field) in FIELDS.iter().zip(&self.fields) {
            if let Some(value) = field {
                object.serialize_entry(name, value)?;
            }
        }
        if let Some(lines) = &self.lines {
            object.serialize_entry(LINES, lines)?;
        }
        if let Some(report) = self.report {
            object.serialize_entry(REPORT_KEY, &report.key)?;
            if let Some(page) = &report.start_page {
                object.serialize_entry(REPORT_START_PAGE, page)?;
            }
        }
        object.end()
    }
}
