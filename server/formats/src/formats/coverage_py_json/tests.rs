use crate::{Counter, Coverage, Limits, Report};

fn read(text: &str) -> Report {
    crate::read_with_lines(text.as_bytes(), &Limits::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

const META: &str = r#""meta": {"format": 3, "version": "7.17.3", "branch_coverage": true, "show_contexts": false}"#;

fn summary(covered: u64, all: u64, branches: &str) -> String {
    format!(
        r#"{{"covered_lines": {covered}, "num_statements": {all}, "percent_covered": 60.0 {branches}}}"#
    )
}

fn covered(report: &Report, counter: Counter) -> Option<(u64, u64)> {
    let count = report.counters.get(counter)?;
    Some((count.covered(), count.total()))
}

#[test]
fn the_total_is_of_lines_without_branches() {
    let totals = summary(2, 3, r#", "covered_branches": 1, "num_branches": 2"#);
    let report = read(&format!(
        "{{{META}, \"files\": {{}}, \"totals\": {totals}}}"
    ));
    assert_eq!(report.total.basis_points(), 6667);
    assert_eq!(covered(&report, Counter::Branch), Some((1, 2)));
    assert_eq!(report.tool.name.as_deref(), Some("coverage.py"));
    assert_eq!(report.tool.version.as_deref(), Some("7.17.3"));
}

#[test]
fn without_a_total_the_files_add_up() {
    let (a, b) = (summary(2, 3, ""), summary(1, 5, ""));
    let report = read(&format!(
        "{{\"files\": {{\"a.py\": {{\"executed_lines\": [], \"summary\": {a}}}, \"pkg\\\\b.py\": {{\"summary\": {b}}}}}, {META}}}"
    ));
    assert_eq!(covered(&report, Counter::Line), Some((3, 8)));
    assert_eq!(report.files[1].path, "pkg\\b.py");
}

#[test]
fn lists_of_lines_give_hits_and_count_nothing() {
    let report = read(&format!(
        "{{{META}, \"files\": {{\"a.py\": {{\"executed_lines\": [1, 2, 5], \"summary\": {}, \"missing_lines\": [7, -1],
         \"excluded_lines\": [9], \"contexts\": {{\"1\": [\"\"]}}, \"executed_branches\": [[1, 2]]}}}}}}",
        summary(2, 3, "")
    ));
    assert_eq!(covered(&report, Counter::Line), Some((2, 3)));
    let lines = &report.files[0].lines;
    let lines: Vec<_> = lines.iter().map(|at| (at.line, at.hits)).collect();
    assert_eq!(lines, [(1, 1), (2, 1), (5, 1), (7, 0)]);
}

#[test]
fn functions_are_covered_if_any_of_their_lines_is() {
    let part = |covered, all| {
        format!(
            "{{\"executed_lines\": [1], \"summary\": {}}}",
            summary(covered, all, "")
        )
    };
    let functions = format!(
        "{{\"f\": {}, \"C.g\": {}, \"empty\": {}, \"\": {}}}",
        part(1, 4),
        part(0, 2),
        part(0, 0),
        part(3, 3)
    );
    let report = read(&format!(
        "{{{META}, \"files\": {{\"a.py\": {{\"summary\": {}, \"functions\": {functions}, \"classes\": {functions}}}}}}}",
        summary(4, 9, "")
    ));
    assert_eq!(covered(&report, Counter::Function), Some((1, 2)));
    assert_eq!(covered(&report, Counter::Line), Some((4, 9)));
    assert_eq!(report.files[0].lines, []);
}

#[test]
fn impossible_counts_are_not_used() {
    let report = read(&format!(
        "{{{META}, \"files\": {{\"a.py\": {{\"summary\": {}}}}}, \"totals\": {}}}",
        summary(1, 2, ""),
        summary(3, 2, "")
    ));
    assert_eq!(report.total.basis_points(), 5000);
    assert_eq!(report.warnings.len(), 1);
}

#[test]
fn a_report_with_sorted_keys_is_recognised_by_its_files() {
    let report = read(&format!(
        "{{\"files\": {{\"a.py\": {{\"excluded_lines\": [], \"executed_lines\": [1], \"summary\": {}}}}}, {META}}}",
        summary(1, 1, "")
    ));
    assert_eq!(report.total.basis_points(), 10_000);
}

#[test]
fn nothing_measured_has_nothing_to_cover() {
    let report = read(&format!(
        "{{{META}, \"files\": {{}}, \"totals\": {}}}",
        summary(0, 0, "")
    ));
    assert_eq!(report.total, Coverage::Empty { rate: None });
}

#[test]
fn contexts_are_the_tests_of_lines_and_the_empty_one_is_no_test() {
    let summary = summary(2, 3, "");
    let report = read(&format!(
        r#"{{{META}, "files": {{"a.py": {{"executed_lines": [1, 2], "missing_lines": [3], "summary": {summary},
            "contexts": {{"1": [""], "2": ["", "t.py::b|run", "t.py::a|run"], "x": ["t"], "4": 7, "5": [null]}},
            "functions": {{"f": {{"summary": {summary}, "contexts": {{"9": ["other"]}}}}}}}},
            "b.py": {{"contexts": {{"7": ["t.py::a|run"]}}, "executed_lines": [7], "summary": {summary}}},
            "c.py": {{"contexts": [], "executed_lines": [], "summary": {summary}}}}}}}"#
    ));
    let pairs = |file: usize| -> Vec<_> {
        let pairs = report.files[file].tests.iter();
        let pairs = pairs.map(|pair| (pair.line, report.tests[pair.test as usize].as_str()));
        pairs.collect()
    };
    assert_eq!(pairs(0), [(2, "t.py::b|run"), (2, "t.py::a|run")]);
    assert_eq!(pairs(1), [(7, "t.py::a|run")]);
    assert_eq!(pairs(2), []);
    assert_eq!(report.files[1].lines.len(), 1);
}

#[test]
fn tests_beyond_the_memory_are_left_out_before_lines() {
    let tests: Vec<_> = (0..200).map(|test| format!("\"test_{test}\"")).collect();
    let text = format!(
        r#"{{{META}, "files": {{"a.py": {{"executed_lines": [1, 2], "summary": {}, "contexts": {{"1": [{}]}}}}}}}}"#,
        summary(2, 2, ""),
        tests.join(", ")
    );
    let limits = Limits::for_testing();
    let report = crate::read_with_lines(text.as_bytes(), &limits).expect("a report");
    assert_eq!(report.warnings, [crate::Warning::TooManyTests]);
    assert_eq!(report.files[0].lines.len(), 2);
    assert!(report.tests.is_empty() && report.files[0].tests.is_empty());
    assert!(read(&text).warnings.is_empty());
}

#[test]
fn a_long_name_of_a_test_is_cut_and_stays_different_from_others() {
    let long = "é".repeat(400);
    let report = read(&format!(
        r#"{{{META}, "files": {{"a.py": {{"executed_lines": [1], "summary": {},
            "contexts": {{"1": ["{long}1", "{long}2"], "2": ["{long}1"]}}}}}}}}"#,
        summary(2, 2, "")
    ));
    assert_eq!(report.tests.len(), 2);
    assert!(
        report
            .tests
            .iter()
            .all(|name| (490..=512).contains(&name.len()))
    );
    assert_eq!(report.files[0].tests.len(), 3);
}
