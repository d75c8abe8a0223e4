//! SonarQube's generic coverage: `coverage > file > lineToCover`.
//!
//! No total is stated: the distinct lines to cover are counted. A `covered` line counts as covered even if some of its branches
//! are not. SonarQube's own total mixes lines and branches.
//!
//! Source: <https://docs.sonarsource.com/sonarqube-server/analyzing-source-code/test-coverage/generic-test-data>.

use super::reader::{Inside, Root};
use crate::count::Count;
use crate::error::ReportError;
use crate::files::Files;
use crate::findings::Findings;
use crate::number::integer;
use crate::xml::{Xml, enter};

/// The version is the only attribute that identifies the root. A report without files has nothing else.
pub(super) fn claims(root: &Root, inside: Inside<'_>) -> bool {
    root.get("version") == Some(b"1") && (inside.is("file") || inside == Inside::Nothing)
}

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    xml.children(b"file", |xml| file(xml, &mut found.files))
}

fn file(xml: &mut Xml<'_>, files: &mut Files) -> Result<(), ReportError> {
    enter(xml.attribute(b"path")?, files);
    xml.children(b"lineToCover", |xml| line(xml, files))
}

fn line(xml: &mut Xml<'_>, files: &mut Files) -> Result<(), ReportError> {
    let (mut number, mut is_covered) = (None, false);
    let (mut covered_branches, mut all_branches) = (None, None);
    xml.attributes(|name, value| match name {
        b"lineNumber" => number = integer(value),
        b"covered" => is_covered = is_true(value),
        b"branchesToCover" => all_branches = integer(value),
        b"coveredBranches" => covered_branches = integer(value),
        _ => {}
    })?;
    if let Some(number @ 1..) = number {
        files.line(number, u64::from(is_covered));
        let branches = covered_branches.zip(all_branches);
        let branches = branches.and_then(|(covered, all)| Count::new(covered, all));
        if let Some(branches) = branches {
            files.branches(number, branches);
        }
    }
    xml.skip()
}

/// The schema has the type `xs:boolean`. SonarQube accepts its words in upper and lower case.
fn is_true(value: &[u8]) -> bool {
    value == b"1" || value.eq_ignore_ascii_case(b"true")
}

#[cfg(test)]
mod tests;
