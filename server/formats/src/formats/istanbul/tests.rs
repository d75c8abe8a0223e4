use crate::{Counter, Coverage, Limits, Report, ReportError};

fn outcome(text: &str) -> Result<Report, ReportError> {
    crate::read_with_lines(text.as_bytes(), &Limits::default())
}

fn read(text: &str) -> Report {
    outcome(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A report of one file.
fn file(members: &str) -> Report {
    read(&format!(
        "{{\"/src/a.js\": {{\"branchMap\": {{}}, {members}}}}}"
    ))
}

fn covered(report: &Report, counter: Counter) -> Option<(u64, u64)> {
    let count = report.counters.get(counter)?;
    Some((count.covered(), count.total()))
}

const MAP: &str = r#""statementMap": {"0": {"start": {"line": 3, "column": 0}, "end": {"line": 9}},
    "1": {"start": {"line": 3, "column": 8}}, "2": {"end": {"line": 9}, "start": {"column": 8, "line": 5}}}"#;

#[test]
fn the_hits_of_a_line_are_the_highest_of_the_statements_that_start_on_it() {
    let hits = r#""s": {"0": 0, "1": 7, "2": 0}"#;
    for members in [format!("{MAP}, {hits}"), format!("{hits}, {MAP}")] {
        let report = file(&members);
        assert_eq!(covered(&report, Counter::Line), Some((1, 2)));
        assert_eq!(covered(&report, Counter::Statement), Some((1, 3)));
        let lines = &report.files[0].lines;
        let lines: Vec<_> = lines.iter().map(|at| (at.line, at.hits)).collect();
        assert_eq!(lines, [(3, 7), (5, 0)]);
    }
}

#[test]
fn statements_of_only_one_map_make_no_line() {
    let report = file(&format!("{MAP}, \"s\": {{\"2\": 1, \"3\": 1, \"x\": 0}}"));
    assert_eq!(covered(&report, Counter::Line), Some((1, 1)));
    assert_eq!(covered(&report, Counter::Statement), Some((2, 3)));
    let report =
        file(r#""statementMap": {"0": {"start": {"line": null}}, "1": {}}, "s": {"0": 1, "1": 1}"#);
    assert_eq!(report.total, Coverage::Empty { rate: None });
}

#[test]
fn ids_need_not_be_numbers() {
    let report = file(
        r#""statementMap": {"a": {"start": {"line": 1}}, "01": {"start": {"line": 2}}},
           "s": {"a": 1, "01": 0}, "f": {"x": 1, "y": 0}, "b": {"x": [1, 0], "y": [0]}"#,
    );
    assert_eq!(covered(&report, Counter::Line), Some((1, 2)));
    assert_eq!(covered(&report, Counter::Function), Some((1, 2)));
    assert_eq!(covered(&report, Counter::Branch), Some((1, 3)));
}

#[test]
fn invalid_hits_are_ignored() {
    let report = file(&format!(
        "{MAP}, \"s\": {{\"0\": null, \"1\": -1, \"2\": 1e21}}"
    ));
    assert_eq!(covered(&report, Counter::Line), Some((1, 2)));
}

#[test]
fn functions_and_branch_ways_count_separately() {
    let report =
        file(r#""f": {"0": 1, "1": 0, "2": 4}, "b": {"0": [1, 0], "1": [0, 0, 3], "2": []}"#);
    assert_eq!(covered(&report, Counter::Function), Some((2, 3)));
    assert_eq!(covered(&report, Counter::Branch), Some((2, 5)));
}

#[test]
fn files_wrapped_in_data_are_files() {
    let report = read(&format!(
        "{{\"/a.js\": {{\"data\": {{{MAP}, \"s\": {{\"0\": 1}}}}}}, \"/b.js\": {{{MAP}, \"s\": {{\"2\": 0}}}}}}"
    ));
    assert_eq!(covered(&report, Counter::Line), Some((1, 2)));
    assert_eq!(report.files.len(), 2);
}

#[test]
fn line_maps_and_other_additions_of_tools_are_skipped() {
    let report = file(&format!(
        r#""path": "/src/b.js", "l": {{"1": 0, "2": 0}}, "inputSourceMap": {{"s": {{"0": 0}}, "data": []}},
           "bT": {{"0": [9]}}, "hash": "x", {MAP}, "s": {{"0": 1}}"#
    ));
    assert_eq!(covered(&report, Counter::Line), Some((1, 1)));
    assert_eq!(report.files[0].path, "/src/a.js");
}

#[test]
fn a_summary_states_the_total_and_the_files() {
    let counts = |covered, total| {
        format!(r#"{{"total": {total}, "covered": {covered}, "skipped": 0, "pct": "Unknown"}}"#)
    };
    let report = read(&format!(
        r#"{{"total": {{"lines": {}, "statements": {}, "functions": {}, "branches": {}, "branchesTrue": {}}},
            "/a.js": {{"lines": {}}}}}"#,
        counts(3, 4),
        counts(4, 5),
        counts(1, 2),
        counts(0, 0),
        counts(9, 9),
        counts(3, 4),
    ));
    assert_eq!(report.total.basis_points(), 7500);
    assert_eq!(covered(&report, Counter::Statement), Some((4, 5)));
    assert_eq!(covered(&report, Counter::Branch), None);
    assert_eq!(report.files.len(), 1);
    assert_eq!(report.warnings, []);
}

#[test]
fn a_summary_without_a_total_adds_up() {
    let report = read(
        r#"{"/a.js": {"lines": {"total": 4, "covered": 1, "pct": 25}}, "/b.js": {"lines": {"total": 4, "covered": 3}}}"#,
    );
    assert_eq!(covered(&report, Counter::Line), Some((4, 8)));
}

#[test]
fn a_summary_of_nothing_has_nothing_to_cover() {
    let report =
        read(r#"{"total": {"lines": {"total": 0, "covered": 0, "skipped": 0, "pct": "Unknown"}}}"#);
    assert_eq!(report.total, Coverage::Empty { rate: None });
}

#[test]
fn values_that_are_not_objects_are_refused_by_name() {
    assert_eq!(
        outcome(r#"{"/a.js": {"fnMap": {}, "s": [1, 2]}}"#)
            .expect_err("an array")
            .to_string(),
        "istanbul: line 1, byte 29, in \"s\": expected an object, found an array"
    );
}

#[test]
fn statements_beyond_the_memory_limit_are_too_many_files() {
    let hits: String = (0..100).map(|id| format!("\"{id}\": 1,")).collect();
    let text = format!("{{\"/a.js\": {{\"fnMap\": {{}}, \"s\": {{{hits} \"x\": 1}}}}}}");
    let error = crate::read(text.as_bytes(), &Limits::for_testing()).expect_err("too many");
    assert!(
        matches!(error.kind(), crate::ErrorKind::TooManyFiles(4096)),
        "{error}"
    );
}

#[test]
fn memory_for_statements_is_that_of_one_file() {
    let hits: String = (0..30).map(|id| format!("\"{id}\": 1,")).collect();
    let file = |name| format!("\"{name}\": {{\"fnMap\": {{}}, \"s\": {{{hits} \"x\": 1}}}}");
    let files: Vec<_> = (0..3).map(file).collect();
    let text = format!("{{{}}}", files.join(","));
    assert!(crate::read(text.as_bytes(), &Limits::for_testing()).is_ok());
}

#[test]
fn branches_take_no_memory_for_lines_that_are_not_requested() {
    let of_each = |text: &str| -> String {
        let all = (1..60).map(|id| format!("\"{id}\": {text}, "));
        all.collect::<String>() + "\"0\": " + text
    };
    let map = of_each(r#"{"type": "if", "line": 3}"#);
    let ways = of_each("[1, 0]");
    for branches in [
        format!("\"branchMap\": {{{map}}}"),
        format!("\"branchMap\": {{}}, \"b\": {{{ways}}}"),
    ] {
        let text =
            format!("{{\"/src/a.js\": {{\"fnMap\": {{}}, {branches}, \"f\": {{\"0\": 1}}}}}}");
        let report = crate::read(text.as_bytes(), &Limits::for_testing()).expect(&branches);
        assert_eq!(covered(&report, Counter::Function), Some((1, 1)));
        assert_eq!(report.warnings, []);
    }
}
