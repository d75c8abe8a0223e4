//! The order in which histories are computed, and what is stored with them.

use super::*;

#[tokio::test]
async fn the_order_of_two_tasks_does_not_change_a_history() {
    let store = TestStore::new().await;
    let writer = store.writer();
    // One task computes a history without a base; meanwhile, the base arrives in another task.
    let two = publish(&store, &upload(TWO, "x..", Some((ONE, "@@ -2,0 +3 @@")))).await;
    let late = writer.computed_history(two).await.expect("an answer");
    let one = publish(&store, &upload(ONE, "xx", None)).await;
    let known = history(&store, two).await;
    let line_3 = ((3, 3), (one, two, 0));
    assert_eq!(known.as_ref().and_then(|known| known.last()), Some(&line_3));
    let kept = writer.keep_computed_history(late.expect("a history"));
    assert_eq!(kept.await.expect("kept"), Vec::<i64>::new());
    assert_eq!(history(&store, two).await, known);
    // The same if the base gets other lines.
    let three = publish(&store, &upload(THREE, "x..", Some((TWO, "")))).await;
    let late = writer.computed_history(three).await.expect("an answer");
    publish(&store, &upload(TWO, "x.x", Some((ONE, "@@ -2,0 +3 @@")))).await;
    let known = history(&store, three).await;
    let line_3 = ((3, 3), (one, two, two));
    assert_eq!(known.as_ref().and_then(|known| known.last()), Some(&line_3));
    let kept = writer.keep_computed_history(late.expect("a history"));
    assert_eq!(kept.await.expect("kept"), Vec::<i64>::new());
    assert_eq!(history(&store, three).await, known);
}

/// The commit of this number.
fn numbered(number: usize) -> String {
    format!("{number:040}")
}

/// Records of the main branch that have no history, each with the one before as its base and with a line more.
async fn without_history(store: &Store, number: usize, state: &str) -> Vec<i64> {
    let mut ids = Vec::new();
    for at in 1..=number {
        let before = numbered(at - 1);
        let hunk = format!("@@ -{},0 +{at} @@", at - 1);
        let base = (at > 1).then_some((before.as_str(), hunk.as_str()));
        let new = upload(&numbered(at), &state.repeat(at), base);
        let published = store.writer().publish(&new).await.expect("published");
        ids.push(published.record.id);
    }
    ids
}

#[tokio::test]
async fn a_long_chain_without_histories_gets_them_after_all_other_records() {
    let store = TestStore::new().await;
    let ids = without_history(&store, 53, "x").await;
    let [.., before, last] = ids.as_slice() else {
        panic!("few records");
    };
    let mut waiting = WaitingHistories::default();
    for id in [before, last] {
        waiting.add(&store, *id).await.expect("records");
    }
    let other = store.writer().publish(&upload(ONE, "x", None)).await;
    let other = other.expect("published").record.id;
    waiting.add(&store, other).await.expect("a record");
    waiting.compute_next(&store).await.expect("kept");
    assert!(history(&store, other).await.is_some());
    assert_eq!(history(&store, ids[0]).await, None);
    for _ in 0..ids.len() {
        waiting.compute_next(&store).await.expect("kept");
    }
    assert!(waiting.is_empty());
    let known = history(&store, *last).await.expect("a history");
    assert_eq!(known.last(), Some(&((53, 53), (*before, *last, *last))));
    assert_eq!(known.first(), Some(&((1, 1), (0, ids[0], *last))));
}

#[tokio::test]
async fn several_late_parts_compute_each_later_record_once() {
    let store = TestStore::new().await;
    let ids = without_history(&store, 5, ".").await;
    keep(&store, ids[4]).await;
    let mut waiting = WaitingHistories::default();
    for states in ["x", ".", "x"] {
        let late = upload(&numbered(1), states, None);
        store.writer().publish(&late).await.expect("published");
        waiting.add(&store, ids[0]).await.expect("a record");
    }
    for computed in 0..5 {
        assert!(!waiting.is_empty(), "{computed}");
        waiting.compute_next(&store).await.expect("kept");
    }
    assert!(waiting.is_empty());
}

#[tokio::test]
async fn the_chain_of_a_deleted_repository_is_deleted() {
    let store = TestStore::new().await;
    let [_, two, three] = chain(&store).await;
    let left = async || {
        let rows = sqlx::query_scalar("select count(*) from record_chain");
        let rows: i64 = rows.fetch_one(&store.read_pool).await.expect("a number");
        rows
    };
    let delete = async |deletion| {
        let by = Actor::service();
        let deleted = store.operator().delete(&deletion, &[Scope::All], &by).await;
        deleted.expect("an answer").expect("deleted");
    };
    delete(Deletion::Record(two)).await;
    delete(Deletion::Record(three)).await;
    assert_eq!(left().await, 3);
    let repository = "acme/payments".parse().expect("a repository");
    delete(Deletion::Repository(repository)).await;
    assert_eq!(left().await, 0);
}

#[tokio::test]
async fn the_history_of_a_record_counts_in_its_bytes() {
    let store = TestStore::new().await;
    let new = upload(ONE, "xx", None);
    let id = store.writer().publish(&new).await.expect("published");
    let id = id.record.id;
    let bytes = async |query: &'static str| {
        let bytes = sqlx::query_scalar(query).bind(id);
        let bytes: i64 = bytes.fetch_one(&store.read_pool).await.expect("bytes");
        bytes
    };
    const ALL: &str = "select database_bytes from records where id = $1";
    const OF_HISTORY: &str =
        "select length(history) + length(counts) from record_histories where record_id = $1";
    let before = bytes(ALL).await;
    keep(&store, id).await;
    assert_eq!(bytes(ALL).await, before + bytes(OF_HISTORY).await);
}
