//! Compares the branches and functions of an org with a reading of all its records.

use super::*;

#[tokio::test]
async fn branches_and_functions_have_the_last_counted_value_of_each_day() {
    let store = TestStore::new().await;
    let now = now().0;
    let mut connection = store.write_pool.acquire().await.expect("a connection");
    for id in 1..4 {
        add_branch(&mut connection, id, "acme", "main").await;
        let records = records(u64::try_from(id).expect("a number"), 60, now);
        add_records(&mut connection, id, "rust", &records).await;
    }
    for counts in [
        "update records set branches_covered = lines_covered / 3, branches_total = 3333 where id % 3 > 0",
        "update records set branches_covered = 0, branches_total = 0 where id % 7 = 0",
        "update records set functions_covered = 7, functions_total = 9 where branch_id = 1 and id % 2 = 0",
    ] {
        run(&mut connection, counts, &[], &[]).await;
    }
    type Record = (i64, i64, Option<i64>, Option<i64>, Option<i64>, Option<i64>);
    let all: Vec<Record> = sqlx::query_as(
        "select branch_id, updated_at, branches_covered, branches_total, functions_covered, functions_total
         from records order by updated_at",
    )
    .fetch_all(&mut *connection)
    .await
    .expect("records");
    drop(connection);
    for metric in [StatedMetric::Branches, StatedMetric::Functions] {
        let query = OrgQuery {
            range: TrendRange::All,
            metric,
            ..OrgQuery::new("acme".parse().expect("an org"))
        };
        let reader = store.everything();
        let mut connection = store.read_pool.acquire().await.expect("a connection");
        let found = reader
            .found(&mut connection, (&query, query.org.clone()))
            .await
            .expect("an answer")
            .expect("an org");
        let period = found.period.expect("a period");
        for interval in [Interval::DAY, found.interval, Interval::of(period, 5_000)] {
            let steps = reader.steps(&found, period, interval).await.expect("steps");
            for day in period.points(interval) {
                for id in 1..4 {
                    let of_branch = all.iter().filter(|of| of.0 == id && of.1 < day.end().0);
                    let counts = of_branch.map(|of| match metric {
                        StatedMetric::Branches => Count::of_columns(of.2, of.3),
                        _ => Count::of_columns(of.4, of.5),
                    });
                    let expected = counts.flatten().filter_map(Percentage::of).next_back();
                    let steps = steps.get(&(id, "rust".parse().expect("a language")));
                    let until = steps.into_iter().flatten().filter(|step| step.day <= day);
                    let shown = until.filter_map(|step| step.percentage).next_back();
                    assert_eq!(
                        shown, expected,
                        "{metric} of {id} on {day} with {interval:?}"
                    );
                }
            }
        }
    }
}
