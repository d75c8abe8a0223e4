//! Which formats there are, and how each is recognised.

use std::fmt;
use std::io::BufRead;

use crate::error::{ErrorKind, ReportError, shown};
use crate::xml::Xml;

/// A format of coverage reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Cobertura: written by tools of nearly every language.
    Cobertura,
    /// JaCoCo: Java and what runs beside it; also gcovr, Kover, Pester.
    Jacoco,
    /// Clover: Atlassian Clover and OpenClover, PHPUnit, istanbul, gcovr.
    Clover,
}

impl Format {
    /// All of them, most common first.
    pub const ALL: [Self; 3] = [Self::Cobertura, Self::Jacoco, Self::Clover];

    /// The name in lower case, as messages and stored records use it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cobertura => "cobertura",
            Self::Jacoco => "jacoco",
            Self::Clover => "clover",
        }
    }

    /// The name as its makers write it.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Cobertura => "Cobertura",
            Self::Jacoco => "JaCoCo",
            Self::Clover => "Clover",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Recognises the format by the root element, its attributes, and the names of its first children.
///
/// Not by file name, `DOCTYPE` or `version`: all three vary from tool to tool within one format.
/// Children that no format knows are passed over until one decides.
pub(crate) fn recognise<R: BufRead>(xml: &mut Xml<R>) -> Result<Format, ReportError> {
    let root = xml.root_name().to_vec();
    if !is_accepted_root(&root) {
        return Err(xml.fail(unaccepted(&root)));
    }
    let mut recognised = None;
    xml.root_attributes(|name, _| recognised = recognised.or(by_attribute(&root, name)))?;
    if let Some(format) = recognised {
        return Ok(format);
    }
    let mut strangers = false;
    while xml.peek()? {
        if let Some(format) = by_child(&root, xml.name()) {
            return Ok(format);
        }
        strangers = true;
        xml.child()?;
        xml.skip()?;
    }
    match root.as_slice() {
        b"report" if !strangers => Ok(Format::Jacoco),
        _ => Err(xml.fail(unaccepted(&root))),
    }
}

/// Whether a format has this root: its attributes or children then tell which.
fn is_accepted_root(root: &[u8]) -> bool {
    matches!(root, b"coverage" | b"report")
}

fn by_attribute(root: &[u8], attribute: &[u8]) -> Option<Format> {
    match (root, attribute) {
        (b"coverage", b"generated" | b"clover") => Some(Format::Clover),
        (b"coverage", b"line-rate" | b"lines-valid") => Some(Format::Cobertura),
        _ => None,
    }
}

fn by_child(root: &[u8], child: &[u8]) -> Option<Format> {
    match (root, child) {
        (b"report", b"counter" | b"package" | b"group" | b"sessioninfo") => Some(Format::Jacoco),
        (b"coverage", b"project" | b"testproject") => Some(Format::Clover),
        (b"coverage", b"packages" | b"sources") => Some(Format::Cobertura),
        _ => None,
    }
}

fn unaccepted(root: &[u8]) -> ErrorKind {
    let root_shown = shown(root);
    match WELL_KNOWN.iter().find(|(name, _)| name.as_bytes() == root) {
        Some((_, what)) => ErrorKind::Unaccepted {
            root: root_shown,
            what,
        },
        None => ErrorKind::Unknown { root: root_shown },
    }
}

/// Roots of XML that people take for a coverage report, or that is one in a format not read here.
const WELL_KNOWN: [(&str, &str); 22] = [
    ("BugCollection", "a list of bugs from SpotBugs"),
    ("BullseyeCoverage", "a report of Bullseye"),
    ("CoverageDSPriv", "a report of Visual Studio"),
    ("CoverageSession", "a report of OpenCover"),
    ("PartCoverReport", "a report of PartCover"),
    ("Root", "a report of dotCover"),
    ("TestRun", "a test result of MSTest"),
    ("checkstyle", "a style report of Checkstyle"),
    ("coverageReport", "no coverage report of a known tool"),
    ("crap_result", "a complexity report of Crap4J"),
    ("html", "a web page"),
    ("mutations", "a mutation test report of PIT"),
    ("phpunit", "a configuration or a report of PHPUnit"),
    ("plist", "a property list of Xcode"),
    ("pmd", "a code analysis of PMD"),
    ("pmd-cpd", "a list of duplicates from PMD"),
    ("project", "a build file of Maven or Ant"),
    ("results", "a report of Visual Studio or dotnet-coverage"),
    ("scoverage", "a report of scoverage"),
    ("statements", "a report of scoverage"),
    ("testsuite", "a JUnit test result"),
    ("testsuites", "a JUnit test result"),
];

/// What text that is not XML looks like, by how it starts.
pub(crate) fn not_xml(start: &[u8]) -> &'static str {
    const STARTS: [(&str, &str); 6] = [
        ("{", "JSON"),
        ("[", "JSON"),
        ("TN:", "an lcov tracefile"),
        ("SF:", "an lcov tracefile"),
        ("mode:", "a Go cover profile"),
        ("PK", "a zip archive"),
    ];
    STARTS
        .iter()
        .find(|(mark, _)| start.starts_with(mark.as_bytes()))
        .map_or("something else", |(_, what)| what)
}
