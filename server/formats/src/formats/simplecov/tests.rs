use crate::{Counter, Coverage, Limits, Report};

fn read(text: &str) -> Report {
    crate::read_with_lines(text.as_bytes(), &Limits::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn covered(report: &Report, counter: Counter) -> Option<(u64, u64)> {
    let count = report.counters.get(counter)?;
    Some((count.covered(), count.total()))
}

#[test]
fn lines_are_counted_once_over_all_commands() {
    let report = read(
        r#"{"RSpec": {"coverage": {"/a.rb": {"lines": [null, 1, 0, 0, null]}, "/b.rb": [0]}, "timestamp": 1},
            "Minitest": {"coverage": {"/a.rb": {"lines": [null, 0, 2, 0, 0]}}, "timestamp": 1786446862.1011105}}"#,
    );
    assert_eq!(covered(&report, Counter::Line), Some((2, 5)));
    let lines = &report.files[0].lines;
    let lines: Vec<_> = lines.iter().map(|at| (at.line, at.hits)).collect();
    assert_eq!(lines, [(2, 1), (3, 2), (4, 0), (5, 0)]);
}

#[test]
fn ignored_lines_and_invalid_numbers_do_not_count() {
    let report =
        read(r#"{"A": {"coverage": {"C:\\a.rb": [1, "ignored", "3", -1, [1], {}, true, 2.0]}}}"#);
    assert_eq!(covered(&report, Counter::Line), Some((2, 3)));
    assert_eq!(report.files[0].path, "C:\\a.rb");
}

#[test]
fn result_set_branches_and_methods_are_identified_by_description() {
    let file = r#"{"lines": [1], "branches": {"[:if, 0, 1]": {"[:then, 1]": 1, "[:else, 2]": 0}, "[:while, 3]": {"[:then, 1]": 0}},
        "methods": {"[\"Parking\", :fee, 1, 2, 3, 4]": 1, "[\"Parking\", :late, 5, 2, 7, 4]": 0, "[\"Parking\", :lost, 9, 2, 9, 4]": 0}}"#;
    let report = read(&format!(
        "{{\"A\": {{\"coverage\": {{\"/a.rb\": {file}}}}}, \"B\": {{\"coverage\": {{\"/a.rb\": {file}}}}}}}"
    ));
    assert_eq!(covered(&report, Counter::Branch), Some((1, 3)));
    assert_eq!(covered(&report, Counter::Function), Some((1, 3)));
}

#[test]
fn branches_and_methods_of_the_formatter_may_be_ignored() {
    let report = read(
        r#"{"meta": {"simplecov_version": "1.1.0"}, "coverage": {"a.rb": {"lines": [1],
            "branches": [{"type": "then", "coverage": 0}, {"type": "else", "coverage": 3},
                {"type": "while", "coverage": 2}, {"coverage": "ignored"}],
            "methods": [{"name": "A#b", "coverage": 1}, {"name": "A#c", "coverage": "ignored"}]}}}"#,
    );
    assert_eq!(covered(&report, Counter::Branch), Some((2, 3)));
    assert_eq!(covered(&report, Counter::Function), Some((1, 1)));
}

#[test]
fn stated_totals_are_kept_and_groups_are_not_added() {
    let totals = r#"{"lines": {"covered": 3, "missed": 1, "omitted": 9, "total": 4, "percent": 75.0},
        "branches": {"covered": 5, "missed": 1, "total": 6, "percent": 83.33},
        "methods": {"covered": 1, "missed": 1, "total": 2, "percent": 50.0}}"#;
    let report = read(&format!(
        r#"{{"$schema": "x", "meta": {{"simplecov_version": "1.0.0"}}, "total": {totals},
            "coverage": {{"a.rb": {{"source": ["x"], "lines": [1, 1, 1, 0]}}}},
            "groups": {{"Models": {totals}, "coverage": {{"/a": [0]}}}}, "errors": {{"coverage": {{"/a": [0]}}}}}}"#
    ));
    assert_eq!(report.total.basis_points(), 7500);
    assert_eq!(report.warnings, []);
    assert_eq!(covered(&report, Counter::Line), Some((3, 4)));
    assert_eq!(covered(&report, Counter::Branch), Some((5, 6)));
    assert_eq!(covered(&report, Counter::Function), Some((1, 2)));
}

#[test]
fn files_of_the_gem_simplecov_json_are_named_inside() {
    let report = read(
        r#"{"command_name": "RSpec", "files": [{"coverage": [1, 0], "filename": "a.rb"},
            {"filename": "b.rb", "coverage": {"lines": [null, 1]}}]}"#,
    );
    assert_eq!(covered(&report, Counter::Line), Some((2, 3)));
    let paths: Vec<_> = report.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["a.rb", "b.rb"]);
}

#[test]
fn a_command_may_have_any_name() {
    for name in ["total tests", "RSpec (1/4)", "coverage run", ""] {
        let report = read(&format!(
            "{{\"{name}\": {{\"coverage\": {{\"/a.rb\": [1, 0]}}}}}}"
        ));
        assert_eq!(covered(&report, Counter::Line), Some((1, 2)), "{name}");
    }
}

#[test]
fn files_without_lines_have_nothing_to_cover() {
    let report = read(r#"{"A": {"coverage": {"/a.rb": [null, null], "/b.rb": {"lines": null}}}}"#);
    assert_eq!(report.total, Coverage::Empty { rate: None });
}

#[test]
fn sorted_keys_do_not_change_the_recognised_format() {
    let report = read(
        r#"{"coverage": {}, "groups": {}, "meta": {"branch_coverage": true, "line_coverage": true, "simplecov_version": "1.1.0"},
            "total": {"lines": {"covered": 1, "percent": 50.0, "total": 2}}}"#,
    );
    assert_eq!(report.format, crate::Format::SimpleCov);
    assert_eq!(report.total.basis_points(), 5000);
}

#[test]
fn one_member_of_each_form_is_enough_to_recognise_the_format() {
    for text in [
        r#"{"coverage": {"a.rb": {"lines": [1, 0]}}}"#,
        r#"{"files": [{"covered_percent": 50.0, "coverage": [1, 0], "filename": "a.rb"}]}"#,
        r#"{"metrics": {"covered_percent": 50.0, "covered_lines": 1, "total_lines": 2}}"#,
        r#"{"metrics": {"total_lines": 2, "covered_lines": 1}}"#,
    ] {
        let report = read(text);
        assert_eq!(report.format, crate::Format::SimpleCov, "{text}");
        assert_eq!(covered(&report, Counter::Line), Some((1, 2)), "{text}");
    }
}
