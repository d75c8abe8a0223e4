//! Files that are often mistaken for coverage files, or have an unsupported format. Errors name their kind.

pub(super) const XML_ROOTS: &[(&str, &str)] = &[
    ("BugCollection", "a list of bugs from SpotBugs"),
    (
        "PartCoverReport",
        "a report of PartCover, which has no lines",
    ),
    ("TestRun", "a test result of MSTest"),
    ("checkstyle", "a style report of Checkstyle"),
    ("crap_result", "a complexity report of Crap4J"),
    (
        "ctc_xml_report",
        "a listing of CTC++ by ctcpost (ctcreport creates a report from it)",
    ),
    ("html", "a web page"),
    ("mutations", "a mutation test report of PIT"),
    (
        "phpunit",
        "a configuration of PHPUnit, or one file of its XML coverage, whose index.xml is needed",
    ),
    ("plist", "a property list of Xcode"),
    ("pmd", "a code analysis of PMD"),
    ("pmd-cpd", "a list of duplicates from PMD"),
    ("project", "a build file of Maven or Ant"),
    (
        "statements",
        "the data that scoverage writes at compile time (`coverageReport` creates a report from it)",
    ),
    ("testExecutions", "a test result for SonarQube"),
    ("testsuite", "a JUnit test result"),
    ("testsuites", "a JUnit test result"),
    ("unitTest", "a test result for SonarQube"),
];

pub(super) const JSON_KEYS: &[(&[&str], &str)] = &[
    (&["*", "lineData"], "a report of JSCover"),
    (
        &["gcovr/format_version"],
        "JSON of gcovr (`gcovr --cobertura` or `gcovr --lcov` writes a report)",
    ),
    (
        &["gcovr/summary_format_version"],
        "a summary of gcovr, which has no lines (`gcovr --cobertura` or `gcovr --lcov` writes a report)",
    ),
    (
        &["files", "traces"],
        "JSON of tarpaulin (`--out Xml` or `--out Lcov` writes a report)",
    ),
    (
        &["gcc_version"],
        "JSON of gcov (gcovr makes a report of it)",
    ),
    (
        &["result", "covered_percent"],
        "a summary of SimpleCov (.resultset.json next to it has the lines)",
    ),
    (
        &["result", "line"],
        "a summary of SimpleCov (.resultset.json next to it has the lines)",
    ),
    (
        &["result", "scriptId"],
        "coverage in the format of V8 (c8 creates a report from it)",
    ),
    (&["source_files", "*"], "an upload to Coveralls"),
    (&["targets", "lineCoverage"], "a report of Xcode's xccov"),
];

pub(super) const TEXT_STARTS: &[(&[u8], &str)] = &[
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
