//! How a report's format is recognised, and who reads it.

mod bullseye;
mod clover;
mod cobertura;
mod coverage_py_json;
mod ctc;
mod dotcover;
mod go;
mod istanbul;
mod jacoco;
mod lcov;
mod llvm_json;
mod method;
mod mprof;
mod ncover;
mod opencover;
mod phpunit_xml;
mod recognise;
mod scoverage;
mod simplecov;
mod sonarqube_generic;
mod visual_studio;
mod well_known;

use std::io::Read;

use crate::error::{ErrorKind, Failure, Position, ReportError};
use crate::findings::Findings;
use crate::format::Format;
use crate::input::Input;
use crate::json::Json;
use crate::limits::Limits;
use crate::report::Report;
use crate::text::Text;
use crate::xml::Xml;
pub(crate) use recognise::{Inside, Root};

/// How a format is recognised and read. Each module in this folder has one.
pub(crate) enum Reader {
    Xml {
        /// The names that its root element may have.
        roots: &'static [&'static str],
        /// Whether a document is of this format, by its root and what is seen inside so far.
        claims: fn(&Root, Inside<'_>) -> bool,
        /// Reads from the root's tag to its end.
        read: fn(&mut Xml<'_>, &mut Findings) -> Result<(), ReportError>,
    },
    Json {
        /// Whether a document is of this format, by the keys that lead to a member: one to three, outermost first.
        claims: fn(&[&str]) -> bool,
        /// Reads the outermost value.
        read: fn(&mut Json<'_>, &mut Findings) -> Result<(), ReportError>,
    },
    Text {
        /// Whether a document is of this format, by its first line that is neither blank nor a comment.
        claims: fn(&[u8]) -> bool,
        /// Reads from the first line to the end of the input.
        read: fn(&mut Text<'_>, &mut Findings) -> Result<(), ReportError>,
    },
}

impl Format {
    /// What recognises and reads it.
    fn reader(self) -> &'static Reader {
        match self {
            Self::Cobertura => &cobertura::READER,
            Self::Jacoco => &jacoco::READER,
            Self::PhpunitXml => &phpunit_xml::READER,
            Self::Clover => &clover::READER,
            Self::SonarQube => &sonarqube_generic::READER,
            Self::Scoverage => &scoverage::READER,
            Self::Bullseye => &bullseye::READER,
            Self::Ctc => &ctc::READER,
            Self::OpenCover => &opencover::READER,
            Self::VisualStudio => &visual_studio::READER,
            Self::DotCover => &dotcover::READER,
            Self::NCover => &ncover::READER,
            Self::Mprof => &mprof::READER,
            Self::Istanbul => &istanbul::READER,
            Self::CoveragePyJson => &coverage_py_json::READER,
            Self::LlvmJson => &llvm_json::READER,
            Self::SimpleCov => &simplecov::READER,
            Self::Lcov => &lcov::READER,
            Self::Go => &go::READER,
        }
    }
}

/// Recognises the format of `input` and reads it to its end.
pub(crate) fn read(
    input: &mut dyn Read,
    limits: &Limits,
    with_lines: bool,
) -> Result<Report, ReportError> {
    let (input, start) = open(input, limits).map_err(|kind| fail_at_start(None, kind))?;
    let mut findings = Findings::new(limits, with_lines);
    let format = match start {
        b'<' => read_xml(input, limits, &mut findings),
        b'{' | b'[' => read_json(input, limits, &mut findings),
        _ => read_text(input, &mut findings),
    }?;
    findings.settle(format).ok_or_else(|| {
        let kind = ErrorKind::TooManyFiles(limits.memory_bytes);
        fail_at_start(Some(format), kind)
    })
}

/// An error about the input as a whole.
fn fail_at_start(format: Option<Format>, kind: ErrorKind) -> ReportError {
    Failure {
        format,
        position: Position::START,
        element: None,
        kind,
    }
    .into()
}

/// Opens the input and tells the first byte of it that is not white space.
fn open<'a>(input: &'a mut dyn Read, limits: &Limits) -> Result<(Input<'a>, u8), ErrorKind> {
    let mut input = Input::open(input, limits)?;
    loop {
        let blank = input
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        let blank = blank.count();
        input.consume(blank);
        if let Some(&start) = input.rest().first() {
            return Ok((input, start));
        }
        if !input.more()? {
            return Err(ErrorKind::Empty);
        }
    }
}

fn read_xml(
    input: Input<'_>,
    limits: &Limits,
    findings: &mut Findings,
) -> Result<Format, ReportError> {
    let mut xml = Xml::open(input, limits)?;
    let format = if recognise::holds_several(&mut xml)? {
        read_several(&mut xml, findings)
    } else {
        read_root(&mut xml, findings)
    }?;
    xml.finish()?;
    Ok(format)
}

fn read_root(xml: &mut Xml<'_>, findings: &mut Findings) -> Result<Format, ReportError> {
    let format = recognise::xml(xml)?;
    xml.set_format(format);
    if let Reader::Xml { read, .. } = format.reader() {
        read(xml, findings)?;
    }
    Ok(format)
}

/// Reads reports that somebody put into one file, each an element of its own. Their counts add up.
fn read_several(xml: &mut Xml<'_>, findings: &mut Findings) -> Result<Format, ReportError> {
    let mut first = None;
    while xml.child()? {
        xml.make_root();
        let format = read_root(xml, findings)?;
        let expected = *first.get_or_insert(format);
        if format != expected {
            return Err(xml.fail_at_root(ErrorKind::Malformed {
                expected: format!("another report of {}", expected.title()),
                found: format!("one of {}", format.title()),
            }));
        }
        // Rates do not add up, and numbers stand for other files in every report.
        findings.rate = None;
        findings.files.forget_ids();
    }
    first.ok_or_else(|| xml.fail_at_root(recognise::unaccepted(xml.root_name())))
}

fn read_json(
    input: Input<'_>,
    limits: &Limits,
    findings: &mut Findings,
) -> Result<Format, ReportError> {
    let mut json = Json::open(input, limits);
    let format = recognise::json(&mut json)?;
    json.set_format(format);
    if let Reader::Json { read, .. } = format.reader() {
        read(&mut json, findings)?;
    }
    json.finish()?;
    Ok(format)
}

fn read_text(input: Input<'_>, findings: &mut Findings) -> Result<Format, ReportError> {
    let mut text = Text::open(input)?;
    let format = recognise::text(&mut text)?;
    text.set_format(format);
    if let Reader::Text { read, .. } = format.reader() {
        read(&mut text, findings)?;
    }
    Ok(format)
}
