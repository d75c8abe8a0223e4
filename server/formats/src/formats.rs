//! Recognises the format of a coverage file and reads the file.

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
mod lcov;
mod llvm_json;
mod method;
mod mprof;
mod ncover;
mod opencover;
mod phpunit_xml;
mod reader;
mod recognise;
mod scoverage;
mod simplecov;
mod sonarqube_generic;
mod visual_studio;
mod well_known;

use std::io::Read;

use crate::error::{ErrorKind, ReportError};
use crate::findings::Findings;
use crate::format::Format;
use crate::input::Input;
use crate::json::Json;
use crate::limits::Limits;
use crate::report::Report;
use crate::text::Text;
use crate::xml::Xml;
pub use phpunit_xml::beside::{PhpunitTests, TestedFile, TestedFiles};

/// Recognises the format of `input` and reads it to its end.
pub(crate) fn read(
    input: &mut dyn Read,
    limits: &Limits,
    with_lines: bool,
) -> Result<Report, ReportError> {
    let (input, start) = open(input, limits).map_err(|kind| ReportError::at_start(None, kind))?;
    let mut findings = Findings::new(limits, with_lines);
    let format = match start {
        b'<' => read_xml(input, limits, &mut findings),
        b'{' | b'[' => read_json(input, limits, &mut findings),
        _ => read_text(input, &mut findings),
    }?;
    let kind = ErrorKind::TooManyFiles(limits.memory_bytes);
    let report = findings.settle(format);
    report.ok_or_else(|| ReportError::at_start(Some(format), kind))
}

/// Opens the input and returns its first byte that is not white space.
fn open<'a>(input: &'a mut dyn Read, limits: &Limits) -> Result<(Input<'a>, u8), ErrorKind> {
    let mut input = Input::open(input, limits)?;
    loop {
        input.consume(input.rest().len() - input.rest().trim_ascii_start().len());
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
    let (format, read) = recognise::xml(xml)?;
    xml.input.format = Some(format);
    read(xml, findings)?;
    Ok(format)
}

/// Reads a file that combines several coverage files, each in its own element. Their counts are added.
fn read_several(xml: &mut Xml<'_>, findings: &mut Findings) -> Result<Format, ReportError> {
    let mut first = None;
    while xml.child()? {
        xml.make_root();
        let format = read_root(xml, findings)?;
        let expected = *first.get_or_insert(format);
        if format != expected {
            let expected = format!("another report of {}", expected.title());
            let found = format!("one of {}", format.title());
            return Err(xml.fail_at_root(ErrorKind::malformed(expected, found)));
        }
        // Rates cannot be added, and file ids mean different files in each element.
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
    let (format, read) = recognise::json(&mut json)?;
    json.input.format = Some(format);
    read(&mut json, findings)?;
    json.finish()?;
    Ok(format)
}

fn read_text(input: Input<'_>, findings: &mut Findings) -> Result<Format, ReportError> {
    let mut text = Text::open(input)?;
    let (format, read) = recognise::text(&mut text)?;
    text.input.format = Some(format);
    read(&mut text, findings)?;
    Ok(format)
}
