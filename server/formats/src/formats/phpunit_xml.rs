//! The `index.xml` of PHPUnit's XML coverage: `phpunit > project > directory* > file > totals`.
//!
//! The total is the executed and executable lines that the outermost directory states, including the directories in it.
//! Percentages exist in three notations and are not read. The lines are in separate files next to the index, which are not
//! read.
//!
//! Source: `src/Report/Xml` of <https://github.com/sebastianbergmann/php-code-coverage>.

use super::reader::{Inside, Reader, Root};
use crate::count::Count;
use crate::counter::{Counter, Counters};
use crate::error::ReportError;
use crate::findings::Findings;
use crate::number::integer;
use crate::paths::join;
use crate::warning::Warnings;
use crate::xml::{Xml, plain};

pub(super) const READER: Reader = Reader::Xml {
    roots: &["phpunit", "coverage"],
    claims,
    read,
};

/// A configuration of PHPUnit has the same root, but neither child. Other tools write the root `coverage`; the namespace
/// distinguishes them from Clover.
fn claims(root: &Root, inside: Inside<'_>) -> bool {
    let namespace = root.get("xmlns").unwrap_or_default();
    let is_phpunits = memchr::memmem::find(namespace, b"phpunit.de/coverage").is_some();
    (inside.is("build") || inside.is("project")) && (root.is("phpunit") || is_phpunits)
}

fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    while xml.child()? {
        match xml.name() {
            b"build" => {
                if let Some(version) = xml.attribute(b"phpunit")? {
                    found.tool.version = Some(plain(version).into_owned());
                    found.tool.name = Some("PHPUnit".to_owned());
                }
                xml.skip()?;
            }
            b"project" => project(xml, found)?,
            _ => xml.skip()?,
        }
    }
    Ok(())
}

/// Paths of files start at the outermost directory, the folder of the sources. In older versions its path is absolute.
fn project(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let mut stated = Counters::default();
    while xml.child()? {
        match xml.name() {
            b"directory" => directory(xml, "", found, &mut stated)?,
            _ => xml.skip()?,
        }
    }
    found.stated.add_all(&stated);
    Ok(())
}

/// Reads a directory, and adds its stated counts to `stated`.
fn directory(
    xml: &mut Xml<'_>,
    folder: &str,
    found: &mut Findings,
    stated: &mut Counters,
) -> Result<(), ReportError> {
    while xml.child()? {
        match xml.name() {
            b"totals" => {
                for (counter, count) in totals(xml, &mut found.warnings)? {
                    stated.add(counter, count);
                }
            }
            b"directory" => {
                let folder = named(xml, folder)?;
                directory(xml, &folder, found, &mut Counters::default())?;
            }
            b"file" => file(xml, folder, found)?,
            _ => xml.skip()?,
        }
    }
    Ok(())
}

fn file(xml: &mut Xml<'_>, folder: &str, found: &mut Findings) -> Result<(), ReportError> {
    found.files.enter(&named(xml, folder)?);
    while xml.child()? {
        match xml.name() {
            b"totals" => {
                for (counter, count) in totals(xml, &mut found.warnings)? {
                    found.files.add(counter, count);
                }
            }
            _ => xml.skip()?,
        }
    }
    Ok(())
}

fn named(xml: &Xml<'_>, folder: &str) -> Result<String, ReportError> {
    let name = plain(xml.attribute(b"name")?.unwrap_or_default());
    Ok(join(folder, &name))
}

/// Reads `totals`. Methods and functions are added up before they are compared, and so are classes and traits:
/// php-code-coverage 9 counts tested traits among the tested classes, so that 1 of 0 classes may be tested.
fn totals(
    xml: &mut Xml<'_>,
    warnings: &mut Warnings,
) -> Result<[(Counter, Option<Count>); 3], ReportError> {
    let mut counts = [
        (Counter::Line, None),
        (Counter::Function, None),
        (Counter::Class, None),
    ];
    while xml.child()? {
        let counter = match xml.name() {
            b"lines" => Some(0),
            b"methods" | b"functions" => Some(1),
            b"classes" | b"traits" => Some(2),
            _ => None,
        };
        let (mut covered, mut total) = (None, None);
        xml.attributes(|name, value| match name {
            b"executed" | b"tested" => covered = integer::<u64>(value),
            b"executable" | b"count" => total = integer::<u64>(value),
            _ => {}
        })?;
        if let (Some(at), Some(covered), Some(total)) = (counter, covered, total) {
            let (known_covered, known_total) = counts[at].1.unwrap_or((0_u64, 0_u64));
            counts[at].1 = Some((
                known_covered.saturating_add(covered),
                known_total.saturating_add(total),
            ));
        }
        xml.skip()?;
    }
    Ok(counts.map(|(counter, count)| {
        let (covered, total) = count.unzip();
        (counter, warnings.count(covered, total))
    }))
}

#[cfg(test)]
mod tests;
