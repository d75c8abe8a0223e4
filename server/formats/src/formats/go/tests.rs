use crate::{Counter, Coverage, Limits, Report, ReportError};

fn outcome(text: &str) -> Result<Report, ReportError> {
    crate::read_with_lines(text.as_bytes(), &Limits::default())
}

fn statements(text: &str) -> (u64, u64) {
    match outcome(text)
        .unwrap_or_else(|error| panic!("{error}"))
        .total
    {
        Coverage::Counts(count, Counter::Statement) => (count.covered(), count.total()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_block_weighs_as_many_statements_as_it_has() {
    assert_eq!(
        statements("mode: set\na.go:1.2,3.4 3 1\na.go:5.1,5.9 1 0\n"),
        (3, 4)
    );
}

#[test]
fn a_repeated_block_counts_once_and_any_hit_covers_it() {
    let profiles = "mode: atomic\na.go:1.2,3.4 3 0\na.go:5.1,5.9 1 0\n\
                    mode: set\na.go:1.2,3.4 3 7\nb.go:1.2,3.4 3 0\nmode: count\na.go:1.2,3.4 3 0\n";
    assert_eq!(statements(profiles), (3, 7));
}

#[test]
fn blocks_without_statements_weigh_nothing() {
    assert_eq!(
        statements("mode: set\na.go:1.2,3.4 0 0\na.go:5.1,5.9 1 1\n"),
        (1, 1)
    );
    let report = outcome("mode: set\na.go:1.2,3.4 0 1\n").expect("a report");
    assert_eq!(report.total, Coverage::Empty { rate: None });
    let report = outcome("mode: set\n").expect("a report");
    assert_eq!(report.total, Coverage::Empty { rate: None });
}

#[test]
fn a_profile_may_lack_its_mode_and_have_blank_lines() {
    assert_eq!(statements("\na.go:1.2,3.4 3 1\r\n\r\n"), (3, 3));
}

#[test]
fn a_path_may_contain_any_characters() {
    let report =
        outcome("mode: set\nC:\\go, go/a b:1.2,3.4/v2.go:1.2,3.4 1 1\n").expect("a report");
    assert_eq!(report.files[0].path, "C:\\go, go/a b:1.2,3.4/v2.go");
}

#[test]
fn counts_that_overflow_become_the_largest_number() {
    let report = outcome("mode: atomic\na.go:1.2,1.9 1 99999999999999999999\n").expect("a report");
    assert_eq!(report.files[0].lines[0].hits, u64::MAX);
}

#[test]
fn lines_are_those_that_blocks_span() {
    let profile = "mode: count\na.go:10.1,12.2 3 2\na.go:12.2,14.3 1 0\na.go:20.5,20.9 1 0\n";
    let report = outcome(profile).expect("a report");
    let lines = report.files[0].counters.get(Counter::Line).expect("lines");
    assert_eq!((lines.covered(), lines.total()), (3, 6));
    let hits: Vec<_> = report.files[0]
        .lines
        .iter()
        .map(|at| (at.line, at.hits))
        .collect();
    assert_eq!(hits, [(10, 2), (11, 2), (12, 2), (13, 0), (14, 0), (20, 0)]);
}

#[test]
fn a_profile_cut_off_inside_a_line_is_refused() {
    let error = outcome("mode: set\na.go:1.2,3.4 3 1").expect_err("cut off");
    assert_eq!(
        error.to_string(),
        "go: line 2, byte 26: expected the end of the line, but the file ends"
    );
    assert!(outcome("mode: set").is_err());
    assert!(outcome("mode: se").is_err());
}

#[test]
fn a_line_that_is_not_a_block_is_refused() {
    for line in [
        "a.go:1.2,3.4 3",
        "a.go:1.2,3.4 3 x",
        "a.go:1.2,3.4 3 -1",
        "a.go:1.2,3.4 99999999999 1",
        "a.go:1,3 1 1",
        "a.go 1 1",
        "ok  \texample.org/parking\t0.002s",
    ] {
        let error = outcome(&format!("mode: set\n{line}\na.go:1.2,3.4 1 1\n")).expect_err(line);
        let message = error.to_string();
        let expected =
            "go: line 2, byte 10: expected path:line.column,line.column statements count, found";
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn impossible_spans_are_harmless() {
    let profile = "mode: set\na.go:9.9,1.1 1 1\na.go:0.0,4294967295.4294967295 4294967295 1\n";
    let report = crate::read(profile.as_bytes(), &Limits::default()).expect("a report");
    assert_eq!(report.total.basis_points(), 10_000);
    let with_lines = outcome(profile).expect("a report");
    assert_eq!(with_lines.files[0].lines, [], "four billion lines");
}
