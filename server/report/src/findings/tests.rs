use super::*;

fn count(covered: u64, total: u64) -> Option<Count> {
    Some(Count::new(covered, total).expect("a count"))
}

fn findings(stated: Option<Count>, rate: &str, counted: Option<Count>) -> Findings {
    Findings {
        stated,
        rate: Rate::parse(rate.as_bytes()),
        ..Findings::of_lines(counted)
    }
}

fn settled(stated: Option<Count>, rate: &str, counted: Option<Count>) -> Report {
    let report = findings(stated, rate, counted).settle(Format::Cobertura);
    report.expect("a report")
}

#[test]
fn stated_counts_come_before_the_rate_and_the_lines() {
    let report = settled(count(3, 4), "0.1", count(2, 4));
    assert_eq!(report.lines.basis_points(), 7500);
    assert_eq!(
        report.warnings,
        [Warning::Disagreement {
            stated: 7500,
            counted: Count::new(2, 4).expect("a count")
        }]
    );
    assert_eq!(
        report.warnings[0].to_string(),
        "the report states 75.00 % in total, but 2 of the 4 lines it lists are covered, which is 50.00 %"
    );
}

#[test]
fn the_rate_comes_before_the_lines() {
    let report = settled(None, "0.64", count(639, 1000));
    assert!(matches!(report.lines, Coverage::Rate(_)));
    assert_eq!(report.lines.basis_points(), 6400);
    assert_eq!(report.warnings, []);
    let report = settled(count(0, 0), "0.64", count(1, 2));
    assert_eq!(report.lines.basis_points(), 6400);
    assert_eq!(report.warnings.len(), 1);
}

#[test]
fn without_counts_and_rate_the_lines_are_the_total() {
    for stated in [None, count(0, 0)] {
        let report = settled(stated, "NaN", count(1, 2));
        assert_eq!(
            report.lines,
            Coverage::Counts(Count::new(1, 2).expect("a count"), Counter::Line)
        );
        assert_eq!(report.warnings, []);
    }
}

#[test]
fn a_difference_of_one_point_is_no_disagreement() {
    assert_eq!(settled(count(50, 100), "", count(49, 100)).warnings, []);
    assert_eq!(
        settled(count(5000, 10_000), "", count(4899, 10_000))
            .warnings
            .len(),
        1
    );
}

#[test]
fn nothing_to_cover_is_empty_whatever_the_rate_says() {
    assert_eq!(
        settled(count(0, 0), "1", count(0, 0)).lines,
        Coverage::Empty {
            rate: Rate::parse(b"1")
        }
    );
    for stated in [None, count(0, 0)] {
        let report = settled(stated, "NaN", count(0, 0));
        assert_eq!(report.lines, Coverage::Empty { rate: None });
    }
}

#[test]
fn a_rate_without_lines_or_counts_is_a_rate() {
    assert!(matches!(
        settled(None, "1", count(0, 0)).lines,
        Coverage::Rate(_)
    ));
}

#[test]
fn too_many_lines_to_count_matter_only_without_a_stated_total() {
    assert!(findings(None, "", None).settle(Format::Clover).is_none());
    assert!(
        findings(count(0, 0), "", None)
            .settle(Format::Clover)
            .is_none()
    );
    assert!(findings(None, "0.5", None).settle(Format::Clover).is_some());
    assert!(
        findings(count(1, 2), "", None)
            .settle(Format::Clover)
            .is_some()
    );
}

#[test]
fn branches_and_functions_of_none_are_not_stated() {
    let mut findings = findings(count(1, 2), "", count(1, 2));
    (findings.branches, findings.functions) = (count(0, 0), count(0, 3));
    let report = findings.settle(Format::Jacoco).expect("a report");
    assert_eq!((report.branches, report.functions), (None, count(0, 3)));
}

#[test]
fn counts_that_cannot_be_are_passed_over_with_one_warning() {
    let mut warnings = Vec::new();
    assert_eq!(stated(Some(3), None, &mut warnings), None);
    assert_eq!(stated(Some(2), Some(3), &mut warnings), count(2, 3));
    assert_eq!(warnings, []);
    assert_eq!(stated(Some(4), Some(3), &mut warnings), None);
    assert_eq!(stated(Some(9), Some(8), &mut warnings), None);
    assert_eq!(
        warnings,
        [Warning::MoreThanAll {
            covered: 4,
            total: 3
        }]
    );
}
