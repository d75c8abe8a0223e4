use crate::{Count, Counter, Counters, Coverage, Limits, Report, ReportError, Warning};

fn outcome(text: &str) -> Result<Report, ReportError> {
    crate::read_with_lines(text.as_bytes(), &Limits::default())
}

fn read(text: &str) -> Report {
    outcome(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The counters of one record of one file.
fn counters(record: &str) -> Counters {
    let report = read(&format!("SF:a\n{record}\nend_of_record\n"));
    report.counters
}

fn covered(counters: &Counters, counter: Counter) -> Option<(u64, u64)> {
    let count = counters.get(counter)?;
    Some((count.covered(), count.total()))
}

#[test]
fn lines_of_one_path_count_once_over_all_records() {
    let report = read(
        "TN:one\nSF:a\nDA:1,1\nDA:2,0\nend_of_record\nSF:b\nDA:1,0\nend_of_record\n\
         TN:two\nSF:a\nDA:2,3\nDA:3,0\nDA:3,0\nend_of_record\n",
    );
    assert_eq!(
        report.total,
        Coverage::Counts(Count::new(2, 4).expect("a count"), Counter::Line)
    );
    assert_eq!(report.files.len(), 2);
}

#[test]
fn stated_counts_of_a_record_are_used_only_if_it_lists_nothing() {
    let all = counters("DA:1,1\nLF:9\nLH:0\nFN:1,f\nFNF:9\nFNH:0\nBRDA:1,0,0,1\nBRF:9\nBRH:0");
    for counter in [Counter::Line, Counter::Function, Counter::Branch] {
        let listed = (counter != Counter::Function).into();
        assert_eq!(covered(&all, counter), Some((listed, 1)));
    }
    let stated = counters("LH:3\nLF:4\nFNF:2\nFNH:1\nBRF:6\nBRH:5");
    assert_eq!(covered(&stated, Counter::Line), Some((3, 4)));
    assert_eq!(covered(&stated, Counter::Function), Some((1, 2)));
    assert_eq!(covered(&stated, Counter::Branch), Some((5, 6)));
}

#[test]
fn impossible_stated_counts_are_not_used() {
    assert_eq!(covered(&counters("LF:4\nLH:5"), Counter::Line), None);
    assert_eq!(covered(&counters("LF:4\nLH:-1"), Counter::Line), None);
    assert_eq!(covered(&counters("LF:4"), Counter::Line), None);
}

#[test]
fn impossible_counts_give_a_warning_only_if_nothing_is_listed() {
    for (listed, stated) in [
        ("DA:1,1", "LF:1\nLH:2"),
        ("FN:1,f", "FNF:1\nFNH:2"),
        ("BRDA:1,0,0,1", "BRF:1\nBRH:2"),
    ] {
        let both = read(&format!("SF:a\n{listed}\n{stated}\nend_of_record\n"));
        assert_eq!(both.warnings, [], "{listed}");
        let only_stated = read(&format!("SF:a\n{stated}\nend_of_record\n"));
        let (covered, total) = (2, 1);
        let warning = Warning::MoreThanAll { covered, total };
        assert_eq!(only_stated.warnings, [warning], "{stated}");
    }
}

#[test]
fn hits_are_read_in_every_form_that_tools_write() {
    let lines = "DA:1,1,c2lnbg==\nDA:2,18446744073709551615\nDA:3,1.0e+19\nDA:4,99999999999999999999\n\
                 DA:5,0\nDA:6,-3\nDA:7,-\nDA:8,1.a0e+19\nDA:9,=====";
    assert_eq!(covered(&counters(lines), Counter::Line), Some((4, 9)));
}

#[test]
fn lines_without_number_or_hits_are_skipped() {
    let lines = "DA:\nDA:1\nDA:2,\nDA:x,1\nDA:-1,1\nDA:1.,2\nDA:99999999999,1\nDA:3,1";
    assert_eq!(covered(&counters(lines), Counter::Line), Some((1, 1)));
}

#[test]
fn functions_are_identified_by_name_in_old_and_new_records() {
    let old = "FN:1,f\nFN:2,9,g(int, char)\nFN:3,1st\nFNDA:2,f\nFNDA:0,g(int, char)\nFNDA:-1,1st\nFNDA:1,f";
    assert_eq!(covered(&counters(old), Counter::Function), Some((1, 3)));
    let new = "FNL:0,1,4\nFNA:0,2,f(a, b)\nFNA:0,0,alias\nFNL:1,6\nFNA:1,0,g";
    assert_eq!(covered(&counters(new), Counter::Function), Some((1, 3)));
    let nothing = "FN:1\nFN:1,\nFNDA:3\nFNA:0,1\nFNL:0,1";
    assert_eq!(covered(&counters(nothing), Counter::Function), None);
}

#[test]
fn branches_are_identified_by_line_block_and_branch() {
    let lines =
        "BRDA:1,0,0,1\nBRDA:1,0,1,-\nBRDA:1,1,0,0\nBRDA:2,0,0,-1\nBRDA:1,0,1,5\nBRDA:1,70000,2,1";
    assert_eq!(covered(&counters(lines), Counter::Branch), Some((3, 5)));
}

#[test]
fn many_branches_of_one_line_take_little_memory() {
    let lines: String = (0..500)
        .map(|branch| format!("BRDA:1,0,{branch},1\n"))
        .collect();
    let text = format!("SF:a\n{lines}end_of_record\n");
    let report = crate::read(text.as_bytes(), &Limits::for_testing()).expect("a report");
    assert_eq!(covered(&report.counters, Counter::Branch), Some((500, 500)));
}

#[test]
fn exception_branches_count_and_unreachable_branches_do_not() {
    let lines = "BRDA:1,e0,0,1\nBRDA:1,0,0,0\nBRDA:1,f0,1,0\nBRDA:1,U0,2,1\nBRDA:1,eU0,3,1";
    assert_eq!(covered(&counters(lines), Counter::Branch), Some((1, 2)));
}

#[test]
fn branches_may_be_expressions() {
    let lines = "BRDA:1,0,(a, b) > 0,1\nBRDA:1,0,(a, b) <= 0,0\nBRDA:1,0,(a, b) > 0,-";
    assert_eq!(covered(&counters(lines), Counter::Branch), Some((1, 2)));
    for nothing in ["BRDA:", "BRDA:1", "BRDA:1,0", "BRDA:1,0,1", "BRDA:x,0,0,1"] {
        assert_eq!(
            covered(&counters(nothing), Counter::Branch),
            None,
            "{nothing}"
        );
    }
}

#[test]
fn unknown_records_are_skipped() {
    let report = read(
        "\u{FEFF}# a comment\n\nTN: a name\nSF: a.c\nVER:1\nMCDC:1,1,t,1,0,a\nMCF:2\nMCH:2\n# another\nDA:1,1\n\
         new function() {\nDA:2,0\nend_of_record\n\nEOF\n",
    );
    assert_eq!(report.total.basis_points(), 5000);
    assert_eq!(report.files[0].path, "a.c");
}

#[test]
fn a_record_of_no_file_does_not_count() {
    let report = read(
        "TN:x\nDA:7,1\nSF:\nDA:8,1\nLF:3\nLH:3\nend_of_record\nDA:9,1\nSF:a\nDA:1,0\nend_of_record",
    );
    assert_eq!(covered(&report.counters, Counter::Line), Some((0, 1)));
    assert_eq!(report.files.len(), 1);
}

#[test]
fn a_record_may_lack_its_end_only_where_another_begins() {
    let report = read("SF:a\nDA:1,1\nSF:b\nDA:1,0\nTN:\nKF:c\nDA:1,1\nend_of_record");
    assert_eq!(covered(&report.counters, Counter::Line), Some((2, 3)));
    for cut in [
        "SF:a\nDA:1,1\n",
        "SF:a\n",
        "TN:\n",
        "SF:a\nend_of_record\nTN:",
        "SF:a\nend_of_recor",
        "SF:a\nend_of_record\nS",
    ] {
        let error = outcome(cut).expect_err(cut).to_string();
        assert!(
            error.ends_with("expected end_of_record, but the file ends"),
            "{error}"
        );
    }
    assert_eq!(
        outcome("TN:\nSF:src/a.c\nDA:1,1\n")
            .expect_err("cut off")
            .to_string(),
        "lcov: line 4, byte 22, in SF:src/a.c: expected end_of_record, but the file ends"
    );
}

#[test]
fn windows_line_ends_and_utf_16_are_read() {
    let text = "TN:\r\nSF:C:\\src\\é.c\r\nDA:1,1\r\nDA:2,0\r\nend_of_record\r\n";
    let marked = format!("\u{FEFF}{text}");
    let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [text.as_bytes(), marked.as_bytes(), &wide] {
        let report = crate::read(bytes, &Limits::default()).expect("a report");
        assert_eq!(report.total.basis_points(), 5000);
        assert_eq!(report.files[0].path, "C:\\src\\é.c");
    }
}

#[test]
fn a_file_without_records_of_lines_has_nothing_to_cover() {
    let report = read("TN:\nSF:a\nFNF:0\nFNH:0\nLF:0\nLH:0\nend_of_record\n");
    assert_eq!(report.total, Coverage::Empty { rate: None });
}

#[test]
fn branches_with_numbers_have_the_same_names_in_all_releases() {
    for (block, branch, expected) in [
        (0, 1, 16),
        (3, 63, 4080),
        (2, 64, 2_147_615_744),
        (40_000, 70, 2_621_441_120),
    ] {
        let name = super::numbered(block, branch);
        assert_eq!(name.number(), expected, "{block},{branch}");
    }
}

#[test]
fn the_test_name_holds_for_the_records_after_it() {
    let report = read(
        "TN:one\nSF:a\nDA:1,1\nDA:2,0\nend_of_record\nSF:b\nDA:1,3\nend_of_record\n\
         TN:\nSF:b\nDA:2,1\nend_of_record\nTN:two\nSF:a\nDA:1,2\nDA:2,3\nend_of_record\n",
    );
    let pairs = |file: usize| -> Vec<_> {
        let pairs = report.files[file].tests.iter();
        let pairs = pairs.map(|pair| (pair.line, report.tests[pair.test as usize].as_str()));
        pairs.collect()
    };
    assert_eq!(pairs(0), [(1, "one"), (1, "two"), (2, "two")]);
    assert_eq!(pairs(1), [(1, "one")]);
}

#[test]
fn one_name_for_all_records_is_no_test() {
    let report =
        read("TN:unit\nSF:a\nDA:1,1\nend_of_record\nTN:unit\nSF:b\nDA:1,3\nend_of_record\n");
    assert!(report.tests.is_empty());
    assert!(report.files.iter().all(|file| file.tests.is_empty()));
}
