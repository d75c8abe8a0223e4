//! Compares an org's history with a reading of all its records.

mod metrics;
mod sums;

use super::*;
use crate::testing::TestStore;
use domain::{Mean, OrgReport, TrendRange};
use sqlx::AnyConnection;

const DAY: i64 = 86_400_000_000;

struct Record {
    at: i64,
    basis_points: i64,
}

async fn run(
    connection: &mut AnyConnection,
    statement: &'static str,
    values: &[i64],
    texts: &[&str],
) {
    let query = values
        .iter()
        .fold(sqlx::query(statement), |query, value| query.bind(*value));
    let query = texts
        .iter()
        .fold(query, |query, text| query.bind((*text).to_owned()));
    query.execute(connection).await.expect("a statement");
}

async fn add_branch(connection: &mut AnyConnection, id: i64, org: &str, branch: &str) {
    run(
        connection,
        "insert into repositories (id, created_at, org_name, repo_name) values ($1, 0, $2, $3)",
        &[id],
        &[org, &format!("r{id}")],
    )
    .await;
    run(
        connection,
        "insert into branches (id, repository_id, name) values ($1, $2, $3)",
        &[id, id],
        &[branch],
    )
    .await;
}

/// Adds records of one branch. The last one is current.
async fn add_records(
    connection: &mut AnyConnection,
    branch: i64,
    language: &str,
    records: &[Record],
) {
    for (n, record) in records.iter().enumerate() {
        run(
            connection,
            "insert into records (repository_id, branch_id, percentage_basis_points, lines_covered, lines_total, created_at, updated_at,
                                  language, commit_hash, commit_author, report_format)
             values ($1, $2, $3, $4, 10000, $5, $6, $7, $8, 'Kim', 'cobertura')",
            &[branch, branch, record.basis_points, record.basis_points, record.at, record.at],
            &[language, &format!("c{n}")],
        )
        .await;
        if n + 1 < records.len() {
            run(connection, "update records set superseded_at = 1 where branch_id = $1 and language = $2 and superseded_at is null", &[branch], &[language]).await;
        }
    }
    refresh(connection, branch).await;
}

/// Updates what the service derives from the records of a repository.
async fn refresh(connection: &mut AnyConnection, id: i64) {
    let refreshed = crate::main_records::refresh(connection, id).await;
    refreshed.expect("summaries");
}

/// Random records that are the same in each run.
fn records(seed: u64, count: usize, until: i64) -> Vec<Record> {
    let mut state = seed;
    let mut below = |bound: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((state >> 33) % bound).expect("a small number")
    };
    let mut at = until - DAY / 100;
    let mut records: Vec<_> = (0..count)
        .map(|_| {
            // Many records on one day, and pauses of weeks.
            at -= 1 + if below(8) == 0 {
                below(30) * DAY
            } else {
                below(30_000) * 1_000_000
            };
            Record {
                at,
                basis_points: below(10_001),
            }
        })
        .collect();
    records.reverse();
    records
}

#[tokio::test]
async fn each_trend_point_has_the_last_value_of_its_day() {
    let store = TestStore::new().await;
    let now = now().0;
    let all = [
        records(1, 300, now),
        records(2, 40, now - 20 * DAY),
        records(3, 1, now),
    ];
    let mut connection = store.write_pool.acquire().await.expect("a connection");
    for (id, of_one) in (1..).zip(&all) {
        add_branch(&mut connection, id, "acme", "main").await;
        add_records(&mut connection, id, "rust", of_one).await;
    }
    drop(connection);
    for &range in TrendRange::ALL {
        let query = OrgQuery {
            range,
            ..OrgQuery::new("acme".parse().expect("an org"))
        };
        let history = store
            .everything()
            .org(&query)
            .await
            .expect("an answer")
            .expect("a history");
        let period = history.period.expect("a period");
        for interval in [
            history.interval,
            Interval::of(period, 900),
            Interval::of(period, 5_000),
        ] {
            let reader = store.everything();
            let mut connection = store.read_pool.acquire().await.expect("a connection");
            let found = reader
                .found(&mut connection, (&query, query.org.clone()))
                .await
                .expect("an answer")
                .expect("an org");
            let steps = reader.steps(&found, period, interval).await.expect("steps");
            for day in period.points(interval) {
                for (id, of_one) in (1..).zip(&all) {
                    let expected = of_one.iter().rfind(|record| record.at < day.end().0);
                    let steps = steps
                        .get(&(id, "rust".parse().expect("a language")))
                        .map_or(&[][..], Vec::as_slice);
                    let found = steps.iter().rfind(|step| step.day <= day);
                    assert_eq!(
                        found
                            .and_then(|step| step.percentage)
                            .map(|shown| i64::from(shown.basis_points())),
                        expected.map(|record| record.basis_points),
                        "{range:?}, {interval:?}, {day}, repository {id}"
                    );
                }
            }
            let read: usize = steps.values().map(Vec::len).sum();
            assert!(
                read <= all.len() * period.points(interval).len() + all.len(),
                "{range:?}: {read}"
            );
        }
    }
}

#[tokio::test]
async fn an_org_includes_its_own_groups_only() {
    let store = TestStore::new().await;
    let now = now().0;
    let mut connection = store.write_pool.acquire().await.expect("a connection");
    let orgs = [
        "acme",
        "acme/web",
        "acme/web/front",
        "acme-labs",
        "acme0",
        "acme.x",
        "Acme/web",
        "zoo/acme",
    ];
    for (id, org) in (1..).zip(orgs) {
        add_branch(&mut connection, id, org, "main").await;
        add_records(
            &mut connection,
            id,
            "rust",
            &[Record {
                at: now,
                basis_points: 1,
            }],
        )
        .await;
        add_records(
            &mut connection,
            id,
            "go",
            &[Record {
                at: now,
                basis_points: 1,
            }],
        )
        .await;
    }
    drop(connection);
    let org: OrgName = "acme".parse().expect("an org");
    let history = store
        .everything()
        .org(&OrgQuery::new(org.clone()))
        .await
        .expect("an answer")
        .expect("a history");
    let found: Vec<_> = history
        .series
        .iter()
        .map(|one| (one.repository.org.as_str(), one.language.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("acme", "go"),
            ("acme", "rust"),
            ("acme/web", "go"),
            ("acme/web", "rust"),
            ("acme/web/front", "go"),
            ("acme/web/front", "rust")
        ]
    );
    assert!(
        history
            .series
            .iter()
            .all(|one| org.contains(&one.repository.org))
    );
    let all = store
        .everything()
        .org(&OrgQuery::all())
        .await
        .expect("an answer");
    let all = all.expect("a history").series;
    assert!(history.series.iter().all(|one| all.contains(one)));
    assert_eq!(all.len(), 2 * orgs.len());
    let nobody = OrgQuery::new("acm".parse().expect("an org"));
    assert_eq!(
        store.everything().org(&nobody).await.expect("an answer"),
        None
    );
}

#[tokio::test]
async fn a_retired_repository_keeps_its_history_and_has_an_end_date() {
    let store = TestStore::new().await;
    let now = now().0;
    let mut connection = store.write_pool.acquire().await.expect("a connection");
    add_branch(&mut connection, 1, "acme", "master").await;
    // The branch was configured, although there is a branch with a more common name.
    run(
        &mut connection,
        "insert into branches (id, repository_id, name) values ($1, $2, $3)",
        &[2, 1],
        &["main"],
    )
    .await;
    run(
        &mut connection,
        "update repositories set configured_branch = $1",
        &[],
        &["master"],
    )
    .await;
    let records = [now - 9 * DAY, now - 5 * DAY].map(|at| Record {
        at,
        basis_points: 5_000,
    });
    add_records(&mut connection, 1, "rust", &records).await;
    run(
        &mut connection,
        "update records set superseded_at = $1 where superseded_at is null",
        &[now - 2 * DAY],
        &[],
    )
    .await;
    refresh(&mut connection, 1).await;
    drop(connection);
    let query = OrgQuery {
        range: TrendRange::All,
        mean: Mean::Plain,
        over: domain::Over::All,
        ..OrgQuery::new("acme".parse().expect("an org"))
    };
    let history = store
        .everything()
        .org(&query)
        .await
        .expect("an answer")
        .expect("a history");
    assert_eq!(
        history.series[0].ended,
        Some(Day::of(Timestamp(now - 2 * DAY)))
    );
    let report =
        OrgReport::of(&history, &query, Percentage::from_basis_points(8_000)).expect("a report");
    let shown: Vec<_> = report
        .points
        .iter()
        .map(|point| point.coverage.is_some())
        .collect();
    assert_eq!(
        shown,
        [
            true, true, true, true, true, true, true, false, false, false
        ]
    );
}

#[tokio::test]
async fn a_coverage_file_without_lines_never_hides_earlier_lines() {
    let store = TestStore::new().await;
    let now = now().0;
    let mut connection = store.write_pool.acquire().await.expect("a connection");
    // The record with lines is from long before the short periods, or from the same day as the record without lines.
    for (id, ages) in [(1, [60 * DAY, 45 * DAY]), (2, [DAY / 1_000, 0])] {
        add_branch(&mut connection, id, "acme", "main").await;
        let records = ages.map(|age| Record {
            at: now - age,
            basis_points: 9_000,
        });
        add_records(&mut connection, id, "rust", &records).await;
        let uncounted = "update records set lines_covered = null, lines_total = null, percentage_basis_points = 5000
                         where branch_id = $1 and superseded_at is null";
        run(&mut connection, uncounted, &[id], &[]).await;
        refresh(&mut connection, id).await;
    }
    drop(connection);
    for &range in TrendRange::ALL {
        let query = OrgQuery {
            range,
            ..OrgQuery::new("acme".parse().expect("an org"))
        };
        let history = store.everything().org(&query).await.expect("an answer");
        for series in history.expect("a history").series {
            let counted = series.steps.iter().rev().find_map(|step| step.lines);
            let counted = counted.map(|lines| (lines.covered, lines.total));
            assert_eq!(counted, Some((9_000, 10_000)), "{range:?}: {series:?}");
            let last = series.steps.last().expect("a value");
            let shown = last.percentage.map(Percentage::basis_points);
            assert_eq!((shown, last.lines), (Some(5_000), None));
        }
    }
}

#[tokio::test]
async fn every_day_has_a_point_also_if_the_page_has_fewer() {
    let store = TestStore::new().await;
    let now = now().0;
    let mut connection = store.write_pool.acquire().await.expect("a connection");
    for id in 1..4 {
        add_branch(&mut connection, id, &format!("org{id}"), "main").await;
        let records = records(u64::try_from(id).expect("a number"), 200, now);
        add_records(&mut connection, id, "rust", &records).await;
    }
    drop(connection);
    let query = OrgQuery {
        range: TrendRange::All,
        mean: Mean::Plain,
        over: domain::Over::All,
        ..OrgQuery::all()
    };
    let answer = store
        .everything()
        .org_days(&query)
        .await
        .expect("an answer");
    let OrgDays { period, points, .. } = answer.expect("days");
    let history = store.everything().org(&query).await.expect("an answer");
    let history = history.expect("a history");
    assert!(history.interval != Interval::DAY);
    let days: Vec<_> = points.iter().map(|point| point.day).collect();
    assert_eq!(days, period.points(Interval::DAY));
    let report =
        OrgReport::of(&history, &query, Percentage::from_basis_points(8_000)).expect("a report");
    for shown in &report.points {
        assert!(points.contains(shown), "{shown:?}");
    }
}
