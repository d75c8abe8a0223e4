//! Files that are often mistaken for coverage files, or have an unsupported format. Errors name their kind.

/// The kind of an XML document with this root.
pub(super) fn xml(root: &[u8]) -> Option<&'static str> {
    Some(match root {
        b"BugCollection" => "a list of bugs from SpotBugs",
        b"PartCoverReport" => "a report of PartCover, which has no lines",
        b"TestRun" => "a test result of MSTest",
        b"checkstyle" => "a style report of Checkstyle",
        b"crap_result" => "a complexity report of Crap4J",
        b"ctc_xml_report" => "a listing of CTC++ by ctcpost (ctcreport creates a report from it)",
        b"html" => "a web page",
        b"mutations" => "a mutation test report of PIT",
        b"phpunit" => {
            "a configuration of PHPUnit, or one file of its XML coverage, whose index.xml is needed"
        }
        b"plist" => "a property list of Xcode",
        b"pmd" => "a code analysis of PMD",
        b"pmd-cpd" => "a list of duplicates from PMD",
        b"project" => "a build file of Maven or Ant",
        b"statements" => {
            "the data that scoverage writes at compile time (`coverageReport` creates a report from it)"
        }
        b"testExecutions" | b"unitTest" => "a test result for SonarQube",
        b"testsuite" | b"testsuites" => "a JUnit test result",
        _ => return None,
    })
}

/// The kind of a JSON document, by the path of keys to a member.
pub(super) fn json(keys: &[&str]) -> Option<&'static str> {
    Some(match keys {
        [_, "lineData"] => "a report of JSCover",
        ["gcovr/format_version"] => {
            "JSON of gcovr (`gcovr --cobertura` or `gcovr --lcov` writes a report)"
        }
        ["gcovr/summary_format_version"] => {
            "a summary of gcovr, which has no lines (`gcovr --cobertura` or `gcovr --lcov` writes a report)"
        }
        ["files", "traces"] => "JSON of tarpaulin (`--out Xml` or `--out Lcov` writes a report)",
        ["gcc_version"] => "JSON of gcov (gcovr makes a report of it)",
        ["result", "covered_percent" | "line"] => {
            "a summary of SimpleCov (.resultset.json next to it has the lines)"
        }
        ["result", "scriptId"] => "coverage in the format of V8 (c8 creates a report from it)",
        ["targets", "lineCoverage"] => "a report of Xcode's xccov",
        _ => return None,
    })
}

/// The starts of other files, and their kinds.
const TEXT_STARTS: &[(&[u8], &str)] = &[
    (b"PK", "a zip archive"),
    (b"\x1F\xC2\x8B", "a gzip archive"),
    (
        b"SQLite format 3",
        "a database, such as the data file of coverage.py (`coverage xml` creates a report from it)",
    ),
    (
        b"-:    0:Source:",
        "annotated source of gcov (gcovr creates a report from it)",
    ),
    (b"bplist", "a property list of Xcode"),
    (
        b"GROUP,PACKAGE,CLASS,",
        "a table of JaCoCo, which has no lines (its XML report has them)",
    ),
    (
        b"\x01\xC3\x80\xC3\x80",
        "execution data of JaCoCo (its `report` task or command creates a report from it)",
    ),
    (
        b"filename,line_total,",
        "a table of gcovr, which has no lines (`gcovr --cobertura` or `gcovr --lcov` writes a report)",
    ),
    (
        b"Name  ",
        "the table that `coverage report` prints (`coverage xml` or `coverage lcov` writes a report)",
    ),
];

/// The kind of another file with this first line.
pub(super) fn text(line: &[u8]) -> Option<&'static str> {
    let mut starts = TEXT_STARTS.iter();
    let found = starts.find(|(start, _)| line.starts_with(start));
    found.map(|(_, what)| *what)
}
