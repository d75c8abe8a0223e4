use crate::{Counter, Coverage, Format, Limits, Report, ReportError};

fn try_read(text: &str) -> Result<Report, ReportError> {
    crate::read_with_lines(text.as_bytes(), &Limits::default())
}

fn read(text: &str) -> Report {
    let report = try_read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(report.format, Format::Coveralls, "{text}");
    report
}

fn lines(report: &Report, path: &str) -> Vec<(u32, u64)> {
    let file = report.files.iter().find(|file| file.path == path);
    let lines = file.expect("a file").lines.iter();
    lines.map(|at| (at.line, at.hits)).collect()
}

/// A report of the file `a.py` with these members.
fn of_file(members: &str) -> String {
    format!(r#"{{"source_files": [{{"name": "a.py", {members}}}]}}"#)
}

#[test]
fn the_list_of_a_file_begins_with_line_1() {
    let report = read(&of_file(r#""coverage": [null, 3, 0, null]"#));
    assert_eq!(lines(&report, "a.py"), [(2, 3), (3, 0)]);
    assert_eq!(report.total.basis_points(), 5000);
}

#[test]
fn the_members_of_a_file_and_of_the_job_come_in_any_order() {
    let report = read(
        r#"{"repo_token": "t", "git": {"head": {"id": "1"}, "remotes": [{"url": "u"}]}, "source_files": [
            {"branches": [1, 0, 1, 1], "coverage": [1], "source_digest": "d", "name": "a.py"},
            {"coverage": [null, 0], "name": "b.py", "source": "x"}], "parallel": true}"#,
    );
    assert_eq!(lines(&report, "a.py"), [(1, 1)]);
    assert_eq!(lines(&report, "b.py"), [(2, 0)]);
    assert_eq!(report.files.len(), 2);
}

#[test]
fn branches_are_named_by_block_and_branch_as_in_lcov() {
    let report = read(&of_file(
        r#""coverage": [2, 1], "branches": [1, 0, 2, 1, 1, 0, 9, 0, 2, 7, 70000, 0, 2, 7, -1, 3]"#,
    ));
    let branches = report.counters.get(Counter::Branch).expect("branches");
    assert_eq!((branches.covered(), branches.total()), (2, 4));
    let lcov = "SF:a.py\nDA:1,2\nDA:2,1\nBRDA:1,0,2,1\nBRDA:1,0,9,0\nBRDA:2,7,70000,0\nBRDA:2,7,-1,3\nend_of_record\n";
    assert_eq!(report.files, try_read(lcov).expect("LCOV").files);
}

#[test]
fn a_branch_without_a_line_does_not_count() {
    let report = read(&of_file(r#""coverage": [1], "branches": [-1, 0, 2, 1]"#));
    assert_eq!(report.counters.get(Counter::Branch), None);
}

#[test]
fn branches_that_are_no_groups_of_four_are_refused() {
    for (branches, found) in [
        ("[1, 0, 2]", "expected groups of four numbers, found \"2\""),
        (
            "[1, 0, 2, 1, 4]",
            "expected groups of four numbers, found \"4\"",
        ),
        ("[1, 0, 2, true]", "expected a number, found true"),
        ("[[1, 0, 2, 1]]", "expected a number, found an array"),
        ("{}", "expected an array, found an object"),
    ] {
        let text = of_file(&format!("\"coverage\": [1], \"branches\": {branches}"));
        let error = try_read(&text).expect_err(&text).to_string();
        assert!(error.ends_with(found), "{error}");
    }
}

#[test]
fn every_number_of_hits_has_its_meaning_and_other_values_are_refused() {
    for (value, hits) in [
        ("7", 7),
        ("2.0", 2),
        ("-1", 0),
        ("18446744073709551616", u64::MAX),
    ] {
        let report = read(&of_file(&format!("\"coverage\": [{value}]")));
        assert_eq!(lines(&report, "a.py"), [(1, hits)], "{value}");
    }
    for (value, found) in [
        ("\"1\"", "expected a number or null, found a string"),
        ("true", "expected a number or null, found true"),
        ("[1]", "expected a number or null, found an array"),
    ] {
        let text = of_file(&format!("\"coverage\": [{value}]"));
        let error = try_read(&text).expect_err(&text).to_string();
        assert!(error.starts_with("coveralls: line 1"), "{error}");
        assert!(error.ends_with(found), "{error}");
    }
}

#[test]
fn a_source_of_any_length_is_skipped() {
    let limits = Limits::for_testing();
    let source = r#"say(\"\\\");\n\u00e9 "#.repeat(limits.token_bytes);
    let text = of_file(&format!(
        "\"source\" \n:\t\"{source}\\\\\", \"coverage\": [1]"
    ));
    let report = crate::read(text.as_bytes(), &limits).expect("a report");
    assert_eq!(report.total.basis_points(), 10_000);
    let key = of_file(&format!("\"name\": \"{source}\", \"coverage\": [1]"));
    let error = crate::read(key.as_bytes(), &limits).expect_err("a name that is too long");
    assert!(error.to_string().contains("1024"), "{error}");
}

#[test]
fn a_source_that_is_cut_off_or_no_text_is_read_as_such() {
    for end in ["", "\\", "\\\\", "\\\""] {
        let text = format!("{{\"source_files\": [{{\"source\": \"abc{end}");
        let error = try_read(&text).expect_err(&text).to_string();
        assert!(error.ends_with("the file ends"), "{error}");
        assert!(error.contains(&format!("byte {}", text.len())), "{error}");
    }
    for value in ["null", "7", "[\"x\"]", "\"\""] {
        let report = read(&of_file(&format!("\"source\": {value}, \"coverage\": [1]")));
        assert_eq!(lines(&report, "a.py"), [(1, 1)], "{value}");
    }
    assert!(try_read(&of_file("\"source\" \"x\"")).is_err());
}

#[test]
fn a_job_without_files_or_lines_has_nothing_to_cover() {
    for text in [
        r#"{"source_files": []}"#,
        r#"{"source_files": [{"name": "a.py", "source": "", "coverage": []}]}"#,
        r#"{"source_files": [{"name": "a.py", "coverage": null, "branches": null}]}"#,
    ] {
        assert_eq!(read(text).total, Coverage::Empty { rate: None }, "{text}");
    }
    assert!(try_read(r#"{"source_files": {}}"#).is_err());
}

#[test]
fn a_file_that_appears_twice_counts_once() {
    let report = read(
        r#"{"source_files": [{"name": "a.py", "coverage": [1, 0]}, {"coverage": [0, 2, 0], "name": "a.py"}]}"#,
    );
    assert_eq!(report.files.len(), 1);
    let count = report.counters.get(Counter::Line).expect("lines");
    assert_eq!((count.covered(), count.total()), (2, 3));
}
