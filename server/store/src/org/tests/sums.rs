//! Compares the sums of days with a reading of all records, after random changes on many days.

use super::*;
use crate::main_records::tests::{Draw, assert_days_kept, something_happens};
use std::collections::BTreeSet;

/// Moves everything that happened so far into the past.
async fn days_pass(store: &TestStore, days: i64) {
    let mut connection = store.write_pool.acquire().await.expect("a connection");
    let times = "update records set created_at = created_at - $1, updated_at = updated_at - $1, superseded_at = superseded_at - $1,
                                    unconfirmed_at = unconfirmed_at - $1";
    let last = "update repositories set last_upload_at = last_upload_at - $1";
    let series = "update main_series set first_at = first_at - $1, last_at = last_at - $1, ended_at = ended_at - $1, counted_day = counted_day - $2";
    run(&mut connection, times, &[days * DAY], &[]).await;
    run(&mut connection, last, &[days * DAY], &[]).await;
    let repositories = "update main_repositories set first_day = first_day - $1, last_day = last_day - $1, active_since = active_since - $1,
                                                     counted_since = counted_since - $1";
    run(&mut connection, series, &[days * DAY, days], &[]).await;
    run(&mut connection, repositories, &[days], &[]).await;
    // In two steps, so that no row gets the day of another one.
    let away = "update main_days set day = -day";
    let back = "update main_days set day = -day - $1";
    run(&mut connection, away, &[], &[]).await;
    run(&mut connection, back, &[days], &[]).await;
}

#[tokio::test]
async fn the_days_of_an_org_equal_a_sum_over_records_after_any_changes() {
    let store = TestStore::new().await;
    let mut draw = Draw(7);
    let mut kept = 0;
    for n in 0..400 {
        let happened = something_happens(&store, &mut draw).await;
        assert_days_kept(&store.read_pool, &happened).await;
        if n % 5 == 0 {
            days_pass(&store, 1 + n % 3).await;
        }
        if n % 8 == 0 {
            kept += assert_sums(&store, n, &happened).await;
        }
    }
    assert!(kept > 0, "no repository was only in the sums");
}

/// Compares sums with the records, of the periods that begin some days ago. Returns how many repositories were only in the sums.
async fn assert_sums(store: &TestStore, days: i64, after: &str) -> u32 {
    let mut kept = 0;
    let today = Day::of(now());
    for org in [None, Some("acme"), Some("zoo")] {
        for over in [domain::Over::Same, domain::Over::All] {
            let query = OrgQuery {
                from: Some(today.days_before(i32::try_from(days % 50).expect("days"))),
                to: Some(today.days_before(i32::try_from(days % 3).expect("days"))),
                over,
                org: org.map(|org| org.parse().expect("an org")),
                ..OrgQuery::default()
            };
            let reader = store.everything();
            let summed = reader.org_days(&query).await.expect("an answer");
            let org = reader.asked_org(&query).await.expect("an org");
            let mut connection = store.read_pool.acquire().await.expect("a connection");
            let found = reader.found(&mut connection, (&query, org)).await;
            let found = found.expect("an answer");
            drop(connection);
            let Some((found, period)) = found.and_then(|found| {
                let period = found.period?;
                Some((found, period))
            }) else {
                assert_eq!(summed, None, "after {after}");
                continue;
            };
            let read = reader.of_records(&found, period, &query).await;
            let summed = summed.map(|days| days.points);
            assert_eq!(summed, read.ok(), "{query:?} after {after}");
            let target = Percentage::from_basis_points(8_000);
            let history = reader.org_groups(&query, target).await.expect("an answer");
            let sums = history.iter().filter_map(|history| history.sums.as_ref());
            kept += sums
                .flat_map(|sums| &sums.kept)
                .map(|(_, kept)| kept.repositories)
                .sum::<u32>();
            let read = reader.org(&query).await.expect("an answer");
            let [summed, read] = [history, read].map(|history| {
                let history = history.expect("a history");
                let mut report = OrgReport::of(&history, &query, target).expect("a report");
                report.movements.clear();
                let orgs: BTreeSet<_> = history.orgs().cloned().collect();
                (report, orgs, history.new_code)
            });
            assert_eq!(summed, read, "{query:?} after {after}");
        }
    }
    kept
}
