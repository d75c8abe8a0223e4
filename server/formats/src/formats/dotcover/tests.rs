use crate::{Count, Counter, Coverage, Limits, Report};

fn read(root: &str, inside: &str) -> Report {
    let xml = format!("<Root DotCoverVersion='2025.2' {root}>{inside}</Root>");
    crate::read(xml.as_bytes(), &Limits::default()).expect("a report")
}

const DETAILS: &str = "<FileIndices><File Index='1' Name='a.cs'/><File Index='2' Name='b.cs'/></FileIndices>
    <Assembly Name='A'><Namespace Name='N'><Type Name='T'>
    <Method Name='M()'><Statement FileIndex='1' Line='1' Covered='True'/><Statement FileIndex='1' Line='1' Covered='False'/></Method>
    <Type Name='U'><Property Name='P'><Method Name='get()'><Statement FileIndex='2' Line='3' Covered='true'/></Method></Property></Type>
    </Type></Namespace><Type Name='T'><Method Name='M()'><Statement FileIndex='1' Line='9' Covered='False'/></Method></Type></Assembly>";

fn count(report: &Report) -> (u64, u64) {
    match report.total {
        Coverage::Counts(count, Counter::Statement) => (count.covered(), count.total()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_counts_of_the_root_are_the_total_and_the_rounded_percentage_is_not() {
    let report = read(
        "CoveredStatements='163' TotalStatements='234' CoveragePercent='70'",
        "",
    );
    assert_eq!(count(&report), (163, 234));
    assert_eq!(report.warnings, []);
}

#[test]
fn without_counts_the_statements_are_the_total() {
    for root in [
        "",
        "CoveragePercent='70'",
        "CoveredStatements='7' CoveragePercent='1'",
        "CoveredStatements='2' TotalStatements='1'",
    ] {
        assert_eq!(count(&read(root, DETAILS)), (2, 4), "{root}");
    }
}

#[test]
fn without_counts_and_statements_the_percentage_is_the_total() {
    let report = read("CoveragePercent='70'", "<Assembly Name='A'/>");
    assert!(matches!(report.total, Coverage::Rate(_)));
    assert_eq!(report.total.basis_points(), 7000);
    for root in ["CoveragePercent='101'", "CoveragePercent='NaN'", ""] {
        assert_eq!(
            read(root, "").total,
            Coverage::Empty { rate: None },
            "{root}"
        );
    }
}

#[test]
fn statements_are_found_at_any_depth_and_of_their_files() {
    let report = read("", DETAILS);
    let counters = [Counter::Statement, Counter::Line, Counter::Function];
    for (index, path, expected) in [
        (0, "a.cs", [(1, 3), (1, 2), (1, 2)]),
        (1, "b.cs", [(1, 1), (1, 1), (1, 1)]),
    ] {
        let file = &report.files[index];
        assert_eq!(file.path, path);
        for (counter, (covered, total)) in counters.into_iter().zip(expected) {
            assert_eq!(
                file.counters.get(counter),
                Count::new(covered, total),
                "{path} {counter}"
            );
        }
    }
}

#[test]
fn methods_of_a_file_in_two_assemblies_count_once() {
    let assembly = "<Assembly Name='NAME'><Type Name='T'><Method Name='M()'><Statement FileIndex='1' Line='1' Covered='False'/></Method></Type></Assembly>";
    let two = [
        assembly.replace("NAME", "A"),
        assembly.replace("NAME", "B").replace("False", "True"),
    ]
    .concat();
    let report = read("", &two);
    let functions = report.counters.get(Counter::Function).expect("functions");
    assert_eq!((functions.covered(), functions.total()), (1, 1));
    assert_eq!(count(&report), (1, 2));
}
