use crate::{Counter, Coverage, Limits, Report};

fn read(text: &str) -> Report {
    crate::read_with_lines(text.as_bytes(), &Limits::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn covered(report: &Report, counter: Counter) -> Option<(u64, u64)> {
    let count = report.counters.get(counter)?;
    Some((count.covered(), count.total()))
}

fn lines(covered: u64, count: u64) -> String {
    format!("{{\"lines\": {{\"count\": {count}, \"covered\": {covered}, \"percent\": 12.5}}}}")
}

/// Lines and hits of a file with these segments.
fn hits(segments: &str) -> Vec<(u32, u64)> {
    let report = read(&format!(
        "{{\"data\": [{{\"files\": [{{\"filename\": \"a.c\", \"segments\": [{segments}]}}]}}]}}"
    ));
    let files = report.files.iter().flat_map(|file| &file.lines);
    files.map(|at| (at.line, at.hits)).collect()
}

#[test]
fn the_total_is_that_stated_for_the_whole() {
    let report = read(&format!(
        "{{\"data\": [{{\"files\": [{{\"filename\": \"a.c\", \"summary\": {}}}], \"totals\": {}}}]}}",
        lines(1, 1),
        lines(3, 4)
    ));
    assert_eq!(report.total.basis_points(), 7500);
}

#[test]
fn totals_of_several_exports_add_up() {
    let report = read(&format!(
        "{{\"data\": [{{\"totals\": {}}}, {{\"totals\": {}}}]}}",
        lines(1, 1),
        lines(2, 4)
    ));
    assert_eq!(covered(&report, Counter::Line), Some((3, 5)));
}

#[test]
fn without_a_total_the_files_add_up_in_any_order_of_keys() {
    let report = read(&format!(
        "{{\"data\": [{{\"files\": [{{\"summary\": {}, \"filename\": \"a.c\"}}, {{\"filename\": \"b.c\", \"summary\": {}}},
         {{\"summary\": {}}}]}}]}}",
        lines(1, 2),
        lines(2, 4),
        lines(1, 1)
    ));
    assert_eq!(covered(&report, Counter::Line), Some((4, 7)));
    let paths: Vec<_> = report.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths.iter().filter(|path| !path.is_empty()).count(), 2);
}

#[test]
fn regions_functions_and_branches_count_and_instantiations_do_not() {
    let counts = |name| format!("\"{name}\": {{\"count\": 4, \"covered\": 1, \"notcovered\": 3}}");
    let totals = [
        "regions",
        "functions",
        "branches",
        "instantiations",
        "mcdc",
        "lines",
    ]
    .map(counts);
    let report = read(&format!(
        "{{\"data\": [{{\"totals\": {{{}}}}}]}}",
        totals.join(",")
    ));
    for counter in [
        Counter::Line,
        Counter::Region,
        Counter::Function,
        Counter::Branch,
    ] {
        assert_eq!(covered(&report, counter), Some((1, 4)));
    }
    assert_eq!(report.counters.iter().count(), 4);
}

#[test]
fn the_version_is_that_of_the_tool_if_it_states_one() {
    let data = format!(
        "\"data\": [{{\"totals\": {}}}], \"version\": \"3.1.0\"",
        lines(1, 1)
    );
    let report = read(&format!("{{{data}}}"));
    assert_eq!(report.tool.name, None);
    assert_eq!(report.tool.version.as_deref(), Some("3.1.0"));
    let tool = "\"cargo_llvm_cov\": {\"version\": \"0.6.21\"}";
    for text in [format!("{{{data}, {tool}}}"), format!("{{{tool}, {data}}}")] {
        let report = read(&text);
        assert_eq!(report.tool.name.as_deref(), Some("cargo-llvm-cov"));
        assert_eq!(report.tool.version.as_deref(), Some("0.6.21"));
    }
}

#[test]
fn a_region_extends_to_its_end() {
    let segments = "[2, 1, 4, true, true, false], [5, 2, 0, false, false, false], [8, 1, 0, true, true, false], [8, 9, 0, false, false, false]";
    assert_eq!(hits(segments), [(2, 4), (3, 4), (4, 4), (5, 4), (8, 0)]);
}

#[test]
fn the_highest_count_on_a_line_is_its_hits() {
    let segments =
        "[1, 1, 2, true, true, false], [2, 5, 9, true, true, false], [2, 7, 2, true, false, false],
        [3, 5, 1, true, true, false], [3, 9, 0, false, false, false]";
    assert_eq!(hits(segments), [(1, 2), (2, 9), (3, 2)]);
}

#[test]
fn a_gap_gives_its_count_only_to_lines_after_it() {
    let segments = "[1, 1, 3, true, true, false], [1, 9, 0, true, true, true], [2, 5, 0, true, true, false], [2, 9, 0, false, false, false]";
    assert_eq!(hits(segments), [(1, 3), (2, 0)]);
    // A gap with a count still makes its line a line of code.
    assert_eq!(
        hits("[1, 1, 3, true, true, true], [1, 9, 0, false, false, false]"),
        [(1, 0)]
    );
}

#[test]
fn lines_that_the_preprocessor_left_out_have_no_hits() {
    let segments = "[1, 1, 3, true, true, false], [2, 1, 0, false, true, false], [4, 1, 3, true, false, false], [5, 1, 0, false, false, false]";
    assert_eq!(hits(segments), [(1, 3), (5, 3)]);
}

#[test]
fn flags_of_old_versions_are_numbers_and_gaps_unknown() {
    assert_eq!(hits("[1, 1, 2, 1, 1], [2, 3, 0, 0, 0]"), [(1, 2), (2, 2)]);
}

#[test]
fn impossible_segments_are_harmless() {
    assert!(hits("").is_empty() && hits("[]").is_empty());
    assert_eq!(
        hits("[3, 1, 1, true, true, false], [1, 1, 2, true, true, false]"),
        [(1, 2), (3, 1)]
    );
    let endless = "{\"data\": [{\"files\": [{\"filename\": \"a.c\", \"segments\":
        [[1, 1, 1, true, true], [4294967295, 1, 1, true, true]]}], \"totals\": {\"lines\": {\"count\": 2, \"covered\": 1}}}]}";
    let report = read(endless);
    assert_eq!(report.files[0].lines, [], "four billion lines");
    assert_eq!(report.total.basis_points(), 5000);
}

#[test]
fn an_export_of_nothing_has_nothing_to_cover() {
    let report = read(&format!(
        "{{\"data\": [{{\"files\": [], \"totals\": {}}}]}}",
        lines(0, 0)
    ));
    assert_eq!(report.total, Coverage::Empty { rate: None });
}
