//! Tests of the arithmetic of orgs: examples, and properties of every history.

mod any_history;

use super::{share::Share, *};
use crate::{Change, Count, Day, Percentage, Timestamp};

const FROM: Day = Day(20_000);
const TO: Day = Day(20_030);

fn step(day: i32, percent: u16, lines: Option<(u64, u64)>) -> Step {
    Step {
        day: Day(FROM.0 + day),
        percentage: Some(Percentage::from_basis_points(percent)),
        lines: lines.map(|(covered, total)| Count { covered, total }),
    }
}

/// Values of counted lines, by days after the start of the period.
fn counted(name: &str, values: &[(i32, u64, u64)]) -> OrgSeries {
    let steps = values.iter().map(|&(day, covered, total)| {
        let percentage = Share {
            covered: covered.into(),
            total: total.into(),
        };
        let percentage = percentage.percentage().expect("a percentage");
        step(day, percentage.basis_points(), Some((covered, total)))
    });
    series(name, steps.collect())
}

fn series(name: &str, steps: Vec<Step>) -> OrgSeries {
    let (repository, language) = name.split_once(' ').unwrap_or((name, "rust"));
    OrgSeries {
        repository: repository.parse().expect("a repository"),
        branch: "main".parse().expect("a branch"),
        language: language.parse().expect("a language"),
        first: steps[0].day,
        ended: None,
        steps,
    }
}

fn history(series: Vec<OrgSeries>) -> OrgHistory {
    let period = Period { from: FROM, to: TO };
    OrgHistory {
        org: Some("acme".parse().expect("an org")),
        now: Timestamp(TO.start().0 + 1),
        first: FROM,
        period: Some(period),
        interval: Interval::of(period, series.len()),
        series,
        is_cut: false,
        new_code: None,
        sums: None,
    }
}

fn report(series: Vec<OrgSeries>, mean: Mean, over: Over) -> OrgReport {
    let history = history(series);
    let query = OrgQuery {
        mean,
        over,
        ..OrgQuery::new("acme".parse().expect("an org"))
    };
    OrgReport::of(&history, &query, target()).expect("a report")
}

fn shown(report: &OrgReport) -> Vec<Option<u16>> {
    let basis_points = |point: &OrgPoint| point.coverage.map(Percentage::basis_points);
    report.points.iter().map(basis_points).collect()
}

fn target() -> Percentage {
    Percentage::from_basis_points(8_000)
}

const BOTH_MEANS: [Mean; 2] = [Mean::Weighted, Mean::Plain];
const WAYS: [(Mean, Over); 4] = [
    (Mean::Weighted, Over::Same),
    (Mean::Weighted, Over::All),
    (Mean::Plain, Over::Same),
    (Mean::Plain, Over::All),
];

#[test]
fn a_mean_weights_by_lines_or_counts_each_repository_equally() {
    let two = || {
        vec![
            counted("acme/big", &[(0, 900, 1_000)]),
            counted("acme/small", &[(-3, 1, 10)]),
        ]
    };
    let number = |mean| {
        report(two(), mean, Over::Same)
            .last()
            .and_then(|point| point.coverage)
    };
    assert_eq!(
        number(Mean::Weighted),
        Some(Percentage::from_basis_points(8_921))
    );
    assert_eq!(
        number(Mean::Plain),
        Some(Percentage::from_basis_points(5_000))
    );
}

#[test]
fn a_value_is_carried_forward_and_before_the_first_is_a_gap() {
    let late = vec![counted("acme/late", &[(10, 1, 2), (20, 3, 4)])];
    let trend = shown(&report(late, Mean::Weighted, Over::All));
    assert_eq!(trend.len(), 31);
    assert!(trend[..10].iter().all(Option::is_none));
    assert!(trend[10..20].iter().all(|value| *value == Some(5_000)));
    assert!(trend[20..].iter().all(|value| *value == Some(7_500)));
}

#[test]
fn a_new_repository_changes_all_but_not_the_same_repositories() {
    let old = counted("acme/old", &[(-5, 90, 100), (12, 91, 100)]);
    let new = counted("acme/new", &[(10, 0, 100)]);
    for mean in BOTH_MEANS {
        let same = report(vec![old.clone(), new.clone()], mean, Over::Same);
        assert_eq!(same.change, Some(Change::from_basis_points(100)));
        assert_eq!((same.counted, same.counts.in_period), (1, 2));
        assert_eq!(same.left_out[0].reason, Reason::New(Day(FROM.0 + 10)));
        let added = same.movements.iter().find(|row| row.state == State::New);
        assert_eq!(added.expect("the new one").contribution, None);
        let all = report(vec![old.clone(), new.clone()], mean, Over::All);
        assert_eq!(all.change, Some(Change::from_basis_points(-4_450)));
    }
}

#[test]
fn a_retired_repository_counts_until_its_end_but_is_not_the_same() {
    let mut gone = counted("acme/gone", &[(-5, 0, 100)]);
    gone.ended = Some(Day(FROM.0 + 15));
    let stays = counted("acme/stays", &[(-5, 100, 100)]);
    let all = report(vec![gone.clone(), stays.clone()], Mean::Weighted, Over::All);
    let trend = shown(&all);
    assert_eq!((trend[14], trend[15]), (Some(5_000), Some(10_000)));
    let row = &all.movements[1];
    assert_eq!((row.state, row.end), (State::Gone, None));
    assert_eq!(row.contribution, Some(Change::from_basis_points(5_000)));
    let same = report(vec![gone, stays], Mean::Weighted, Over::Same);
    assert!(shown(&same).iter().all(|value| *value == Some(10_000)));
    assert_eq!(same.left_out[0].reason, Reason::Gone(Day(FROM.0 + 15)));
}

#[test]
fn repositories_retired_before_or_added_after_the_period_are_absent() {
    let mut before = counted("acme/before", &[(-50, 1, 2)]);
    before.ended = Some(FROM);
    let after = counted("acme/after", &[(31, 1, 2)]);
    for (mean, over) in WAYS {
        let report = report(vec![before.clone(), after.clone()], mean, over);
        assert_eq!((report.counts.in_period, report.movements.len()), (0, 0));
        assert!(shown(&report).iter().all(Option::is_none));
    }
}

#[test]
fn repositories_without_line_counts_are_averaged_but_not_weighted() {
    let both = || {
        vec![
            counted("acme/counted", &[(0, 1, 2)]),
            series(
                "acme/bare",
                vec![step(0, 9_000, None), step(9, 9_100, None)],
            ),
        ]
    };
    for over in [Over::Same, Over::All] {
        let weighted = report(both(), Mean::Weighted, over);
        assert_eq!((weighted.counted, weighted.without_counts), (1, 1));
        let bare = weighted.movements.last().expect("a row");
        assert_eq!((bare.state, bare.contribution), (State::Unweighted, None));
        assert_eq!(bare.change, Some(Change::from_basis_points(100)));
        let plain = report(both(), Mean::Plain, over);
        assert_eq!((plain.counted, plain.without_counts), (2, 0));
        assert_eq!(shown(&plain)[0], Some(7_000));
    }
}

#[test]
fn a_coverage_file_without_lines_keeps_the_previous_weight() {
    let steps = vec![step(0, 5_000, Some((5, 10))), step(10, 9_000, None)];
    let weighted = report(vec![series("acme/a", steps)], Mean::Weighted, Over::Same);
    assert!(shown(&weighted).iter().all(|value| *value == Some(5_000)));
}

#[test]
fn a_repository_that_never_had_the_counts_of_the_metric_does_not_count() {
    let bare = |day| Step {
        percentage: None,
        ..step(day, 0, None)
    };
    for mean in [Mean::Weighted, Mean::Plain] {
        for over in [Over::Same, Over::All] {
            let all = vec![
                counted("acme/counted", &[(0, 1, 2)]),
                series("acme/bare", vec![bare(0), bare(29)]),
            ];
            let report = report(all, mean, over);
            assert_eq!((report.counted, report.without_counts), (1, 1));
            let row = report.movements.last().expect("a row");
            assert_eq!((row.state, row.start), (State::Unweighted, None));
            assert_eq!(row.last, Some(Day(FROM.0 + 29)), "its uploads are known");
            assert!(shown(&report).iter().all(|value| *value == Some(5_000)));
        }
    }
}

#[test]
fn implausibly_large_counts_are_ignored() {
    let steps = vec![
        step(0, 100, Some((u64::MAX, u64::MAX))),
        step(0, 100, Some((0, 0))),
    ];
    for odd in steps {
        let report = report(vec![series("acme/a", vec![odd])], Mean::Weighted, Over::All);
        assert_eq!((report.counted, report.without_counts), (0, 1));
    }
}

#[test]
fn languages_of_a_repository_add_their_lines_and_are_averaged() {
    let polyglot = || {
        vec![
            counted("acme/a rust", &[(0, 90, 100)]),
            counted("acme/a python", &[(0, 0, 300)]),
            counted("acme/b rust", &[(0, 5, 10)]),
        ]
    };
    let first = |mean| shown(&report(polyglot(), mean, Over::Same))[0];
    assert_eq!(first(Mean::Weighted), Some(2_317)); // 95 of 410
    assert_eq!(first(Mean::Plain), Some(4_750)); // (45 + 50) / 2
}

#[test]
fn an_added_language_does_not_change_the_same_repositories() {
    let series = || {
        vec![
            counted("acme/a rust", &[(0, 9, 10)]),
            counted("acme/a python", &[(5, 0, 900)]),
        ]
    };
    for mean in BOTH_MEANS {
        let report = report(series(), mean, Over::Same);
        assert!(shown(&report).iter().all(|value| *value == Some(9_000)));
        assert_eq!((report.counted, report.counts.in_period), (1, 1));
        assert_eq!(report.left_out[0].language.as_str(), "python");
    }
}

#[test]
fn an_unchanged_repository_contributes_nothing_to_the_change() {
    let report = report(
        vec![
            counted("acme/grown", &[(0, 50, 100), (7, 450, 500)]),
            counted("acme/still", &[(0, 70, 100)]),
        ],
        Mean::Weighted,
        Over::Same,
    );
    let part = |n: usize| report.movements[n].contribution.map(Change::basis_points);
    assert_eq!(
        (part(0), part(1)),
        (report.change.map(Change::basis_points), Some(0))
    );
}

#[test]
fn staleness_is_counted_from_the_end_of_the_period() {
    let report = report(
        vec![
            counted("acme/stale", &[(-40, 1, 2), (16, 1, 2)]),
            counted("acme/heard", &[(17, 1, 2)]),
            counted("acme/long", &[(-40, 1, 2)]),
        ],
        Mean::Plain,
        Over::All,
    );
    let stale: Vec<_> = report
        .movements
        .iter()
        .filter(|row| row.is_stale)
        .map(|row| row.repository.repo.as_str())
        .collect();
    assert_eq!(report.stale, 2);
    assert_eq!(stale, ["long", "stale"]);
}

#[test]
fn a_group_is_the_next_segment_with_everything_below_it() {
    let report = report(
        vec![
            counted("acme/own", &[(0, 1, 2)]),
            counted("acme/platform/a", &[(0, 1, 10), (4, 2, 10)]),
            counted("acme/platform/core/b", &[(0, 9, 10)]),
            counted("acme/web/c", &[(0, 1, 1)]),
        ],
        Mean::Weighted,
        Over::Same,
    );
    let groups: Vec<_> = report
        .groups
        .iter()
        .map(|group| {
            let change = group.change.map(Change::basis_points);
            (group.org.as_str(), group.counts.in_period, change)
        })
        .collect();
    assert_eq!(
        groups,
        [("acme/platform", 2, Some(500)), ("acme/web", 1, Some(0))]
    );
}

#[test]
fn the_rows_of_all_orgs_are_those_at_the_top_or_the_groups_of_the_only_one() {
    let rows = |names: &[&str]| {
        let series = names.iter().map(|name| counted(name, &[(0, 1, 2)]));
        let history = OrgHistory {
            org: None,
            ..history(series.collect())
        };
        let report = OrgReport::of(&history, &OrgQuery::all(), target()).expect("a report");
        let names = report.groups.iter().map(|row| row.org.to_string());
        (report.parent.map(String::from), names.collect::<Vec<_>>())
    };
    let (parent, names) = rows(&["zeta/a", "acme/x/y/b", "acme/c"]);
    assert_eq!((parent, names.join(" ")), (None, "acme zeta".to_owned()));
    let (parent, names) = rows(&["acme/x/y/b", "acme/c", "acme/z/d"]);
    assert_eq!(parent.as_deref(), Some("acme"));
    assert_eq!(names, ["acme/x", "acme/z"]);
    let (parent, names) = rows(&["acme/a", "acme/b"]);
    assert_eq!((parent, names.join(" ")), (None, "acme".to_owned()));
}

#[test]
fn a_row_says_how_many_repositories_are_on_target_and_how_many_are_stale() {
    let row = |values: &[OrgSeries]| {
        let report = report(values.to_vec(), Mean::Weighted, Over::Same);
        let row = report.groups.first().cloned().expect("a group");
        let counts = row.counts;
        let share = counts.share_on_target();
        (counts.on_target, counts.at_end, share, counts.stale)
    };
    let on_target = counted("acme/g/high", &[(0, 8, 10)]);
    // It is new, so it does not count in the coverage of the group, but it counts in this share.
    let below = counted("acme/g/new", &[(20, 7, 10)]);
    let mut gone = counted("acme/g/gone", &[(0, 9, 10)]);
    gone.ended = Some(Day(FROM.0 + 3));
    assert_eq!(row(std::slice::from_ref(&on_target)), (1, 1, Some(100), 1));
    assert_eq!(row(&[on_target, below, gone.clone()]), (1, 2, Some(50), 1));
    assert_eq!(row(&[gone]), (0, 0, None, 0));
}

#[test]
fn one_day_has_a_number_and_no_comparison() {
    let mut history = history(vec![counted("acme/a", &[(30, 1, 2)])]);
    history.period = Some(Period { from: TO, to: TO });
    for (mean, over) in WAYS {
        let query = OrgQuery {
            mean,
            over,
            ..OrgQuery::new("acme".parse().expect("an org"))
        };
        let report = OrgReport::of(&history, &query, target()).expect("a report");
        assert_eq!(shown(&report), [Some(5_000)]);
        assert_eq!((report.change, report.movements[0].change), (None, None));
    }
}

#[test]
fn only_full_coverage_shows_100_and_only_none_shows_0() {
    let number = |covered, total| {
        let share = Share { covered, total };
        share.percentage().map(Percentage::basis_points)
    };
    assert_eq!(number(99_999_999, 100_000_000), Some(9_999));
    assert_eq!(number(1, 100_000_000), Some(1));
    assert_eq!(number(0, 7), Some(0));
    assert_eq!(number(7, 7), Some(10_000));
    assert_eq!(number(1, 8), Some(1_250));
    assert_eq!(number(12_345, 1_000_000), Some(123));
    assert_eq!(
        number(12_350, 1_000_000),
        Some(124),
        "half goes away from zero"
    );
    assert_eq!(number(0, 0), None);
}
