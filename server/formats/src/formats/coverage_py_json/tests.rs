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
