//! Writers of reports in every format, and programs to report on. The tests, the benchmark and the fuzz targets read
//! these reports. A new format is a file here and a row in [`WRITERS`].

#![allow(dead_code, reason = "each user of this module uses only a part of it")]
#![allow(missing_docs, reason = "not the interface of a crate")]

pub mod model;
pub mod odd;
pub mod random;
pub mod stream;

mod bullseye;
mod clover;
mod cobertura;
mod codecov;
mod coverage_py_json;
mod coveralls;
mod ctc;
mod dotcover;
mod go;
mod istanbul;
mod jacoco;
mod json;
mod lcov;
mod llvm_json;
mod mprof;
mod ncover;
mod opencover;
mod out;
mod phpunit_xml;
mod scoverage;
mod simplecov;
mod sonarqube_generic;
mod visual_studio;
mod xml;

use formats::Counter;

pub use model::{Model, Of, SourceFile};
pub use odd::{Odd, Oddity};
pub use out::Out;

/// Writes reports of a format, and describes what they contain.
pub struct Writer {
    /// The name as in [`formats::Format::name`], with the dialect in brackets if there are several.
    pub name: &'static str,
    /// Writes the text before the files.
    pub head: fn(&mut Out, &Model),
    /// Writes a file.
    pub file: fn(&mut Out, &SourceFile),
    /// Writes the text after the files.
    pub tail: fn(&mut Out, &Model),
    /// The counter of the total: the first of these whose total is not 0.
    pub total: &'static [Counter],
    /// All counts of the report, and the things that they count in the program.
    pub counts: &'static [(Counter, Of)],
    pub hits: Hits,
    pub quirks: &'static [Quirk],
}

/// A difference of a format from most others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quirk {
    /// A file that appears twice counts twice.
    RepeatsAddUp,
    /// A report always has files.
    NeverEmpty,
    /// A file's path is stated only at its lines.
    NamedByLines,
    /// The paths of all files are in a table, separate from the data of the files.
    Table,
    /// This counter exists only for the whole report, and only if the report states its totals.
    WholeOnly(Counter),
    /// The branches of each line are stated.
    BranchesOfLines,
    /// A report that is cut off after this text is a valid report.
    WholeAfter(&'static str),
}

/// The hits of a line that a report states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hits {
    /// The number of hits.
    Number,
    /// Whether it ran.
    Once,
    /// Nothing: the report has no lines.
    None,
}

/// A row for each format or dialect.
pub const WRITERS: &[Writer] = &[
    cobertura::WRITER,
    jacoco::WRITER,
    clover::WRITER,
    sonarqube_generic::WRITER,
    scoverage::WRITER,
    bullseye::WRITER,
    ctc::WRITER,
    phpunit_xml::WRITER,
    opencover::WRITER,
    visual_studio::RESULTS,
    visual_studio::DATA_SET,
    dotcover::WRITER,
    ncover::WRITER,
    mprof::WRITER,
    istanbul::WRITER,
    coverage_py_json::WRITER,
    llvm_json::WRITER,
    simplecov::WRITER,
    codecov::WRITER,
    coveralls::WRITER,
    lcov::WRITER,
    go::WRITER,
];

impl Writer {
    /// The format's name.
    pub fn format(&self) -> &'static str {
        let (format, _) = self.name.split_once(" (").unwrap_or((self.name, ""));
        format
    }

    pub fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    pub fn is_json(&self) -> bool {
        self.text(&Model::default(), Odd::none()).starts_with('{')
    }

    /// Whether this part of a report, cut off at its end, is a valid report.
    pub fn is_whole(&self, text: &str) -> bool {
        self.quirks.iter().any(|quirk| match quirk {
            Quirk::WholeAfter(end) => text.ends_with(end),
            _ => false,
        })
    }

    /// A report of a program.
    pub fn write(&self, model: &Model, odd: Odd) -> Vec<u8> {
        encoded(&self.text(model, odd.clone()), &odd)
    }

    /// A realistic program whose report has about `bytes` bytes. Its files have about `lines` lines each.
    pub fn model_of_size(&self, bytes: usize, lines: u32) -> Model {
        let len = |files| {
            self.text(&Model::realistic(files, lines), Odd::none())
                .len()
        };
        let (none, some) = (len(0), len(8));
        let files = bytes.saturating_sub(none) * 8 / (some - none);
        Model::realistic(files + 1, lines)
    }

    /// A report of a program, before encoding.
    pub fn text(&self, model: &Model, odd: Odd) -> String {
        let mut out = Out::new(odd);
        (self.head)(&mut out, model);
        for file in &model.files {
            (self.file)(&mut out, file);
        }
        for file in &model.files {
            if !self.has(Quirk::RepeatsAddUp) && out.odd.here(Oddity::Repeats, 3) {
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
            .flat_map(|unit| {
                if is_little {
                    unit.to_le_bytes()
                } else {
                    unit.to_be_bytes()
                }
            })
            .collect();
    }
    [mark.as_bytes(), text.as_bytes()].concat()
}
