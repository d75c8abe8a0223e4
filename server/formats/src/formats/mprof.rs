//! mprof, the coverage of Mono's profilers: `coverage > method > statement`, after assemblies and classes.
//!
//! No total is stated: the listed statements are added up. Most lines have several. Code without debug information has no
//! file, and its statements all have line 1: the statements count, their lines do not. `counter` is the number of hits; in
//! some versions of Mono it is an address, which is also more than 0.
//!
//! Source: Mono's `mono/profiler/coverage.c` (`mono --debug --profile=coverage`, formerly `--profile=log:coverage`).

use super::method::Method;
use crate::counter::Counter;
use crate::error::ReportError;
use crate::findings::Findings;
use crate::number::{hits, integer};
use crate::xml::{Xml, enter};

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    found.total = &[Counter::Statement];
    xml.root_text(b"version", &mut found.tool.version)?;
    xml.children(b"method", |xml| method(xml, found))
}

fn method(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let [class, method, path] = xml.values([b"class", b"name", b"filename"])?;
    let mut method = Method::new((class, method));
    enter(path, &mut found.files);
    xml.children(b"statement", |xml| statement(xml, &mut method, found))?;
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
