use super::*;
use store::{FilesEncoder, TooManyFiles};

fn read(text: &str) -> Report {
    formats::read(text.as_bytes(), &formats::Limits::default()).expect("a report")
}

#[test]
fn details_besides_the_totals_are_kept() {
    let mut report = read(
        "<coverage version='7.6' line-rate='0.1'><packages><package><classes>
           <class filename='/w/src/a.py'><lines><line number='1' hits='1'/><line number='2' hits='0'/></lines></class>
           <class filename='/w/src/b/c.py'><lines><line number='1' hits='1'/></lines></class>
         </classes></package></packages></coverage>",
    );
    let details = take_details(&mut report, None, &GlobList::default()).0;
    assert!(report.files.is_empty());
    assert_eq!(details.files.root, "/w/src/");
    assert_eq!(
        (details.files.count, details.files.counter.as_str()),
        (2, "line")
    );
    assert_eq!(details.counters[0].counter, "line");
    assert!(
        details
            .warnings
            .iter()
            .all(|warning| warning.ends_with('.') && warning.starts_with('T')),
        "{:?}",
        details.warnings
    );
    assert!(details.tool.is_some_and(|tool| tool.contains("7.6")));
}

#[test]
fn a_coverage_file_without_files_keeps_its_counters() {
    let mut report = read("<coverage lines-covered='8' lines-valid='10' line-rate='0.8'/>");
    let details = take_details(&mut report, None, &GlobList::default()).0;
    assert_eq!(details.files, StoredFiles::default());
    assert_eq!(
        details.counters[0].count,
        Count {
            covered: 8,
            total: 10
        }
    );
}

#[test]
fn files_beyond_the_limit_are_dropped_with_a_warning() {
    let mut report = read("<coverage lines-covered='8' lines-valid='10' line-rate='0.8'/>");
    report.files = (0..200_001)
        .map(|number| formats::FileCoverage {
            path: number.to_string(),
            counters: formats::Counters::default(),
            lines: Vec::new(),
            partial: Vec::new(),
            branches: Vec::new(),
            tests: Vec::new(),
        })
        .collect();
    let details = take_details(&mut report, None, &GlobList::default()).0;
    assert_eq!(details.files.encoded, None);
    assert!(
        details
            .warnings
            .iter()
            .any(|warning| warning.contains("more files than the service stores"))
    );
}

#[test]
fn lines_of_a_path_over_4096_bytes_are_left_out_with_a_warning() {
    let lcov = |length: usize| {
        let long = "b".repeat(length);
        format!("SF:a.c\nDA:1,1\nend_of_record\nSF:{long}\nDA:1,1\nend_of_record\n")
    };
    let taken = |length: usize| {
        let lcov = lcov(length);
        let report = formats::read_with_lines(lcov.as_bytes(), &formats::Limits::default());
        let (details, lines, _) = take_details(
            &mut report.expect("a coverage file"),
            None,
            &GlobList::default(),
        );
        let coverable = lines.expect("lines").0.counts().coverable();
        (coverable, details.warnings)
    };
    assert_eq!(taken(4_096), (2, Vec::new()));
    let (coverable, warnings) = taken(4_097);
    assert_eq!(coverable, 1);
    assert_eq!(
        warnings,
        ["The lines of 1 file are left out: its path is longer than 4096 bytes."]
    );
}

#[test]
fn paths_that_become_equal_are_one_file_with_summed_counts() {
    let mut encoder = FilesEncoder::new();
    let counts = FileCounts {
        lines: Count {
            covered: 1,
            total: 2,
        },
        ..FileCounts::default()
    };
    encoder.add("a/b.c", counts).expect("room");
    encoder.add("a/b.c", counts).expect("room");
    let (files, _) = encoder
        .finish()
        .unwrap_or_else(|TooManyFiles| (0, Vec::new()));
    assert_eq!(files, 1);
}
