//! Writes records as lines.

use super::{
    Chain, FIELDS, HistoryFormat, LINE_HISTORY, LINES, REPORT_KEY, REPORT_START_PAGE, SOURCES,
    Source, TESTS,
    csv::{self, Cell, write_row},
};
use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use domain::text::hexadecimal;
use serde::{
    Serialize, Serializer,
    ser::{Error as _, SerializeMap},
};
use serde_json::value::RawValue;
use std::io::{self, Write};
use store::HistoryRecord;

pub(crate) enum HistoryWriter<W: Write> {
    Ndjson(W),
    Csv(Box<::csv::Writer<W>>),
}

impl<W: Write> HistoryWriter<W> {
    pub(crate) fn start(format: HistoryFormat, out: W) -> io::Result<Self> {
        Ok(match format {
            HistoryFormat::Ndjson => Self::Ndjson(out),
            HistoryFormat::Csv => Self::Csv(Box::new(csv::start(out, &FIELDS).map_err(of_output)?)),
        })
    }

    pub(crate) fn write(&mut self, record: &HistoryRecord) -> io::Result<()> {
        match self {
            Self::Ndjson(out) => {
                serde_json::to_writer(&mut *out, &Object(record))?;
                out.write_all(b"\n")
            }
            Self::Csv(table) => write_row(table, &FIELDS, record).map_err(of_output),
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
fn of_output(error: ::csv::Error) -> io::Error {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// The known fields of a record, in the order of [`FIELDS`], its lines, and where its HTML report is stored.
struct Object<'a>(&'a HistoryRecord);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        let record = self.0;
        for (name, cell) in &FIELDS {
            match cell(record) {
                Cell::Text(text) => object.serialize_entry(name, &text)?,
                // A number keeps its text: a percentage has both decimals.
                Cell::Own(number) => {
                    let number = RawValue::from_string(number);
                    object.serialize_entry(name, &number.map_err(S::Error::custom)?)?;
                }
                Cell::Empty => {}
            }
        }
        if let Some(lines) = &record.line_states {
            object.serialize_entry(LINES, &STANDARD.encode(&lines.encoded))?;
            if let Some(tests) = &lines.tests {
                object.serialize_entry(TESTS, &STANDARD.encode(tests))?;
            }
        }
        if let Some(chain) = &record.chain {
            let chain = Chain {
                id: chain.id,
                deleted: chain.deleted.clone(),
                base: chain.base,
                history: chain
                    .history
                    .as_ref()
                    .map(|history| STANDARD.encode(history)),
            };
            object.serialize_entry(LINE_HISTORY, &chain)?;
        }
        if !record.sources.is_empty() {
            let sources = record.sources.iter().map(|source| Source {
                path: source.path.clone(),
                digest: hexadecimal(&source.digest),
                text: source.text.as_ref().map(|text| STANDARD.encode(text)),
            });
            object.serialize_entry(SOURCES, &sources.collect::<Vec<_>>())?;
        }
        if let Some(report) = &record.report {
            object.serialize_entry(REPORT_KEY, &report.key)?;
            if let Some(page) = &report.start_page {
                object.serialize_entry(REPORT_START_PAGE, page)?;
            }
        }
        object.end()
    }
}
