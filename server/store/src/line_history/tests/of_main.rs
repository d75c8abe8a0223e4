//! The counts of new code in the summary table.

use super::*;

/// The day of the count of the only current record of a main branch, and its covered, coverable and unknown new lines.
async fn kept(store: &Store) -> (Option<i64>, Option<(i64, i64, i64)>) {
    let row: (Option<i64>, Option<i64>, Option<i64>, Option<i64>) =
        sqlx::query_as("select new_day, new_covered, new_total, new_unknown from main_records")
            .fetch_one(&store.read_pool)
            .await
            .expect("a row");
    let (day, covered, total, unknown) = row;
    let new = covered.zip(total).zip(unknown);
    (
        day,
        new.map(|((covered, total), unknown)| (covered, total, unknown)),
    )
}

async fn as_if_yesterday(store: &Store) {
    sqlx::query("update main_records set new_day = new_day - 1")
        .execute(&store.write_pool)
        .await
        .expect("an update");
}

#[tokio::test]
async fn the_new_code_of_main_branches_is_counted_once_a_day_and_after_changes() {
    let store = TestStore::new().await;
    let [one, two, three] = chain(&store).await;
    for (id, days) in [(one, 120), (two, 100), (three, 10)] {
        age(&store, id, days).await;
    }
    let today = Some(i64::from(domain::Day::of(crate::time::now()).0));
    assert_eq!(kept(&store).await, (None, None));
    let count = async || store.writer().count_new_code().await.expect("counted");
    assert_eq!(count().await, 1);
    assert_eq!(new(&store, three, "90d").await, Some((1, 1, 0)));
    assert_eq!(kept(&store).await, (today, Some((1, 1, 0))));
    assert_eq!(count().await, 0, "counted today");
    // On the next day, older lines are new no longer.
    age(&store, three, 90).await;
    as_if_yesterday(&store).await;
    assert_eq!(count().await, 1);
    assert_eq!(kept(&store).await, (today, Some((0, 0, 0))));
    // A retry writes the row of the summary again.
    let retried = publish(
        &store,
        &upload(THREE, "xxx..", Some((TWO, "@@ -4,0 +5 @@"))),
    )
    .await;
    assert_eq!((retried, kept(&store).await), (three, (None, None)));
    store
        .writer()
        .count_new_code_beside(one)
        .await
        .expect("counted");
    assert_eq!(kept(&store).await.0, today);
    // A retry of a record before it changes the history, not the row of the summary.
    publish(&store, &upload(TWO, "xx.", Some((ONE, "@@ -2,0 +3 @@")))).await;
    assert_eq!(kept(&store).await, (None, None));
    assert_eq!(count().await, 1);
    let shown = new(&store, three, "90d")
        .await
        .map(|(covered, total, unknown)| {
            let number = |of: u64| i64::try_from(of).expect("a small number");
            (number(covered), number(total), number(unknown))
        });
    assert_eq!(kept(&store).await, (today, shown));
    // Settings may name the tag.
    let mut tag = upload(TWO, "xx.", None);
    tag.stated.branch = "refs/tags/v2.3".parse().expect("a branch");
    publish(&store, &tag).await;
    assert_eq!(kept(&store).await, (None, None));
}

#[tokio::test]
async fn a_record_without_a_history_has_no_count_and_waits_for_no_other() {
    let store = TestStore::new().await;
    let published = store
        .writer()
        .publish(&new_record("acme/payments", "main", ONE))
        .await;
    published.expect("published");
    assert_eq!(store.writer().count_new_code().await.expect("counted"), 1);
    let (day, new) = kept(&store).await;
    assert!(day.is_some() && new.is_none());
    assert_eq!(store.writer().count_new_code().await.expect("counted"), 0);
}

#[tokio::test]
async fn the_new_code_of_an_org_is_the_sum_of_its_counted_repositories() {
    let store = TestStore::new().await;
    let [one, two, three] = chain(&store).await;
    for (id, days) in [(one, 120), (two, 50), (three, 10)] {
        age(&store, id, days).await;
    }
    let mut other = upload(ONE, "x.x", None);
    other.stated.repository = "acme/group/other".parse().expect("a repository");
    publish(&store, &other).await;
    let bare = NewRecord {
        line_states: None,
        ..new_record("acme/bare", "main", ONE)
    };
    store.writer().publish(&bare).await.expect("published");
    let new_code = async |org: Option<&str>| {
        let query = domain::OrgQuery {
            org: org.map(|org| org.parse().expect("an org")),
            ..domain::OrgQuery::all()
        };
        let history = store.everything().org(&query).await.expect("an answer");
        let new = history.and_then(|history| history.new_code)?;
        let lines = new.new.lines;
        Some((
            lines.covered,
            lines.total,
            new.new.unknown,
            new.counted,
            new.repositories,
        ))
    };
    assert_eq!(new_code(None).await, None, "nothing is counted");
    store.writer().count_new_code().await.expect("counted");
    assert_eq!(new_code(Some("acme")).await, Some((2, 3, 3, 2, 3)));
    assert_eq!(new_code(None).await, Some((2, 3, 3, 2, 3)));
    assert_eq!(new_code(Some("acme/group")).await, Some((0, 0, 3, 1, 1)));
    // Also counts of yesterday are shown, but not older ones.
    as_if_yesterday(&store).await;
    assert_eq!(new_code(None).await, Some((2, 3, 3, 2, 3)));
    as_if_yesterday(&store).await;
    assert_eq!(new_code(None).await, None);
}
