use super::*;

const NOTHING: Option<(u64, u64)> = None;

fn count(covered: u64, total: u64) -> Count {
    Count::new(covered, total).expect("a count")
}

/// Findings of a report that states counts and a rate, and lists lines in one file.
fn findings(stated: Option<(u64, u64)>, rate: &str, listed: Option<(u64, u64)>) -> Findings {
    let mut found = Findings::new(&Limits::default(), false);
    found.rate = Rate::parse(rate.as_bytes());
    let stated = stated.map(|(covered, total)| count(covered, total));
    found.stated.add(Counter::Line, stated);
    found.files.enter("a");
    if let Some((covered, total)) = listed {
        for line in 1..=total {
            found.files.line(
                u32::try_from(line).expect("few"),
                u64::from(line <= covered),
            );
        }
    }
    found
}

fn settled(stated: Option<(u64, u64)>, rate: &str, listed: Option<(u64, u64)>) -> Report {
    let report = findings(stated, rate, listed).settle(Format::Cobertura);
    report.expect("a report")
}

#[test]
fn stated_counts_precede_the_rate_and_the_lines() {
    let report = settled(Some((3, 4)), "0.1", Some((2, 4)));
    assert_eq!(report.total, Coverage::Counts(count(3, 4), Counter::Line));
    let warnings: Vec<_> = report.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "the coverage file states 10.00 %, but also 3 covered of 4, which is 75.00 %; the second percentage was used",
            "the coverage file states 75.00 % in total, but the sum of its files is 2 covered of 4 (line counts), which is 50.00 %",
        ]
    );
}

#[test]
fn the_rate_precedes_the_lines() {
    let report = settled(NOTHING, "0.64", Some((639, 1000)));
    assert!(matches!(report.total, Coverage::Rate(_)));
    assert_eq!(report.total.basis_points(), 6400);
    assert_eq!(report.warnings, []);
    let report = settled(Some((0, 0)), "0.64", Some((1, 2)));
    assert_eq!(report.total.basis_points(), 6400);
    assert_eq!(report.warnings.len(), 1);
}

#[test]
fn without_counts_and_rate_the_lines_are_the_total() {
    for stated in [NOTHING, Some((0, 0))] {
        let report = settled(stated, "NaN", Some((1, 2)));
        assert_eq!(report.total, Coverage::Counts(count(1, 2), Counter::Line));
        assert_eq!(report.warnings, []);
        assert_eq!(report.counters.get(Counter::Line), Some(count(1, 2)));
    }
}

#[test]
fn the_rate_of_0_of_0_does_not_contradict_the_lines() {
    for rate in ["1", "0", "NaN", ""] {
        let report = settled(Some((0, 0)), rate, Some((1, 2)));
        assert_eq!(report.total, Coverage::Counts(count(1, 2), Counter::Line));
        assert_eq!(report.warnings, []);
    }
}

#[test]
fn a_difference_of_one_point_is_not_a_contradiction() {
    assert_eq!(
        settled(Some((50, 100)), "0.51", Some((49, 100))).warnings,
        []
    );
    let report = settled(Some((5000, 10_000)), "", Some((4899, 10_000)));
    assert_eq!(report.warnings.len(), 1);
}

#[test]
fn different_counters_are_not_a_contradiction() {
    let mut found = findings(Some((3, 4)), "0.1", Some((2, 4)));
    found.is_comparable = false;
    let report = found.settle(Format::Cobertura).expect("a report");
    assert!(matches!(
        report.warnings[..],
        [Warning::RateDisagreement { .. }]
    ));
}

#[test]
fn zero_total_is_empty_regardless_of_the_rate() {
    let rate = Rate::parse(b"1");
    let report = settled(Some((0, 0)), "1", NOTHING);
    assert_eq!(report.total, Coverage::Empty { rate });
    for stated in [NOTHING, Some((0, 0))] {
        let report = settled(stated, "NaN", NOTHING);
        assert_eq!(report.total, Coverage::Empty { rate: None });
    }
}

#[test]
fn a_rate_without_lines_or_counts_is_a_rate() {
    let report = settled(NOTHING, "1", NOTHING);
    assert!(matches!(report.total, Coverage::Rate(_)));
}

#[test]
fn too_many_files_to_add_up_matter_only_without_a_stated_total() {
    let overflowed = |stated, rate| {
        let mut found = Findings::new(&Limits::for_testing(), false);
        found.rate = Rate::parse(str::as_bytes(rate));
        let stated = Option::map(stated, |(covered, total)| count(covered, total));
        found.stated.add(Counter::Line, stated);
        for file in 0..100 {
            found.files.enter(&file.to_string());
        }
        found.settle(Format::Clover)
    };
    assert!(overflowed(NOTHING, "").is_none());
    assert!(overflowed(Some((0, 0)), "").is_none());
    for report in [overflowed(NOTHING, "0.5"), overflowed(Some((1, 2)), "")] {
        let report = report.expect("a total");
        assert_eq!(report.files, []);
        assert_eq!(report.warnings, [Warning::TooManyFiles]);
    }
}

#[test]
fn the_first_counter_that_is_known_at_all_is_the_total() {
    let mut found = findings(NOTHING, "", NOTHING);
    found.total = &[Counter::Statement, Counter::Line];
    found.stated.add(Counter::Line, count(1, 4));
    found.files.add(Counter::Statement, count(3, 3));
    let report = found.settle(Format::Clover).expect("a report");
    assert_eq!(report.total, Coverage::Counts(count(1, 4), Counter::Line));
    assert_eq!(report.counters.get(Counter::Statement), Some(count(3, 3)));
}

#[test]
fn impossible_counts_are_skipped_with_one_warning() {
    let mut warnings = Warnings::default();
    assert_eq!(warnings.count(Some(3), None), None);
    assert_eq!(warnings.count(Some(2), Some(3)), Some(count(2, 3)));
    assert_eq!(warnings.count(Some(4), Some(3)), None);
    assert_eq!(warnings.count(Some(9), Some(8)), None);
    let first = Warning::MoreThanAll {
        covered: 4,
        total: 3,
    };
    assert_eq!(warnings.into_vec(), [first]);
}

#[test]
fn invalid_numbers_give_one_warning_for_each_name() {
    let mut warnings = Warnings::default();
    for (name, value) in [("a", "-1"), ("b", "NaN"), ("a", "x")] {
        let none: Option<u64> = warnings.checked(name, value.as_bytes(), None);
        assert_eq!(none, None);
    }
    let shown: Vec<_> = warnings
        .into_vec()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        shown,
        [
            "a=\"-1\" is not a number in range and was not used",
            "b=\"NaN\" is not a number in range and was not used",
        ]
    );
}
