//! Writes records as lines.

use super::{
    FIELDS, HistoryFormat, LINES, REPORT_KEY, REPORT_START_PAGE,
    csv::{Cell, write_row, writer},
};
use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use domain::{Count, Timestamp, text::rfc3339};
use serde::{
    Serialize, Serializer,
    ser::{Error as _, SerializeMap},
};
use serde_json::value::RawValue;
use std::{
    borrow::Cow,
    io::{self, Write},
};
use store::{HistoryRecord, StoredReport};

pub(crate) enum HistoryWriter<W: Write> {
    Ndjson(W),
    Csv(Box<csv::Writer<W>>),
}

impl<W: Write> HistoryWriter<W> {
    pub(crate) fn start(format: HistoryFormat, out: W) -> io::Result<Self> {
        Ok(match format {
            HistoryFormat::Ndjson => Self::Ndjson(out),
            HistoryFormat::Csv => {
                let mut table = Box::new(writer(out));
                table.write_record(FIELDS).map_err(of_output)?;
                Self::Csv(table)
            }
        })
    }

    pub(crate) fn write(&mut self, record: &HistoryRecord) -> io::Result<()> {
        let fields = fields(record);
        match self {
            Self::Ndjson(out) => {
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
            Self::Csv(table) => write_row(table, fields).map_err(of_output),
        }
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::Ndjson(mut out) => out.flush(),
            Self::Csv(mut table) => table.flush(),
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

fn fields(record: &HistoryRecord) -> [Cell<'_>; FIELDS.len()] {
    let text = |text| Cell::Text(Cow::Borrowed(text));
    let time = |at: Option<Timestamp>| match at {
        Some(at) => Cell::Text(rfc3339(at).into()),
        None => Cell::Empty,
    };
    let covered = |count: Option<Count>| Cell::own(count.map(|count| count.covered));
    let total = |count: Option<Count>| Cell::own(count.map(|count| count.total));
    [
        text(record.repository.org.as_str()),
        text(record.repository.repo.as_str()),
        text(record.branch.as_str()),
        text(record.commit.as_str()),
        text(record.author.as_str()),
        text(record.language.as_str()),
        Cell::own(Some(record.percentage)),
        covered(record.lines),
        total(record.lines),
        covered(record.branches),
        total(record.branches),
        covered(record.functions),
        total(record.functions),
        text(&record.report_format),
        time(Some(record.created_at)),
        time(Some(record.updated_at)),
        time(record.superseded_at),
        time(record.unconfirmed_at),
    ]
}

/// The known fields of a record, in the order of [`FIELDS`], its lines, and where its HTML report is stored.
struct Object<'a> {
    fields: [Cell<'a>; FIELDS.len()],
    lines: Option<String>,
    report: Option<&'a StoredReport>,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for (name, field) in FIELDS.iter().zip(&self.fields) {
            match field {
                Cell::Text(text) => object.serialize_entry(name, text)?,
                // A number keeps its text: a percentage has both decimals.
                Cell::Own(number) => {
                    let number = RawValue::from_string(number.clone());
                    object.serialize_entry(name, &number.map_err(S::Error::custom)?)?;
                }
                Cell::Empty => {}
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
