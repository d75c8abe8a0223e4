use crate::{Counter, Coverage, Format, Limits, Report, ReportError};

fn try_read(text: &str) -> Result<Report, ReportError> {
    crate::read_with_lines(text.as_bytes(), &Limits::default())
}

fn read(text: &str) -> Report {
    let report = try_read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(report.format, Format::Codecov, "{text}");
    report
}

fn covered(report: &Report, counter: Counter) -> Option<(u64, u64)> {
    let count = report.counters.get(counter)?;
    Some((count.covered(), count.total()))
}

/// Lines with their hits, and partial lines with their taken branches and all branches.
type Lines = (Vec<(u32, u64)>, Vec<(u32, u32, u32)>);

fn lines(report: &Report, path: &str) -> Lines {
    let file = report.files.iter().find(|file| file.path == path);
    let file = file.expect("a file");
    let lines = file.lines.iter().map(|at| (at.line, at.hits));
    let partial = file.partial.iter().map(|at| (at.line, at.taken, at.total));
    (lines.collect(), partial.collect())
}

const LISTS: &str = r#"{"coverage": {"src/fee/core.clj": [null, 1, 0, null, true, 0], "src/fee/util.clj": [null, 2, "1/3", null, 0]}}"#;
const OBJECTS: &str = r#"{"coverage": {"src/fee/core.clj": {"1": 1, "2": 0, "3": null, "4": true, "5": 0},
    "src/fee/util.clj": {"4": 0, "2": "1/3", "1": 2}}}"#;

#[test]
fn lists_begin_with_line_0_and_objects_name_their_lines() {
    for text in [LISTS, OBJECTS] {
        let report = read(text);
        assert_eq!(report.total.basis_points(), 5714);
        assert_eq!(covered(&report, Counter::Line), Some((4, 7)));
        assert_eq!(covered(&report, Counter::Branch), Some((1, 3)));
        let (core, util) = (
            lines(&report, "src/fee/core.clj"),
            lines(&report, "src/fee/util.clj"),
        );
        assert_eq!(core.0, [(1, 1), (2, 0), (4, 1), (5, 0)]);
        assert_eq!(core.1, [(4, 0, 0)]);
        assert_eq!(util.0, [(1, 2), (2, 1), (4, 0)]);
        assert_eq!(util.1, [(2, 1, 3)]);
    }
}

#[test]
fn every_value_of_a_line_has_its_meaning() {
    for (value, hits, partial) in [
        ("0", Some(0), None),
        ("7", Some(7), None),
        ("1e3", Some(1), None),
        ("18446744073709551616", Some(u64::MAX), None),
        ("\"3\"", Some(3), None),
        ("\"0/2\"", Some(0), None),
        ("\"1/2\"", Some(1), Some((1, 2))),
        ("\"2/2\"", Some(1), None),
        ("\"0/0\"", Some(0), None),
        ("true", Some(1), Some((0, 0))),
        ("false", Some(0), None),
        ("null", None, None),
        ("-1", None, None),
    ] {
        for text in [
            format!("{{\"coverage\": {{\"a.x\": [null, null, {value}]}}}}"),
            format!("{{\"coverage\": {{\"a.x\": {{\"2\": {value}}}}}}}"),
        ] {
            let (lines, branches) = lines(&read(&text), "a.x");
            assert_eq!(lines, hits.map(|hits| (2, hits)).as_slice(), "{text}");
            let partial = partial.map(|(taken, total)| (2, taken, total));
            assert_eq!(branches, partial.as_slice(), "{text}");
        }
    }
}

#[test]
fn what_is_no_line_is_refused_and_not_guessed() {
    for (file, found) in [
        ("[null, \"x\"]", "found \"x\""),
        ("[null, \"3/2\"]", "found \"3/2\""),
        ("[null, \"50%\"]", "found \"50%\""),
        ("[null, [1]]", "found an array"),
        ("[null, {}]", "found an object"),
        ("{\"1\": 1, \"lines\": [1]}", "found \"lines\""),
        ("{\"1\": {\"hits\": 1}}", "found an object"),
    ] {
        let text = format!("{{\"coverage\": {{\"a/b.x\": {file}}}}}");
        let error = try_read(&text).expect_err(&text).to_string();
        assert!(error.starts_with("codecov: line 1"), "{error}");
        assert!(error.ends_with(found), "{error}");
    }
}

#[test]
fn line_0_is_no_line() {
    for file in [
        "[5, 1]",
        "{\"0\": 5, \"1\": 1}",
        "[true, 1]",
        "[\"1/2\", 1]",
    ] {
        let report = read(&format!("{{\"coverage\": {{\"a.x\": {file}}}}}"));
        assert_eq!(lines(&report, "a.x"), (vec![(1, 1)], vec![]), "{file}");
        assert_eq!(covered(&report, Counter::Branch), None);
    }
}

#[test]
fn other_members_and_files_without_lines_do_not_count() {
    let report = read(
        r#"{"messages": {"a.x": {"1": "why"}, "b": null}, "timestamp": 1,
            "coverage": {"c/empty": null, "c/none": [], "c/nothing": {}, "c/blank": [null, null], "a.x": [null, 1]}}"#,
    );
    assert_eq!(covered(&report, Counter::Line), Some((1, 1)));
    assert_eq!(report.files.len(), 5);
    for file in ["[]", "{}", "[null]", "[null, null]"] {
        let report = read(&format!("{{\"coverage\": {{\"src/a.x\": {file}}}}}"));
        assert_eq!(report.total, Coverage::Empty { rate: None }, "{file}");
    }
}

#[test]
fn a_file_that_appears_twice_counts_once() {
    let report = read(r#"{"coverage": {"a.x": [null, 1, 0], "a.x": {"2": 3, "3": "0/1"}}}"#);
    let (lines, _) = lines(&report, "a.x");
    assert_eq!(lines, [(1, 1), (2, 3), (3, 0)]);
}

#[test]
fn results_of_simplecov_and_json_of_other_kinds_are_not_confused_with_it() {
    for text in [
        r#"{"coverage": {"/a.rb": {"lines": [1, 0]}}}"#,
        r#"{"coverage": {"/a.rb": {"source": ["x"], "lines": [1, 0]}}}"#,
        r#"{"RSpec": {"coverage": {"/a.rb": [1, 0]}, "timestamp": 1}}"#,
    ] {
        let report = try_read(text).expect(text);
        assert_eq!(report.format, Format::SimpleCov, "{text}");
        assert_eq!(lines(&report, "/a.rb").0, [(1, 1), (2, 0)], "{text}");
    }
    for text in [
        r#"{"coverage": {}}"#,
        r#"{"coverage": {"lines": [80, 90]}}"#,
        r#"{"coverage": {"1": 80}}"#,
        r#"{"coverage": [null, 1]}"#,
    ] {
        assert!(try_read(text).is_err(), "{text}");
    }
}
