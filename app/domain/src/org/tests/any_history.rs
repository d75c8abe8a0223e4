//! Properties that hold for every history of an org.

use super::*;
use crate::TrendRange;

/// A few thousand histories of all shapes, the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn series(&mut self, name: &str) -> OrgSeries {
        let mut day = i32::try_from(self.below(45)).expect("a day") - 15;
        let mut values = Vec::new();
        for _ in 0..=self.below(6) {
            let total = 1 + self.below(10) * self.below(2_000);
            values.push((day, self.below(total + 1), total));
            day += 1 + i32::try_from(self.below(9)).expect("days");
        }
        let mut series = counted(name, &values);
        if self.below(6) == 0 {
            series.ended = Some(Day(FROM.0 + day));
        }
        if self.below(6) == 0 {
            for step in &mut series.steps {
                step.lines = None;
            }
        }
        series
    }

    fn org(&mut self) -> Vec<OrgSeries> {
        let count = 1 + self.below(8);
        (0..count)
            .map(|n| self.series(&format!("acme/r{} l{}", n / 2, n % 2)))
            .collect()
    }
}

fn every_org(mut holds: impl FnMut(Vec<OrgSeries>, Mean, Over, &mut Dice)) {
    let mut dice = Dice(6);
    for _ in 0..500 {
        let series = dice.org();
        for (mean, over) in WAYS {
            holds(series.clone(), mean, over, &mut dice);
        }
    }
}

#[test]
fn parts_always_add_up_to_the_shown_change() {
    every_org(|series, mean, over, _| {
        let report = report(series, mean, over);
        let parts = report.movements.iter().filter_map(|row| row.contribution);
        let sum: i32 = parts.map(Change::basis_points).sum();
        assert_eq!(
            sum,
            report.change.map_or(0, Change::basis_points),
            "{report:?}"
        );
    });
}

#[test]
fn the_order_of_the_rows_never_matters() {
    every_org(|series, mean, over, dice| {
        let mut shuffled = series.clone();
        for n in (1..shuffled.len()).rev() {
            shuffled.swap(
                n,
                usize::try_from(dice.below(n as u64 + 1)).expect("an index"),
            );
        }
        assert_eq!(report(series, mean, over), report(shuffled, mean, over));
    });
}

#[test]
fn a_repository_added_mid_range_does_not_change_the_same_repositories() {
    every_org(|series, mean, _, dice| {
        let before = report(series.clone(), mean, Over::Same);
        let total = 1 + dice.below(1_000_000);
        let day = 1 + i32::try_from(dice.below(30)).expect("a day");
        let added = counted("acme/added", &[(day, dice.below(total + 1), total)]);
        let after = report([series, vec![added]].concat(), mean, Over::Same);
        assert_eq!(before.points, after.points);
        assert_eq!(
            (before.change, before.counted),
            (after.change, after.counted)
        );
    });
}

#[test]
fn with_one_repository_both_means_are_its_own_coverage() {
    let mut dice = Dice(1);
    for _ in 0..500 {
        let mut one = dice.series("acme/one");
        one.ended = None;
        if one.steps[0].lines.is_none() {
            continue;
        }
        let own: Vec<_> = (FROM.0..=TO.0)
            .map(|day| {
                let until = one.steps.iter().rev().find(|step| step.day.0 <= day);
                until
                    .and_then(|step| step.percentage)
                    .map(Percentage::basis_points)
            })
            .collect();
        for mean in BOTH_MEANS {
            assert_eq!(shown(&report(vec![one.clone()], mean, Over::All)), own);
        }
    }
}

#[test]
fn a_mean_is_never_outside_its_inputs() {
    every_org(|series, mean, over, _| {
        for row in report(series, mean, over)
            .points
            .iter()
            .filter_map(|point| point.lines)
        {
            assert!(row.covered <= row.total);
        }
    });
}

#[test]
fn the_same_repositories_series_starts_when_half_of_them_exist() {
    let day = |text: &str| text.parse::<Day>().expect("a day");
    let came = ["2026-09-10", "2026-10-20", "2026-10-22", "2026-11-19"].map(day);
    let today = day("2026-11-21");
    let beginning = Beginning::of(&came, came.to_vec()).expect("a beginning");
    let from = |over, range, from: Option<&str>| {
        let query = OrgQuery {
            over,
            range,
            from: from.map(day),
            ..OrgQuery::new("acme".parse().expect("an org"))
        };
        let period = query.period(beginning, today).expect("a period");
        (
            period.from.to_string(),
            query.begins_with_half(beginning.first, period),
        )
    };
    let is = |day: &str, is_late| (day.to_owned(), is_late);
    assert_eq!(
        from(Over::Same, TrendRange::Months3, None),
        is("2026-10-20", true)
    );
    assert_eq!(
        from(Over::All, TrendRange::Months3, None),
        is("2026-09-10", false)
    );
    assert_eq!(
        from(Over::Same, TrendRange::All, None),
        is("2026-10-20", true)
    );
    assert_eq!(
        from(Over::All, TrendRange::All, None),
        is("2026-09-10", false)
    );
    // A range that starts between the first repository and half of them.
    let late = ["2026-08-01", "2026-10-20", "2026-10-22", "2026-11-19"].map(day);
    let beginning_of_late = Beginning::of(&late, late.to_vec()).expect("a beginning");
    let query = OrgQuery::new("acme".parse().expect("an org"));
    let period = query.period(beginning_of_late, today).expect("a period");
    assert_eq!(period.from, day("2026-10-20"));
    assert!(query.begins_with_half(day("2026-08-01"), period));
    // The requested days are shown.
    assert_eq!(
        from(Over::Same, TrendRange::Months3, Some("2026-09-01")),
        is("2026-09-10", false)
    );
    assert_eq!(
        from(Over::Same, TrendRange::Days30, None),
        is("2026-10-22", false)
    );
    let gone = Beginning::of(&came, Vec::new()).expect("a beginning");
    assert_eq!(gone.half, gone.first);
    // A second repository does not hide the history of the first one.
    let two = Beginning::of(&came[..2], came[..2].to_vec()).expect("a beginning");
    assert_eq!(two.half, two.first);
}

#[test]
fn a_range_is_cut_to_the_days_with_data() {
    let day = |text: &str| text.parse::<Day>().expect("a day");
    let (first, today) = (day("2026-09-10"), day("2026-11-21"));
    let org = OrgQuery::new("acme".parse().expect("an org"));
    let of = |range, from: Option<&str>, to: Option<&str>| {
        let query = OrgQuery {
            range,
            from: from.map(day),
            to: to.map(day),
            ..org.clone()
        };
        let beginning = Beginning { first, half: first };
        let period = query.period(beginning, today);
        period.map(|period| (period.from.to_string(), period.to.to_string()))
    };
    let is = |from: &str, to: &str| Some((from.to_owned(), to.to_owned()));
    assert_eq!(
        of(TrendRange::Days7, None, None),
        is("2026-11-14", "2026-11-21")
    );
    assert_eq!(
        of(TrendRange::Days30, None, None),
        is("2026-10-22", "2026-11-21")
    );
    assert_eq!(
        of(TrendRange::Months12, None, None),
        is("2026-09-10", "2026-11-21")
    );
    assert_eq!(
        of(TrendRange::All, None, Some("2026-10-01")),
        is("2026-09-10", "2026-10-01")
    );
    assert_eq!(
        of(TrendRange::Days7, None, Some("2026-10-08")),
        is("2026-10-01", "2026-10-08")
    );
    assert_eq!(
        of(TrendRange::Days7, Some("2026-10-01"), None),
        is("2026-10-01", "2026-11-21")
    );
    assert_eq!(
        of(TrendRange::All, Some("2026-11-01"), Some("2026-10-01")),
        is("2026-10-01", "2026-11-01"),
        "dates in the wrong order"
    );
    assert_eq!(
        of(TrendRange::All, Some("2030-01-01"), Some("2031-01-01")),
        is("2026-11-21", "2026-11-21")
    );
    assert_eq!(
        of(TrendRange::All, None, Some("2026-09-09")),
        None,
        "before the first record"
    );
    assert_eq!(
        of(TrendRange::All, Some("2026-01-01"), Some("2026-09-10")),
        is("2026-09-10", "2026-09-10")
    );
}

#[test]
fn points_and_values_stay_within_their_limits() {
    for days in [0, 1, 30, 92, 184, 365, 366, 4_000, 30_000, i32::MAX / 2] {
        for series in [0, 1, 7, 500, 5_000, 200_000] {
            let period = Period {
                from: Day(0),
                to: Day(days),
            };
            let interval = Interval::of(period, series);
            let points = period.points(interval);
            let count = points.len() as i64;
            assert!(count <= MAX_POINTS, "{days} days: {count}");
            assert!(
                count <= 2 || count * series as i64 <= MAX_READINGS,
                "{series}: {count}"
            );
            assert_eq!(points.first(), Some(&period.from));
            assert_eq!(points.last(), Some(&period.to));
            assert!(points.is_sorted() && points.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
    let words = |days, series| {
        let period = Period {
            from: Day(0),
            to: Day(days),
        };
        Interval::of(period, series).words()
    };
    assert_eq!(words(184, 10), "a day");
    assert_eq!(words(365, 10), "every 2 days");
    assert_eq!(words(92, 1_500), "every 2 days");
    assert_eq!(words(730, 10), "a week");
    assert_eq!(words(184, 1_500), "a week");
    assert_eq!(words(3_650, 10), "every 4 weeks");
}

#[test]
fn every_day_read_in_parts_equals_the_report_of_each_day() {
    every_org(|series, mean, over, dice| {
        let whole = history(series);
        let query = OrgQuery {
            mean,
            over,
            ..OrgQuery::new("acme".parse().expect("an org"))
        };
        let every_day = EveryDay::of(&whole, &query).expect("a period");
        let (mut points, mut from) = (Vec::new(), FROM);
        while from <= TO {
            let days = i32::try_from(dice.below(12)).expect("days");
            let to = Day(from.0 + days).min(TO);
            let part = OrgHistory {
                period: Some(Period { from, to }),
                interval: Interval::DAY,
                ..whole.clone()
            };
            points.extend(every_day.points(&part));
            from = Day(to.0 + 1);
        }
        let report = OrgReport::of(&whole, &query, target()).expect("a report");
        assert_eq!(points, report.points);
    });
}

#[test]
fn the_parts_of_a_period_are_its_days_in_order() {
    for (days, series) in [(0, 1), (365, 1), (4_000, 500), (90, 20_000), (3, 1_000_000)] {
        let period = Period {
            from: Day(7),
            to: Day(7 + days),
        };
        let parts: Vec<_> = period.parts(series).collect();
        let of_parts: Vec<_> = parts
            .iter()
            .flat_map(|part| part.points(Interval::DAY))
            .collect();
        assert_eq!(of_parts, period.points(Interval::DAY));
        let longest = parts.iter().map(|part| part.to.since(part.from) + 1).max();
        assert!(
            longest
                .is_some_and(|days| days == 1 || i64::from(days) * series as i64 <= MAX_READINGS)
        );
    }
}

#[test]
fn all_orgs_have_the_numbers_of_one_org_around_them() {
    every_org(|series, mean, over, _| {
        let inside = history(series.clone());
        let query = |org: Option<&str>| OrgQuery {
            org: org.map(|org| org.parse().expect("an org")),
            mean,
            over,
            ..OrgQuery::all()
        };
        let of_one = OrgReport::of(&inside, &query(Some("acme")), target()).expect("a report");
        let outside = OrgHistory {
            org: None,
            ..inside
        };
        let of_all = OrgReport::of(&outside, &query(None), target()).expect("a report");
        assert_eq!(of_all.points, of_one.points);
        assert_eq!(of_all.movements, of_one.movements);
        let Some(row) = of_all.groups.first() else {
            return assert!(of_all.movements.is_empty());
        };
        assert_eq!(of_all.groups.len(), 1);
        assert_eq!(row.points, of_all.points);
        assert_eq!((row.change, row.counts), (of_all.change, of_all.counts));
    });
}
