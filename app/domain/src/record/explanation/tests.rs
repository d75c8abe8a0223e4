use super::*;
use crate::{PartContent, RecordPart, Timestamp};

fn count(covered: u64, total: u64) -> Count {
    Count { covered, total }
}

fn group(cause: ChangeCause, path: &str, covered: i64, total: i64) -> ChangeGroup {
    ChangeGroup {
        path: Some(path.to_owned()),
        covered,
        total,
        files: 1,
        ..ChangeGroup::of_no_file(cause)
    }
}

/// All lines of a file.
fn whole(cause: ChangeCause, path: &str, covered: i64, total: i64) -> ChangeGroup {
    ChangeGroup {
        is_whole_file: true,
        ..group(cause, path, covered, total)
    }
}

fn flickering(cause: ChangeCause, path: &str, covered: i64, lines: u64) -> ChangeGroup {
    ChangeGroup {
        flickering: lines,
        ..group(cause, path, covered, 0)
    }
}

fn of_part(part: &str, path: &str, covered: i64, total: i64) -> ChangeGroup {
    ChangeGroup {
        part: Some(part.to_owned().try_into().expect("a name")),
        ..group(ChangeCause::PartAbsent, path, covered, total)
    }
}

/// The sentence about groups on a base with 800 of 1000 lines.
fn sentence(groups: Vec<ChangeGroup>) -> String {
    with_parts(groups, &RecordParts::default())
}

fn with_parts(groups: Vec<ChangeGroup>, parts: &RecordParts) -> String {
    let base = count(800, 1000);
    let after = |count: u64, change: fn(&ChangeGroup) -> i64| {
        let changes = groups.iter().map(change).sum::<i64>();
        count.checked_add_signed(changes).expect("a count")
    };
    let head = count(
        after(800, |group| group.covered),
        after(1000, |group| group.total),
    );
    let delta = Change::between(base.percentage(), head.percentage());
    let explanation = Explanation::new(base, head, groups).expect("counts");
    let sentence = explanation.sentence(delta, parts);
    assert!(sentence.chars().count() <= 200, "{sentence}");
    sentence
}

#[test]
fn each_cause_has_its_sentence() {
    use ChangeCause::*;
    let cases: Vec<(Vec<ChangeGroup>, &str)> = vec![
        (vec![], "0.00: each line is covered as at the base."),
        (
            vec![group(Added, "src/tax.rs", 0, 2)],
            "−0.16: src/tax.rs has 2 new lines that are not covered (−0.16).",
        ),
        (
            vec![group(Added, "src/tax.rs", 0, 1)],
            "−0.08: src/tax.rs has 1 new line that is not covered (−0.08).",
        ),
        (
            vec![group(Added, "src/tax.rs", 10, 24)],
            "−0.90: 14 of 24 new lines of src/tax.rs are not covered (−0.90).",
        ),
        (
            vec![group(Added, "src/tax.rs", 23, 24)],
            "+0.37: 23 of 24 new lines of src/tax.rs are covered (+0.37).",
        ),
        (
            vec![group(Added, "src/tax.rs", 24, 24)],
            "+0.47: 24 new lines of src/tax.rs are covered (+0.47).",
        ),
        (
            vec![group(Added, "a.rs", 0, 8), group(Added, "b.rs", 0, 8)],
            "−1.26: 16 new lines in 2 files are not covered (−1.26).",
        ),
        (
            vec![group(Added, "a.rs", 1, 8), group(Added, "b.rs", 0, 8)],
            "−1.16: 15 of 16 new lines in 2 files are not covered (−1.16).",
        ),
        (
            vec![group(Added, "a.rs", 4, 5)],
            "0.00: 1 of 5 new lines of a.rs is not covered, which is less than 0.01.",
        ),
        (
            vec![group(Removed, "a.rs", -100, -100)],
            "−2.22: 100 covered lines of a.rs were removed (−2.22).",
        ),
        (
            vec![group(Removed, "a.rs", 0, -100)],
            "+8.89: 100 uncovered lines of a.rs were removed (+8.89).",
        ),
        (
            vec![group(Removed, "a.rs", -90, -100)],
            "−1.11: 100 lines of a.rs were removed, 90 of them covered (−1.11).",
        ),
        (
            vec![group(Removed, "a.rs", -1, -1)],
            "−0.02: 1 covered line of a.rs was removed (−0.02).",
        ),
        (
            vec![
                group(Removed, "a.rs", -9, -9),
                group(Removed, "b.rs", -9, -9),
            ],
            "−0.37: 18 covered lines in 2 files were removed (−0.37).",
        ),
        (
            vec![group(Lost, "a.rs", -7, 0)],
            "−0.70: 7 unchanged lines of a.rs are no longer run (−0.70).",
        ),
        (
            vec![group(Lost, "a.rs", -1, 0)],
            "−0.10: 1 unchanged line of a.rs is no longer run (−0.10).",
        ),
        (
            vec![group(Lost, "a.rs", -4, 0), group(Lost, "b.rs", -3, 0)],
            "−0.70: 7 unchanged lines in 2 files are no longer run (−0.70).",
        ),
        (
            vec![group(Gained, "a.rs", 9, 0)],
            "+0.90: 9 unchanged lines of a.rs are now run (+0.90).",
        ),
        (
            vec![flickering(Lost, "a.rs", -4, 4)],
            "−0.40: 4 lines known to flicker did not run (−0.40).",
        ),
        (
            vec![flickering(Lost, "a.rs", -5, 4)],
            "−0.50: 4 lines known to flicker did not run (−0.40), 1 unchanged line of a.rs is no longer run (−0.10).",
        ),
        (
            vec![flickering(Gained, "a.rs", 1, 1)],
            "+0.10: 1 line known to flicker ran (+0.10).",
        ),
        (
            vec![group(Gained, "a.rs", 5, 0), group(Lost, "b.rs", -5, 0)],
            "0.00: 5 unchanged lines of b.rs are no longer run (−0.50), 5 unchanged lines of a.rs are now run (+0.50).",
        ),
        (
            vec![whole(Vanished, "legacy/a.rs", -20, -20)],
            "−0.41: legacy/a.rs is no longer measured (−0.41).",
        ),
        (
            vec![
                whole(Vanished, "legacy/a.rs", -20, -20),
                whole(Vanished, "legacy/x/b.rs", -20, -20),
            ],
            "−0.83: 2 files of legacy/ are no longer measured (−0.83).",
        ),
        (
            vec![
                whole(Vanished, "legacy/a.rs", -20, -20),
                whole(Vanished, "other/b.rs", -20, -20),
            ],
            "−0.83: 2 files are no longer measured (−0.83).",
        ),
        (
            vec![group(Vanished, "a.rs", -2, -12)],
            "+0.77: 12 unchanged lines of a.rs are no longer measured (+0.77).",
        ),
        (
            vec![whole(Appeared, "new/a.rs", 0, 100)],
            "−7.27: new/a.rs is now measured (−7.27).",
        ),
        (
            vec![group(Appeared, "a.rs", 0, 212)],
            "−13.99: 212 unchanged lines of a.rs are now measured (−13.99).",
        ),
        (
            vec![group(Appeared, "a.rs", 0, 1)],
            "−0.08: 1 unchanged line of a.rs is now measured (−0.08).",
        ),
        (
            vec![of_part("e2e", "a.rs", -30, 0)],
            "−3.00: e2e did not report (−3.00).",
        ),
        (
            vec![
                of_part("e2e", "a.rs", -30, 0),
                of_part("web", "b.rs", -5, -5),
            ],
            "−3.12: e2e did not report (−3.02), web did not report (−0.10).",
        ),
        (
            vec![of_part("", "a.rs", -30, 0)],
            "−3.00: the unnamed part did not report (−3.00).",
        ),
        (
            vec![group(ChangedSince, "a.rs", -3, 0)],
            "−0.30: a.rs has changed since the base (−0.30).",
        ),
        (
            vec![
                group(ChangedSince, "src/a.rs", -3, 0),
                group(ChangedSince, "src/b.rs", -2, 0),
            ],
            "−0.50: 2 files of src/ have changed since the base (−0.50).",
        ),
        (
            vec![ChangeGroup {
                covered: -2,
                ..ChangeGroup::of_no_file(Other)
            }],
            "−0.20: the stated totals differ from the sums of their lines (−0.20).",
        ),
        (
            vec![
                group(Lost, "a.rs", -40, 0),
                group(Removed, "b.rs", 0, -9),
                group(Added, "c.rs", 0, 5),
                group(Gained, "d.rs", 3, 0),
                whole(Appeared, "e.rs", 0, 1),
            ],
            "−3.47: 40 unchanged lines of a.rs are no longer run (−4.01), 9 uncovered lines of b.rs were removed (+0.72), c.rs has 5 new lines that are not covered (−0.40), and other changes (+0.22).",
        ),
    ];
    for (groups, expected) in cases {
        assert_eq!(sentence(groups), expected);
    }
}

#[test]
fn an_absent_part_is_waited_for_skipped_or_silent() {
    let groups = || vec![of_part("e2e", "a.rs", -30, 0)];
    let waiting = RecordParts {
        expected: "unit,e2e".parse().expect("parts"),
        ..RecordParts::default()
    };
    let expected = "−3.00: e2e has not reported (−3.00).";
    assert_eq!(with_parts(groups(), &waiting), expected);
    let closed = RecordParts {
        closed_at: Some(Timestamp(1)),
        ..waiting
    };
    let expected = "−3.00: e2e did not report (−3.00).";
    assert_eq!(with_parts(groups(), &closed), expected);
    let skipped = RecordParts {
        arrived: vec![RecordPart {
            name: "e2e".parse().expect("a part"),
            at: Timestamp(1),
            content: PartContent::Skipped("docs only".to_owned()),
        }],
        ..RecordParts::default()
    };
    let expected = "−3.00: e2e was skipped (−3.00).";
    assert_eq!(with_parts(groups(), &skipped), expected);
}

#[test]
fn a_sentence_is_short_whatever_the_names() {
    let long = |name: char| format!("{}/{}.rs", "ü".repeat(300), name.to_string().repeat(80));
    let groups = ['a', 'b', 'c', 'd']
        .map(long)
        .map(|path| group(ChangeCause::Lost, &path, -9, 0));
    let one = sentence(vec![groups[0].clone()]);
    assert!(
        one.contains("\u{2026}aaaa") && one.contains("a.rs are no longer run"),
        "{one}"
    );
    let all = groups.into_iter().chain([
        group(ChangeCause::Added, &long('e'), 0, 9),
        group(ChangeCause::Removed, &long('f'), -9, -9),
        whole(ChangeCause::Vanished, &long('g'), -9, -9),
        group(ChangeCause::ChangedSince, &long('h'), -9, -9),
    ]);
    let all = sentence(all.collect());
    assert!(all.contains(", and other changes ("), "{all}");
}

#[test]
fn a_rounding_of_the_tool_is_named() {
    let explanation = Explanation::new(count(1, 3), count(1, 3), Vec::new()).expect("counts");
    let sentence = explanation.sentence(Change::from_basis_points(1), &RecordParts::default());
    let expected = "+0.01: each line is covered as at the base, and the tool rounds differently.";
    assert_eq!(sentence, expected);
}

#[test]
fn what_the_groups_leave_out_is_the_group_other() {
    let groups = vec![group(ChangeCause::Lost, "a.rs", -3, 0)];
    let explanation = Explanation::new(count(80, 100), count(90, 120), groups).expect("counts");
    let causes: Vec<_> = explanation
        .groups
        .iter()
        .map(|group| (group.cause, group.covered, group.total))
        .collect();
    assert_eq!(
        causes,
        [(ChangeCause::Lost, -3, 0), (ChangeCause::Other, 13, 20)]
    );
    assert_eq!(explanation.denominator(), 12_000);
    assert_eq!(explanation.numerator(), 90 * 100 - 80 * 120);
}

#[test]
fn nothing_to_divide_by_is_not_explained() {
    for (base, head) in [
        (count(0, 0), count(1, 2)),
        (count(1, 2), count(0, 0)),
        (count(1, u64::MAX), count(1, 2)),
        (count(3, 2), count(1, 2)),
    ] {
        assert_eq!(Explanation::new(base, head, Vec::new()), None);
    }
}

#[test]
fn the_smallest_groups_are_united_and_still_add_up() {
    let path = |index: i64| format!("src/{index:05}.rs");
    let groups = (1..3_000).map(|index| match index % 2 {
        0 => group(ChangeCause::Lost, &path(index), -index, 0),
        _ => group(ChangeCause::Added, &path(index), 0, index),
    });
    let base = count(9_000_000, 9_000_000);
    let head = count(6_751_500, 11_250_000);
    let explanation = Explanation::new(base, head, groups.collect()).expect("counts");
    assert!(explanation.groups.len() <= Explanation::MAX_GROUPS);
    let files: u64 = explanation.groups.iter().map(|group| group.files).sum();
    assert_eq!(files, 2_999);
    let expected = 6_751_500_i128 * 9_000_000 - 9_000_000_i128 * 11_250_000;
    assert_eq!(explanation.numerator(), expected);
}
