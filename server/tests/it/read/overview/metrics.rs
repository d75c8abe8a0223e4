//! Branches and functions on the overview, compared with a plain reading of all records.

use super::*;
use domain::{Change, Count, DAY, OrgSummary, Percentage, RepositoryRow, StatedMetric};
use std::collections::BTreeMap;
use store::actor::Actor;

/// The records of a branch and language, the newest first: id, time and the percentage of the metric.
type Series = Vec<(i64, i64, Option<Percentage>)>;

/// The scene with more records, some of them with branches or functions. All repositories are then summarised again.
async fn scene_with_counts() -> Scene {
    let mut scene = scene().await;
    for (name, covered, days) in [
        ("acme/part", 8_000, 40),
        ("acme/part", 8_100, 12),
        ("acme/part", 8_200, 1),
        ("acme/lost", 7_000, 5),
        ("acme/lost", 7_100, 0),
    ] {
        scene.record(name, "rust", covered, days).await;
    }
    for counts in [
        "branches_covered = 7 * id, branches_total = 100 + id where id % 5 <> 3",
        "branches_covered = 0, branches_total = 0 where id = 7",
        "functions_covered = 3 * id, functions_total = 41 where id % 2 = 0",
    ] {
        let update = sqlx::AssertSqlSafe(format!("update records set {counts}"));
        sqlx::query(update)
            .execute(&mut scene.database)
            .await
            .unwrap();
    }
    for name in [
        "acme/fell",
        "acme/new",
        "zoo/sub/rose",
        "zoo/silent",
        "acme/part",
        "acme/lost",
    ] {
        let operator = scene.store.operator();
        let (repository, by) = (name.parse().unwrap(), Actor::service());
        operator
            .configure_main_branch(&repository, None, &by)
            .await
            .unwrap();
    }
    scene
}

/// All records of main branches, by repository and language.
async fn series(scene: &mut Scene, metric: StatedMetric) -> BTreeMap<String, Series> {
    let query = sqlx::AssertSqlSafe(format!(
        "select p.org_name || '/' || p.repo_name || ' ' || r.language, r.id, r.updated_at, r.{metric}_covered, r.{metric}_total
         from records r join repositories p on p.main_branch_id = r.branch_id
         order by r.updated_at desc"
    ));
    let rows = sqlx::query_as(query).fetch_all(&mut scene.database);
    let mut all = BTreeMap::<String, Series>::new();
    for (name, id, at, covered, total) in rows.await.unwrap() {
        let (name, id, at): (String, i64, i64) = (name, id, at);
        let percentage = Count::of_columns(covered, total).and_then(Percentage::of);
        all.entry(name).or_default().push((id, at, percentage));
    }
    all
}

fn of_metric(metric: StatedMetric) -> OverviewQuery {
    OverviewQuery {
        metric,
        ..OverviewQuery::default()
    }
}

fn key(row: &RepositoryRow) -> String {
    format!("{} {}", row.repository, row.language)
}

/// The change of a series since the last counted record until `then`, or else since the first other one.
fn change_since(series: &Series, then: i64) -> Option<Change> {
    let ((id, at, now), counted) = (series[0], series.iter().filter(|(.., of)| of.is_some()));
    let until = counted.clone().find(|(_, at, _)| *at <= then);
    let first = counted.rev().find(|(other, ..)| *other != id);
    let before = until.or(first).and_then(|(.., before)| *before);
    match at <= then {
        true => now.map(|now| Change::between(now, now)),
        false => Some(Change::between(before?, now?)),
    }
}

#[tokio::test]
async fn each_metric_has_the_percentages_and_changes_of_the_records() {
    let mut scene = scene_with_counts().await;
    for &metric in StatedMetric::ALL {
        let all = series(&mut scene, metric).await;
        let overview = scene.ask(of_metric(metric)).await;
        assert_eq!(overview.rows.len(), all.len());
        let month = overview.now.0 - 30 * DAY;
        for row in &overview.rows {
            let series = &all[&key(row)];
            let [(_, _, now), before @ ..] = &series[..] else {
                panic!("no record")
            };
            assert_eq!(row.percentage, *now, "{metric} {}", key(row));
            let before = before.iter().find_map(|(.., percentage)| *percentage);
            let change = before
                .zip(*now)
                .map(|(before, now)| Change::between(before, now));
            assert_eq!(row.change, change, "{metric} {}", key(row));
            assert_eq!(
                row.period_change,
                change_since(series, month),
                "{metric} {}",
                key(row)
            );
            let last = row.trend.last().map(|point| point.percentage);
            assert!(now.is_none() || last == *now, "{metric} {}", key(row));
            assert_eq!(row.lines.and_then(Percentage::of), *now);
        }
    }
}

#[tokio::test]
async fn orders_and_filters_follow_the_metric_and_the_unknown_comes_last() {
    let mut scene = scene_with_counts().await;
    for metric in [StatedMetric::Branches, StatedMetric::Functions] {
        let all = series(&mut scene, metric).await;
        let unknown = all.values().filter(|series| series[0].2.is_none()).count();
        assert!(unknown > 0 && unknown < all.len());
        for sort in [OverviewColumn::Coverage, OverviewColumn::Change] {
            for sort in [Order::ascending(sort), Order::descending(sort)] {
                let overview = scene
                    .ask(OverviewQuery {
                        sort,
                        ..of_metric(metric)
                    })
                    .await;
                let week = overview.now.0 - 7 * DAY;
                let values: Vec<Option<i64>> = overview
                    .rows
                    .iter()
                    .map(|row| {
                        let series = &all[&key(row)];
                        match sort.column {
                            OverviewColumn::Change => {
                                assert_eq!(row.period_change, change_since(series, week));
                                row.period_change.map(|change| change.basis_points().into())
                            }
                            _ => row
                                .percentage
                                .map(|percentage| percentage.basis_points().into()),
                        }
                    })
                    .collect();
                let mut expected = values.clone();
                let sign = if sort.is_descending { -1 } else { 1 };
                expected.sort_by_key(|value| (value.is_none(), value.map(|value| sign * value)));
                assert_eq!(values, expected, "{metric} {sort}");
            }
        }
        for show in [Show::Below, Show::Dropped] {
            let overview = scene
                .ask(OverviewQuery {
                    show,
                    ..of_metric(metric)
                })
                .await;
            let week = overview.now.0 - 7 * DAY;
            let is_shown = |series: &Series| match show {
                Show::Below => series[0]
                    .2
                    .is_some_and(|percentage| percentage.basis_points() < 8_000),
                _ => change_since(series, week).is_some_and(|change| change.basis_points() < 0),
            };
            let expected = all.iter().filter(|(_, series)| is_shown(series));
            let expected: Vec<_> = expected.map(|(name, _)| name.clone()).collect();
            let mut found = names(&overview);
            found.sort();
            assert_eq!(found, expected, "{metric} {show}");
            let attention = scene.ask(of_metric(metric)).await.attention.unwrap();
            let list = if show == Show::Below {
                attention.below
            } else {
                attention.dropped
            };
            assert_eq!(
                list.repositories as usize,
                expected.len(),
                "{metric} {show}"
            );
            assert!(list.rows.iter().all(|row| row.percentage.is_some()));
        }
    }
}

#[tokio::test]
async fn the_sum_of_an_org_follows_the_metric() {
    let mut scene = scene_with_counts().await;
    for metric in ["lines", "branches", "functions"] {
        let query = sqlx::AssertSqlSafe(format!(
            "select p.org_name, r.{metric}_covered, r.{metric}_total
             from records r join repositories p on p.main_branch_id = r.branch_id where r.superseded_at is null"
        ));
        let rows: Vec<(String, Option<i64>, Option<i64>)> = sqlx::query_as(query)
            .fetch_all(&mut scene.database)
            .await
            .unwrap();
        let mut sums = BTreeMap::<String, Count>::new();
        for (org, covered, total) in rows {
            // With the groups of an org.
            let ends = org.match_indices('/').map(|(end, _)| end);
            for end in ends.chain([org.len()]) {
                let sum = sums.entry(org[..end].to_owned()).or_default();
                *sum = sum.plus(Count::of_columns(covered, total).unwrap_or_default());
            }
        }
        let overview = scene.ask(of_metric(metric.parse().unwrap())).await;
        let shown = |org: &OrgSummary| (org.org.to_string(), org.percentage);
        let shown: Vec<_> = overview.orgs.iter().map(shown).collect();
        let expected = sums
            .into_iter()
            .map(|(org, sum)| (org, Percentage::of(sum)));
        assert_eq!(shown, expected.collect::<Vec<_>>(), "{metric}");
    }
}
