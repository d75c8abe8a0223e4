//! scoverage: `scoverage > packages > package > classes > class > methods > method > statements > statement`.
//!
//! The total is in statements, as the root states them. A branch is a statement too. A method or class is covered if any of its
//! statements is. A statement's `source` is the whole path of its file. A class's `filename` is the path below the folder of the
//! sources. Two modules may have the same `filename`, so it counts only for statements without `source`.
//!
//! Source: `ScoverageXmlWriter` of <https://github.com/scoverage/scalac-scoverage-plugin>.

use crate::count::Count;
use crate::counter::Counter;
use crate::error::ReportError;
use crate::files::key;
use crate::findings::Findings;
use crate::number::{hits, integer};
use crate::rate::Rate;
use crate::warning::Stated;
use crate::xml::{Xml, enter, plain};

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    found.total = &[Counter::Statement, Counter::Line];
    let mut stated = Stated::of([(Counter::Statement, "statements-invoked", "statement-count")]);
    let warnings = &mut found.warnings;
    xml.root_attributes(|name, value| match name {
        b"statement-rate" => {
            found.rate = warnings.checked("statement-rate", value, Rate::of_percent(value));
        }
        b"version" => found.tool.version = Some(plain(value).into_owned()),
        _ => stated.see_checked(name, value, warnings),
    })?;
    found.stated.add_all(&stated.counters(warnings));
    parts(xml, found, &Class::default()).map(drop)
}

/// Whether any statement in an element was invoked. `None` if it has no statements.
type Covered = Option<bool>;

/// The class around an element.
#[derive(Default)]
struct Class {
    key: u64,
    /// The file of statements without `source`.
    filename: Option<String>,
}

/// Reads the content of an element, at any depth.
fn parts(xml: &mut Xml<'_>, found: &mut Findings, of: &Class) -> Result<Covered, ReportError> {
    let mut covered = None;
    while xml.child()? {
        let part = match xml.name() {
            b"statement" => statement(xml, found, of)?,
            b"method" => {
                let method = key((of.key, xml.attribute(b"name")?));
                let part = parts(xml, found, of)?;
                if let Some(is_covered) = part {
                    found.files.function(method, is_covered);
                }
                part
            }
            b"class" => class(xml, found)?,
            _ => parts(xml, found, of)?,
        };
        covered = covered.max(part);
    }
    Ok(covered)
}

fn class(xml: &mut Xml<'_>, found: &mut Findings) -> Result<Covered, ReportError> {
    let [filename, name] = xml.values([b"filename", b"name"])?;
    let class = Class {
        filename: filename.map(|path| plain(path).into_owned()),
        key: key(name),
    };
    let covered = parts(xml, found, &class)?;
    found.files.add(Counter::Class, covered.map(Count::one));
    Ok(covered)
}

fn statement(xml: &mut Xml<'_>, found: &mut Findings, of: &Class) -> Result<Covered, ReportError> {
    let (mut line, mut invocations, mut source) = (None, 0, None);
    let (mut is_branch, mut is_ignored) = (false, false);
    xml.attributes(|name, value| match name {
        b"source" => source = Some(value).filter(|path| !path.is_empty()),
        b"line" => line = integer(value),
        b"invocation-count" => invocations = hits(value),
        b"branch" => is_branch = value == b"true",
        b"ignored" => is_ignored = value == b"true",
        _ => {}
    })?;
    match (source, &of.filename) {
        (Some(_), _) => enter(source, &mut found.files),
        (None, Some(path)) => {
            found.files.enter(path);
        }
        (None, None) => {}
    }
    xml.skip()?;
    if is_ignored {
        return Ok(None);
    }
    let is_covered = invocations > 0;
    let count = Count::one(is_covered);
    found.files.add(Counter::Statement, count);
    if is_branch {
        found.files.add(Counter::Branch, count);
    }
    if let Some(line @ 1..) = line {
        found.files.line(line, invocations);
    }
    Ok(Some(is_covered))
}

#[cfg(test)]
mod tests;
