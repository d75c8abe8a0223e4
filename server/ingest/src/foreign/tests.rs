use super::united::{Checked, Read, united};
use crate::{ForeignFiles, IngestError, JobFolders, MAX_FOREIGN_FILES};
use config::Limits;
use domain::{Count, GlobList, PartName};

fn files(coverage: &[(&str, &str)]) -> ForeignFiles {
    let mut files = ForeignFiles::new(&Limits::default());
    for (name, content) in coverage {
        files.read(name, content.as_bytes()).expect("few files");
    }
    files
}

fn read(coverage: &[(&str, &str)]) -> Read {
    let (groups, ..) = files(coverage).by_language().expect("coverage files");
    let checked = Checked {
        listed: None,
        of_job: JobFolders::default(),
        repository: "payments".parse().expect("a repository"),
        part: PartName::default(),
        rules: GlobList::default(),
    };
    let only = groups.into_values().next().expect("a language");
    united(only, &checked).expect("few lines")
}

const LCOV: &str = "SF:src/a.py\nDA:1,3\nDA:2,0\nDA:4,1\nend_of_record\n";
const OTHER_RUN: &str = "SF:src/a.py\nDA:1,0\nDA:2,1\nDA:4,0\nend_of_record\n";
const COBERTURA: &str = r#"<coverage line-rate="0.6" version="1"><packages><package name="p"><classes>
    <class name="a" filename="src/a.py"><lines><line number="1" hits="7"/><line number="2" hits="0"/><line number="4" hits="1"/></lines></class>
    </classes></package></packages></coverage>"#;

#[test]
fn one_coverage_file_is_read_like_that_of_an_archive() {
    let read = read(&[("/home/runner/work/app/lcov.info", LCOV)]);
    let (_, lines) = read.taken;
    let lines = lines.expect("lines");
    assert_eq!((lines.covered, lines.coverable), (2, 3));
    assert!(read.union.is_none() && read.notices.is_empty());
}

#[test]
fn two_runs_of_one_upload_are_united() {
    let read = read(&[("unit/lcov.info", LCOV), ("web/lcov.info", OTHER_RUN)]);
    let union = read.union.expect("a union");
    let expected = Count {
        covered: 3,
        total: 3,
    };
    assert_eq!(union.lines, expected);
}

#[test]
fn one_run_in_two_formats_counts_once() {
    let read = read(&[("coverage.xml", COBERTURA), ("lcov.info", LCOV)]);
    assert!(read.union.is_none());
    let expected = "lcov.info has the same run as coverage.xml in another format, so only coverage.xml counts.";
    assert_eq!(read.notices, [expected]);
}

#[test]
fn two_runs_in_two_formats_are_united() {
    let read = read(&[("coverage.xml", COBERTURA), ("lcov.info", OTHER_RUN)]);
    assert!(read.union.is_some() && read.notices.is_empty());
}

#[test]
fn each_language_is_a_group() {
    let files = files(&[
        ("lcov.info", LCOV),
        ("go.out", "mode: set\nexample.com/x/a.go:1.2,3.4 1 1\n"),
        ("odd.info", "SF:a.zig\nDA:1,1\nend_of_record\n"),
    ]);
    let languages: Vec<_> = files.languages().map(ToString::to_string).collect();
    assert_eq!(languages, ["go", "python", "zig"]);
}

#[test]
fn a_file_that_is_no_coverage_file_is_left_out_with_its_reason() {
    let both = files(&[("coverage.css", "body {}"), ("lcov.info", LCOV)]);
    let (groups, _, notices) = both.by_language().expect("a coverage file");
    assert_eq!(groups.len(), 1);
    let start = "coverage.css was left out: ";
    assert!(notices[0].starts_with(start), "{notices:?}");
    let none = files(&[("a/coverage.css", "body {}")]).by_language();
    assert!(
        matches!(none, Err(IngestError::UnreadableReport { path, .. }) if path == "coverage.css")
    );
    assert!(matches!(
        files(&[]).by_language(),
        Err(IngestError::NoCoverageFile)
    ));
}

#[test]
fn an_upload_has_a_limited_number_of_coverage_files() {
    let mut files = ForeignFiles::new(&Limits::default());
    for _ in 0..MAX_FOREIGN_FILES {
        files.read("lcov.info", LCOV.as_bytes()).expect("few files");
    }
    assert!(files.read("lcov.info", LCOV.as_bytes()).is_err());
}

#[test]
fn an_upload_has_a_limited_number_of_languages() {
    let mut files = ForeignFiles::new(&Limits::default());
    for number in 0..=20 {
        let lcov = format!("SF:a.x{number}\nDA:1,1\nend_of_record\n");
        files.read("lcov.info", lcov.as_bytes()).expect("few files");
    }
    assert!(matches!(files.by_language(), Err(IngestError::Limit(_))));
}
