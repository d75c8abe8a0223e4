//! Which results count in which interval.

use super::*;

fn day(text: &str) -> Day {
    text.parse().expect("a day")
}

fn result(
    at: &str,
    pull: &str,
    verdict: Option<Verdict>,
    changed: Option<(u64, u64)>,
) -> GateResult {
    GateResult {
        repository: "acme/one".parse().expect("a repository"),
        pull_request: pull.parse().expect("a number"),
        branch: "fix".parse().expect("a branch"),
        language: "rust".parse().expect("a language"),
        record_id: 1,
        updated_at: day(at).start(),
        verdict,
        reasons: Vec::new(),
        changed: changed.map(|(covered, total)| Count { covered, total }),
    }
}

fn by(by: GateInterval) -> GatesQuery {
    GatesQuery {
        by,
        ..GatesQuery::default()
    }
}

#[test]
fn a_pull_request_counts_once_in_each_interval_and_unknown_is_not_passed() {
    let results = [
        result("2026-11-26", "7", Some(Verdict::Passed), Some((4, 5))),
        result("2026-11-25", "8", Some(Verdict::Unknown), None),
        result("2026-11-24", "7", Some(Verdict::Failed), Some((1, 5))),
        result("2026-11-23", "9", None, Some((0, 0))),
        result("2026-11-22", "7", Some(Verdict::Failed), Some((1, 5))),
        result("2026-11-22", "10", Some(Verdict::Incomplete), Some((1, 1))),
    ];
    let query = by(GateInterval::Week);
    let period = query.period(day("2026-11-28"));
    assert_eq!(period.from, day("2026-08-28"), "three months, in 14 weeks");
    let history = GateHistory::of(&query, period, &results, false);
    assert_eq!(history.rows.len(), 14);
    let first = history.rows[0].days;
    let days = (day("2026-08-28"), day("2026-08-30"));
    assert_eq!((first.from, first.to), days, "a part of a week");
    let [.., before, last] = &history.rows[..] else {
        panic!("two weeks");
    };
    assert_eq!(
        (last.days.from, last.days.to),
        (day("2026-11-23"), day("2026-11-28"))
    );
    let expected = GateCounts {
        results: 3,
        passed: 1,
        unknown: 1,
        without: 1,
        changed: Count {
            covered: 4,
            total: 5,
        },
        changes_unknown: 1,
        ..GateCounts::default()
    };
    assert_eq!((last.counts, last.repositories), (expected, 1));
    let judged = Count {
        covered: 0,
        total: 1,
    };
    assert_eq!(
        (before.counts.judged(), before.counts.incomplete),
        (judged, 1)
    );
    assert_eq!(history.repositories[0].1.results, 5);
}

#[test]
fn months_are_of_the_calendar_and_cut_intervals_are_left_out() {
    let query = by(GateInterval::Month);
    let period = query.period(day("2026-03-31"));
    assert_eq!(period.from, day("2025-03-31"));
    let results = [
        result("2026-03-01", "7", Some(Verdict::Passed), None),
        result("2026-02-28", "8", Some(Verdict::Failed), None),
        result("2026-01-31", "9", Some(Verdict::Failed), None),
    ];
    let history = GateHistory::of(&query, period, &results, true);
    assert_eq!(history.period.from, day("2026-02-01"));
    let counts: Vec<_> = history.rows.iter().map(|row| row.counts.judged()).collect();
    let count = |covered| Count { covered, total: 1 };
    assert_eq!(counts, [count(0), count(1)]);
    let whole = GateHistory::of(&query, period, &results, false);
    assert_eq!(whole.rows.len(), 13);
    assert!(
        whole
            .repositories
            .iter()
            .all(|(_, counts)| counts.results == 3)
    );
}

#[test]
fn a_period_has_at_most_a_year_and_no_day_of_the_future() {
    let today = day("2026-11-28");
    for (from, to, expected) in [
        (Some("1970-01-01"), None, "2025-11-27 2026-11-28"),
        (
            Some("2026-11-27"),
            Some("9999-01-01"),
            "2026-11-27 2026-11-28",
        ),
        (
            Some("2027-01-01"),
            Some("2026-11-01"),
            "2026-11-01 2026-11-01",
        ),
    ] {
        let query = GatesQuery {
            from: from.map(day),
            to: to.map(day),
            ..GatesQuery::default()
        };
        let Period { from, to } = query.period(today);
        assert_eq!(format!("{from} {to}"), expected);
    }
}

#[test]
fn the_list_has_the_newest_result_of_each_pull_request() {
    let older: Vec<_> = (0..LISTED)
        .map(|number| result("2026-11-02", &format!("{}", 100 + number), None, None))
        .collect();
    let newest = [
        result("2026-11-26", "7", Some(Verdict::Passed), Some((4, 5))),
        result("2026-11-24", "8", Some(Verdict::Failed), None),
        result("2026-11-10", "7", Some(Verdict::Failed), Some((1, 5))),
    ];
    let query = by(GateInterval::Week);
    let period = query.period(day("2026-11-28"));
    let results = [&newest[..], &older[..]].concat();
    let pulls = GateHistory::of(&query, period, &results, false).pulls;
    assert_eq!(pulls.rows[..2], newest[..2]);
    assert_eq!(pulls.rows[2], older[0], "an earlier result is left out");
    assert_eq!((pulls.rows.len(), pulls.more), (LISTED, 2));
}
