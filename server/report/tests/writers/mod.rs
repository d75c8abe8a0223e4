//! Writers of reports in every format, and programs to report on: what the tests, the benchmark and the fuzz targets
//! read. A new format is a file here and a row in [`WRITERS`].

#![allow(
    dead_code,
    reason = "each of those that include this uses a part of it"
)]
#![allow(missing_docs, reason = "no crate's interface")]

pub mod model;
pub mod odd;
pub mod random;
pub mod stream;

mod clover;
mod cobertura;
mod jacoco;
mod out;
mod xml;

use report::{Counter, Format};

pub use model::{Model, Of, SourceFile};
pub use odd::{Odd, Oddity};
pub use out::Out;

/// How reports of a format are written, and what of a program is in them.
pub struct Writer {
    /// As [`Format::name`] has it.
    pub format: &'static str,
    /// Writes what comes before the files.
    pub head: fn(&mut Out, &Model),
    /// Writes a file.
    pub file: fn(&mut Out, &SourceFile),
    /// Writes what comes after the files.
    pub tail: fn(&mut Out, &Model),
    /// What the total is counted in.
    pub total: Counter,
    /// Everything that the report counts, and what that is in the program.
    pub counts: &'static [(Counter, Of)],
    pub hits: Hits,
}

/// What a report tells of how often a line was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hits {
    /// How often.
    Number,
    /// Whether it was.
    Once,
    /// It has no lines.
    None,
}

/// A row for each format.
pub const WRITERS: &[Writer] = &[cobertura::WRITER, jacoco::WRITER, clover::WRITER];

/// The writers of the formats that can be read.
pub fn writers() -> impl Iterator<Item = &'static Writer> {
    WRITERS.iter().filter(|writer| writer.can_be_read())
}

impl Writer {
    fn can_be_read(&self) -> bool {
        let mut formats = Format::ALL.iter();
        formats.any(|format| format.name() == self.format)
    }

    /// A report of a program.
    pub fn write(&self, model: &Model, odd: Odd) -> Vec<u8> {
        encoded(&self.text(model, odd.clone()), &odd)
    }

    /// A program like real ones whose report is about `bytes` long; its files have about `lines` lines each.
    pub fn model_of_size(&self, bytes: usize, lines: u32) -> Model {
        const SAMPLE: usize = 8;
        let sample = self.text(&Model::realistic(SAMPLE, lines), Odd::none());
        Model::realistic(bytes * SAMPLE / sample.len() + 1, lines)
    }

    /// A report of a program, before it is encoded.
    pub fn text(&self, model: &Model, odd: Odd) -> String {
        let mut out = Out::new(odd);
        (self.head)(&mut out, model);
        for file in &model.files {
            (self.file)(&mut out, file);
        }
        for file in &model.files {
            if out.odd.here(Oddity::Repeats, 3) {
                (self.file)(&mut out, &file.repeated());
            }
        }
        (self.tail)(&mut out, model);
        out.text
    }
}

/// Text as bytes, in UTF-8 or another encoding.
fn encoded(text: &str, odd: &Odd) -> Vec<u8> {
    let mark = if odd.has(Oddity::ByteOrderMark) || odd.has(Oddity::Utf16) {
        "\u{FEFF}"
    } else {
        ""
    };
    if odd.has(Oddity::Utf16) {
        let units = mark.encode_utf16().chain(text.encode_utf16());
        let is_little = odd.has(Oddity::Quotes);
        return units
            .flat_map(|unit| match is_little {
                true => unit.to_le_bytes(),
                false => unit.to_be_bytes(),
            })
            .collect();
    }
    [mark.as_bytes(), text.as_bytes()].concat()
}
