//! The `index.xml` of PHPUnit's XML coverage: `phpunit > project > directory* > file > totals`.
//!
//! The total is the executed and executable lines that the outermost directory states, including the directories in it.
//! Percentages exist in three notations and are not read. Separate files beside the index have the lines that ran, but not the missed
//! ones. Only their tests are read: [`beside`].
//!
//! Source: `src/Report/Xml` of <https://github.com/sebastianbergmann/php-code-coverage>.

pub(super) mod beside;

use super::reader::{Inside, Root};
use crate::counter::{Counter, Counters};
use crate::error::ReportError;
use crate::findings::Findings;
use crate::number::integer;
use crate::warning::Warnings;
use crate::xml::{Xml, plain};

/// A configuration of PHPUnit has the same root, but neither child. Other tools write the root `coverage`; the namespace
/// distinguishes them from Clover.
pub(super) fn claims(root: &Root, inside: Inside<'_>) -> bool {
    let namespace = root.get("xmlns").unwrap_or_default();
    let is_phpunits = memchr::memmem::find(namespace, b"phpunit.de/coverage").is_some();
    (inside.is("build") || inside.is("project")) && (root.is("phpunit") || is_phpunits)
}

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    xml.every_child(|xml| match xml.name() {
        b"build" => {
            if let Some(version) = xml.attribute(b"phpunit")? {
                found.tool.version = Some(plain(version).into_owned());
                found.tool.name = Some("PHPUnit".to_owned());
            }
            xml.skip()
        }
        // Paths of files start at the outermost directory, the folder of the sources. In older versions its path is absolute.
        b"project" => xml.children(b"directory", |xml| {
            let stated = directory(xml, "", found)?;
            found.stated.add_all(&stated);
            Ok(())
        }),
        _ => xml.skip(),
    })
}

/// Reads a directory, and returns its stated counts.
fn directory(
    xml: &mut Xml<'_>,
    folder: &str,
    found: &mut Findings,
) -> Result<Counters, ReportError> {
    let mut stated = Counters::default();
    while xml.child()? {
        match xml.name() {
            b"totals" => stated.add_all(&totals(xml, &mut found.warnings)?),
            b"directory" => {
                let folder = xml.path_in(folder)?;
                directory(xml, &folder, found)?;
            }
            b"file" => {
                found.files.enter(&xml.path_in(folder)?);
                xml.children(b"totals", |xml| {
                    found.files.add_all(&totals(xml, &mut found.warnings)?);
                    Ok(())
                })?;
            }
            _ => xml.skip()?,
        }
    }
    Ok(stated)
}

/// Reads `totals`. Methods and functions are added up before they are compared, and so are classes and traits:
/// php-code-coverage 9 counts tested traits among the tested classes, so that 1 of 0 classes may be tested.
fn totals(xml: &mut Xml<'_>, warnings: &mut Warnings) -> Result<Counters, ReportError> {
    const COUNTERS: [Counter; 3] = [Counter::Line, Counter::Function, Counter::Class];
    let mut sums = [(None, None); 3];
    while xml.child()? {
        let sum = match xml.name() {
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
        if let (Some(at), Some(covered), Some(total)) = (sum, covered, total) {
            let plus = |sum: Option<u64>, number| Some(sum.unwrap_or(0).saturating_add(number));
            sums[at] = (plus(sums[at].0, covered), plus(sums[at].1, total));
        }
        xml.skip()?;
    }
    let mut counters = Counters::default();
    for (counter, (covered, total)) in COUNTERS.into_iter().zip(sums) {
        counters.add(counter, warnings.count(covered, total));
    }
    Ok(counters)
}

#[cfg(test)]
mod tests;
