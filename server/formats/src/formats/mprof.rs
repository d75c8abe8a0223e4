//! mprof, the coverage of Mono's profilers: `coverage > method > statement`, after assemblies and classes.
//!
//! No total is stated: the listed statements are added up. Most lines have several. Code without debug information has no
//! file, and its statements all have line 1: the statements count, their lines do not. `counter` is the number of hits; in
//! some versions of Mono it is an address, which is also more than 0.
//!
//! Source: Mono's `mono/profiler/coverage.c` (`mono --debug --profile=coverage`, formerly `--profile=log:coverage`).

use super::method::Method;
use super::reader::{Inside, Reader, Root};
use crate::counter::Counter;
use crate::error::ReportError;
use crate::findings::Findings;
use crate::number::{hits, integer};
use crate::xml::{Xml, plain};

pub(super) const READER: Reader = Reader::Xml {
    roots: &["coverage"],
    claims: |_: &Root, inside: Inside<'_>| inside.is("assembly"),
    read,
};

fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    found.total = &[Counter::Statement];
    xml.root_attributes(|name, value| {
        if name == b"version" {
            found.tool.version = Some(plain(value).into_owned());
        }
    })?;
    while xml.child()? {
        match xml.name() {
            b"method" => method(xml, found)?,
            _ => xml.skip()?,
        }
    }
    Ok(())
}

fn method(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let (mut class, mut method, mut path) = (None, None, None);
    xml.attributes(|name, value| match name {
        b"class" => class = Some(value),
        b"name" => method = Some(value),
        b"filename" => path = Some(value),
        _ => {}
    })?;
    let mut method = Method::new((class, method));
    found.files.enter(&plain(path.unwrap_or_default()));
    while xml.child()? {
        match xml.name() {
            b"statement" => statement(xml, &mut method, found)?,
            _ => xml.skip()?,
        }
    }
    method.finish(&mut found.files);
    Ok(())
}

fn statement(
    xml: &mut Xml<'_>,
    method: &mut Method,
    found: &mut Findings,
) -> Result<(), ReportError> {
    let (mut line, mut counter) = (None, 0);
    xml.attributes(|name, value| match name {
        b"line" => line = integer(value),
        b"counter" => counter = hits(value),
        _ => {}
    })?;
    method.statement(&mut found.files, line, counter);
    xml.skip()
}

#[cfg(test)]
mod tests;
