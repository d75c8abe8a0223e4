use crate::{Count, Counter, Coverage, Limits, Report, Warning};

fn read(root: &str, classes: &str) -> Report {
    let xml = format!(
        "<coverage {root}><packages><package><classes>{classes}</classes></package></packages></coverage>"
    );
    crate::read(xml.as_bytes(), &Limits::default()).expect("a report")
}

fn lines_of(classes: &str) -> (u64, u64) {
    match read("", classes).total {
        Coverage::Counts(count, Counter::Line) => (count.covered(), count.total()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn stated_counts_precede_the_rounded_rate() {
    let report = read(
        "lines-covered='259' lines-valid='263' line-rate='0.9847'",
        "",
    );
    assert_eq!(report.total.basis_points(), 9848);
    let report = read(
        "lines-covered='158' lines-valid='217' line-rate='0.364'",
        "",
    );
    assert_eq!(report.total.basis_points(), 7281);
}

#[test]
fn a_summary_without_any_lines_is_enough() {
    assert_eq!(
        read("lines-covered='3577' lines-valid='4534'", "")
            .total
            .basis_points(),
        7889
    );
    assert_eq!(read("line-rate='0,6402'", "").total.basis_points(), 6402);
}

#[test]
fn incomplete_or_invalid_counts_are_not_used() {
    for root in [
        "lines-valid='4' line-rate='0.5'",
        "lines-covered='4' line-rate='0.5'",
        "lines-covered='-1' lines-valid='4' line-rate='0.5'",
        "lines-covered='1.5' lines-valid='4' line-rate='0.5'",
        "lines-covered='99999999999999999999' lines-valid='99999999999999999999' line-rate='0.5'",
    ] {
        assert_eq!(read(root, "").total.basis_points(), 5000, "{root}");
    }
}

#[test]
fn without_a_valid_rate_the_lines_are_the_total() {
    let class = "<class filename='a'><lines><line number='1' hits='1'/><line number='2' hits='0'/></lines></class>";
    for rate in ["NaN", "∞", "-1", "78", ""] {
        let report = read(&format!("line-rate='{rate}'"), class);
        assert_eq!(report.total.basis_points(), 5000, "{rate}");
    }
}

#[test]
fn zero_total_reads_the_stated_rate() {
    for (rate, basis_points) in [("1", 10_000), ("1.0", 10_000), ("0", 0), ("NaN", 0)] {
        let report = read(
            &format!("lines-valid='0' lines-covered='0' line-rate='{rate}'"),
            "",
        );
        assert!(matches!(report.total, Coverage::Empty { .. }), "{rate}");
        assert_eq!(report.total.basis_points(), basis_points, "{rate}");
    }
}

#[test]
fn lines_of_methods_do_not_count() {
    let class = "<class filename='a'>
        <methods><method><lines><line number='1' hits='0'/><line number='9' hits='0'/></lines></method></methods>
        <lines><line number='1' hits='1'><conditions><condition number='7'/></conditions></line></lines></class>";
    assert_eq!(lines_of(class), (1, 1));
}

#[test]
fn lines_of_methods_count_where_a_class_has_no_element_for_lines() {
    let methods = "<methods><method name='m'><lines><line number='1' hits='1'/>
        <line number='2' hits='0' condition-coverage='50% (1/2)'/></lines></method></methods>";
    let without = format!("<class filename='a'>{methods}</class>");
    assert_eq!(lines_of(&without), (1, 2));
    let report = read("", &without);
    assert_eq!(report.counters.get(Counter::Branch), Count::new(1, 2));
    assert_eq!(report.counters.get(Counter::Function), Count::new(1, 1));
    let with_none = format!("<class filename='a'>{methods}<lines/></class>");
    assert_eq!(read("", &with_none).total, Coverage::Empty { rate: None });
    let next = format!("{without}<class filename='b'/>");
    assert_eq!(lines_of(&next), (1, 2));
}

#[test]
fn classes_of_one_file_share_its_lines() {
    let classes = "<class name='A' filename='a'><lines><line number='1' hits='0'/><line number='2' hits='0'/></lines></class>
        <class name='B' filename='b'><lines><line number='1' hits='0'/></lines></class>
        <class name='A$1' filename='a'><lines><line number='2' hits='3'/></lines></class>";
    assert_eq!(lines_of(classes), (1, 3));
}

#[test]
fn classes_without_a_file_name_are_identified_by_class_name() {
    let classes = "<class name='A'><lines><line number='1' hits='0'/></lines></class>
        <class name='B'><lines><line number='1' hits='1'/></lines></class>";
    assert_eq!(lines_of(classes), (1, 2));
}

#[test]
fn hits_are_read_in_every_form_that_tools_write() {
    let line = |number: usize, hits: &str| format!("<line number='{number}' hits='{hits}'/>");
    let hit = [
        "1",
        "100000000000",
        "99999999999999999999999",
        "1,000",
        "2.0",
    ];
    let missed = ["0", "-1", "-710", "", "NaN"];
    let lines: String = hit
        .iter()
        .chain(&missed)
        .enumerate()
        .map(|(n, hits)| line(n + 1, hits))
        .collect();
    assert_eq!(
        lines_of(&format!("<class><lines>{lines}</lines></class>")),
        (5, 10)
    );
}

#[test]
fn lines_without_a_number_and_line_0_are_skipped() {
    let class = "<class><lines><line number='undefined' hits='1'/><line hits='1'/><line number='-3' hits='1'/>
        <line number='99999999999' hits='1'/><line number='0' hits='1'/><line number='2' hits='0'/></lines></class>";
    assert_eq!(lines_of(class), (0, 1));
}

#[test]
fn classes_are_found_inside_any_elements() {
    let xml = "<coverage line-rate='NaN'><class filename='a'><lines><line number='1' hits='1'/></lines></class>
        <packages><class filename='b'><lines/></class><group><classes><class filename='c'>
        <lines><line number='1' hits='1'/></lines></class></classes></group></packages></coverage>";
    let report = crate::read(xml.as_bytes(), &Limits::default()).expect("a report");
    assert_eq!(
        report.total,
        Coverage::Counts(Count::new(2, 2).expect("a count"), Counter::Line)
    );
}

#[test]
fn a_total_contradicted_by_the_lines_is_kept_with_a_warning() {
    let class = "<class filename='a'><lines><line number='1' hits='1'/></lines></class>";
    let report = read("lines-covered='702' lines-valid='10000'", class);
    assert_eq!(report.total.basis_points(), 702);
    assert!(matches!(
        report.warnings[..],
        [Warning::Disagreement { stated: 702, .. }]
    ));
}

#[test]
fn more_covered_than_valid_falls_back_to_the_lines() {
    let class = "<class filename='a'><lines><line number='1' hits='1'/></lines></class>";
    let report = read("lines-covered='5' lines-valid='4'", class);
    assert_eq!(report.total.basis_points(), 10_000);
    assert_eq!(
        report.warnings,
        [Warning::MoreThanAll {
            covered: 5,
            total: 4
        }]
    );
}

#[test]
fn branches_are_those_stated_for_the_whole() {
    let report = read("line-rate='1' branches-covered='3' branches-valid='8'", "");
    assert_eq!(report.counters.get(Counter::Branch), Count::new(3, 8));
    assert_eq!(
        read("line-rate='1' branches-covered='0' branches-valid='0'", "")
            .counters
            .get(Counter::Branch),
        None
    );
    assert_eq!(
        read("line-rate='1' branch-rate='0.5'", "")
            .counters
            .get(Counter::Branch),
        None
    );
}

#[test]
fn namespace_prefixes_are_ignored() {
    let xml = "<c:coverage xmlns:c='u' line-rate='NaN'><c:class><c:lines><c:line number='1' hits='1'/></c:lines></c:class></c:coverage>";
    let report = crate::read(xml.as_bytes(), &Limits::default()).expect("a report");
    assert_eq!(report.total.basis_points(), 10_000);
}

#[test]
fn conditions_are_read_in_every_form_that_tools_write() {
    for (conditions, expected) in [
        ("50% (1/2)", Count::new(1, 2)),
        ("50.0% (1/2)", Count::new(1, 2)),
        ("33,33 % ( 1 / 3 ) ", Count::new(1, 3)),
        ("(2/2)", Count::new(2, 2)),
        ("50%", None),
        ("50% (3/2)", None),
        ("50% (1/2", None),
        ("50% (-1/2)", None),
        ("(/)", None),
        ("", None),
    ] {
        let report = read(
            "",
            &format!(
                "<class filename='a'><lines><line number='1' hits='1' condition-coverage='{conditions}'/></lines></class>"
            ),
        );
        assert_eq!(
            report.counters.get(Counter::Branch),
            expected,
            "{conditions:?}"
        );
    }
}

#[test]
fn the_tool_is_named_by_a_comment() {
    for (comment, name) in [
        (
            "<!-- Generated by coverage.py: https://x -->",
            Some("coverage.py"),
        ),
        (
            "<!--Generated by simplecov-cobertura version 2.1.0 (x)-->",
            Some("simplecov-cobertura"),
        ),
        ("<!--Generated by it-->", Some("it")),
        ("<!-- Made by hand -->", None),
    ] {
        let xml = format!("{comment}<coverage line-rate='1' version='2'/>");
        let report = crate::read(xml.as_bytes(), &Limits::default()).expect("a report");
        assert_eq!(report.tool.name.as_deref(), name, "{comment}");
    }
}

#[test]
fn lines_of_methods_take_memory_only_until_their_class_ends() {
    let line = "<lines><line number='1' hits='1'/></lines>";
    let class =
        format!("<class filename='a'><methods><method>{line}</method></methods>{line}</class>");
    let xml = format!(
        "<coverage><packages>{}</packages></coverage>",
        class.repeat(1000)
    );
    let report = crate::read(xml.as_bytes(), &Limits::for_testing()).expect("a report");
    assert_eq!(report.counters.get(Counter::Line), Count::new(1, 1));
}

#[test]
fn sources_are_the_folders_that_the_report_names() {
    let sources = |sources: &str| {
        let xml =
            format!("<coverage line-rate='1'><sources>{sources}</sources><packages/></coverage>");
        crate::read(xml.as_bytes(), &Limits::default())
            .expect("a report")
            .sources
    };
    let found = sources("<source>/job/src</source><source> C:\\a &amp; b </source><source/>");
    assert_eq!(found, ["/job/src", "C:\\a & b"]);
    assert_eq!(sources(&"<source>a</source>".repeat(200)).len(), 100);
    let long = format!("<source>{}</source>", "a".repeat(5_000));
    assert_eq!(sources(&long), [""; 0]);
}
