//! Repositories with records from a clock that was ahead.

use super::{MOST_AHEAD, settle};
use crate::actor::Actor;
use crate::{
    BranchList, MainRight, NewRecord, Published, Stated, Store,
    listing::tests::assert_counted,
    main_records::tests::{Draw, assert_kept, something_happens, united, upload},
    now,
    testing::TestStore,
};
use domain::{BranchName, Repository, Timestamp};
use sqlx::Row;

const YEAR: i64 = 365 * 86_400 * 1_000_000;

/// Simulates a clock that went ahead at `$2`: adds `$1` microseconds to all later times.
const GO_AHEAD: [&str; 5] = [
    "update records set created_at = created_at + $1 where created_at >= $2",
    "update records set updated_at = updated_at + $1 where updated_at >= $2",
    "update records set superseded_at = superseded_at + $1 where superseded_at >= $2",
    "update records set unconfirmed_at = unconfirmed_at + $1 where unconfirmed_at >= $2",
    "update repositories set last_upload_at = last_upload_at + $1 where last_upload_at >= $2",
];

async fn go_ahead(store: &Store, microseconds: i64, first: i64) {
    let since: i64 = sqlx::query_scalar(
        "select r.created_at from records r where r.id >= $1 order by r.id limit 1",
    )
    .bind(first)
    .fetch_one(&store.read_pool)
    .await
    .expect("a record");
    for statement in GO_AHEAD {
        sqlx::query(statement)
            .bind(microseconds)
            .bind(since)
            .execute(&store.write_pool)
            .await
            .expect("moments");
    }
}

async fn moments(store: &Store) -> Vec<i64> {
    const MOMENTS: &str = "
        select r.repository_id, r.created_at, r.updated_at, coalesce(r.superseded_at, r.updated_at) as superseded_at
        from records r order by r.id";
    let rows = sqlx::query(MOMENTS)
        .fetch_all(&store.read_pool)
        .await
        .expect("rows");
    let of_row = |row: &sqlx::any::AnyRow| {
        ["created_at", "updated_at", "superseded_at"].map(|name| row.get::<i64, _>(name))
    };
    rows.iter().flat_map(of_row).collect()
}

/// The rank of each time among all times.
fn places(moments: &[i64]) -> Vec<usize> {
    let mut sorted = moments.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let place = |moment| sorted.binary_search(moment).expect("its place");
    moments.iter().map(place).collect()
}

fn one() -> Repository {
    "acme/one".parse().expect("a repository")
}

fn new(draw: &mut Draw, commit: &str) -> NewRecord {
    let base = upload(draw);
    NewRecord {
        stated: Stated {
            repository: one(),
            branch: BranchName::try_from("main".to_owned()).expect("a branch"),
            commit: commit.parse().expect("a commit"),
            language: "rust".parse().expect("a language"),
            main_right: MainRight::Granted,
            ..base.stated
        },
        ..base
    }
}

async fn published(store: &Store, new: &NewRecord) -> Published {
    let mut new = new.clone();
    new.part.united = united(store, &new).await;
    store.writer().publish(&new).await.expect("published")
}

/// A repository with a history, alone in its database.
async fn with_history(draw: &mut Draw) -> TestStore {
    let store = TestStore::new().await;
    for commit in 0..30 {
        published(&store, &new(draw, &format!("c{}", commit % 20))).await;
    }
    store
}

#[tokio::test]
async fn an_upload_corrects_times_of_a_clock_that_was_ahead_in_order() {
    let mut draw = Draw(7);
    for first in [1, 11, 20] {
        let store = with_history(&mut draw).await;
        go_ahead(&store, YEAR, first).await;
        let before = moments(&store).await;
        assert!(before.iter().max() > Some(&now().0));
        let (all, by) = (["main".to_owned()].into(), Actor::service());
        let list = BranchList {
            active: &all,
            forge_claim: None,
            from_branch: None,
            by: &by,
        };
        let retired = store.writer().retire_branches(&one(), list).await;
        assert_eq!(retired.expect("retired"), 0);

        let after = moments(&store).await;
        assert_eq!(places(&before), places(&after), "{first}");
        let last = *after.iter().max().expect("a moment");
        assert!(last <= now().0, "{first}");
        let past = before
            .iter()
            .zip(&after)
            .filter(|(before, _)| **before <= last);
        assert!(
            past.clone().all(|(before, after)| before == after),
            "{first}"
        );
        assert_kept(&store.read_pool, "the times were moved back").await;
        assert_counted(&store.read_pool, "the times were moved back").await;

        let record = published(&store, &new(&mut draw, "c30")).await.record;
        assert!(record.updated_at.0 > last && record.updated_at.0 <= now().0);
        assert_eq!(record.created_at, record.updated_at);
        assert_kept(&store.read_pool, "the next upload").await;
    }
}

#[tokio::test]
async fn a_retry_after_a_clock_was_ahead_is_the_latest_and_has_the_time_now() {
    let mut draw = Draw(8);
    let store = with_history(&mut draw).await;
    go_ahead(&store, YEAR, 5).await;
    let record = published(&store, &new(&mut draw, "c3")).await.record;
    let moments = moments(&store).await;
    assert_eq!(moments.iter().max(), Some(&record.updated_at.0));
    assert!(record.updated_at.0 <= now().0 && record.created_at < record.updated_at);
    assert_kept(&store.read_pool, "a retry").await;
}

#[tokio::test]
async fn slightly_different_clocks_keep_the_order_of_arrival() {
    let mut draw = Draw(9);
    let store = with_history(&mut draw).await;
    go_ahead(&store, MOST_AHEAD / 2, 1).await;
    let before = moments(&store).await;
    let record = published(&store, &new(&mut draw, "c40")).await.record;
    let last = *before.iter().max().expect("a moment");
    assert_eq!(record.updated_at.0, last + 1);
    let after = moments(&store).await;
    assert!(before.iter().max() < after.iter().max() && after.contains(&last));
}

#[tokio::test]
async fn an_unset_clock_changes_no_time_of_earlier_uploads() {
    let mut draw = Draw(11);
    let store = with_history(&mut draw).await;
    let before = moments(&store).await;
    let following = Timestamp(before.iter().max().expect("a moment") + 1);
    let mut connection = store.write_pool.acquire().await.expect("a connection");
    for days_after_1970 in [0, 10 * 365, 50 * 365] {
        let unset = Timestamp(days_after_1970 * 86_400 * 1_000_000);
        let at = settle(&mut connection, 1, following, unset).await;
        assert_eq!(at.expect("a moment"), following, "{days_after_1970}");
    }
    drop(connection);
    assert_eq!(moments(&store).await, before);
}

#[tokio::test]
async fn derived_tables_stay_correct_when_clocks_jump() {
    let store = TestStore::new().await;
    let mut draw = Draw(10);
    for round in 0..20 {
        for _ in 0..10 {
            something_happens(&store, &mut draw).await;
        }
        assert_counted(&store.read_pool, "some uploads").await;
        go_ahead(&store, YEAR, 1 + round).await;
        let names: Vec<String> =
            sqlx::query_scalar("select org_name || '/' || repo_name from repositories order by id")
                .fetch_all(&store.read_pool)
                .await
                .expect("names");
        for name in names {
            let base = upload(&mut draw);
            let in_it = NewRecord {
                stated: Stated {
                    repository: name.parse().expect("a repository"),
                    // A deletion that changes nothing does not move times back.
                    main_right: MainRight::Granted,
                    ..base.stated
                },
                ..base
            };
            published(&store, &in_it).await;
        }
        assert_kept(&store.read_pool, "clocks were ahead").await;
        assert_counted(&store.read_pool, "clocks were ahead").await;
        let moments = moments(&store).await;
        assert!(moments.iter().all(|moment| *moment <= now().0));
    }
}
