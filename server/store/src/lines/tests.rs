//! How long lines are kept.

use super::*;
use crate::{
    NewRecord, Store,
    testing::{TestStore, new_record},
};
use ::lines::{FileLines, Line};
use domain::DAY;

pub(crate) fn upload(branch: &str, commit: &str) -> NewRecord {
    let mut lines = Lines::default();
    lines.add(
        "a.rs",
        FileLines::from_iter([(Line::new(1, 1, false), None)]),
    );
    NewRecord {
        line_states: Some(NewLines {
            covered: 1,
            coverable: 1,
            encoded: lines.encode(&Limits::default()).expect("few lines"),
            branches: None,
            tests: None,
        }),
        ..new_record("acme/payments", branch, commit)
    }
}

async fn has_lines(store: &Store, id: i64) -> bool {
    let lines = store
        .everything()
        .record_lines(id)
        .await
        .expect("an answer");
    matches!(lines, Some(RecordLines::Kept { .. }))
}

/// Simulates that a record was uploaded, and its lines reviewed, `days` earlier.
async fn age(store: &Store, id: i64, days: i64) {
    for query in [
        "update records set updated_at = updated_at - $1 where id = $2",
        "update record_lines set review_at = review_at - $1 where record_id = $2",
    ] {
        sqlx::query(query)
            .bind(days * DAY)
            .bind(id)
            .execute(&store.write_pool)
            .await
            .expect("an update");
    }
}

#[tokio::test]
async fn lines_of_main_branches_stay_and_others_expire() {
    let store = TestStore::new().await;
    let mut ids = Vec::new();
    for (branch, commit) in [("main", "c1"), ("main", "c2"), ("old", "c3"), ("new", "c4")] {
        ids.push(
            store
                .writer()
                .publish(&upload(branch, commit))
                .await
                .expect("published")
                .record
                .id,
        );
    }
    for (id, days) in [(ids[0], 400), (ids[1], 95), (ids[2], 91), (ids[3], 89)] {
        age(&store, id, days).await;
    }
    let reviewed = store.writer().review_lines(90).await.expect("reviewed");
    assert_eq!(
        reviewed,
        Reviewed {
            kept: 3,
            deleted: 1
        }
    );
    for (id, is_kept) in ids.iter().zip([true, true, false, true]) {
        assert_eq!(has_lines(&store, *id).await, is_kept, "record {id}");
    }
    let again = store.writer().review_lines(90).await.expect("reviewed");
    assert_eq!(again, Reviewed::default(), "nothing is due");
    age(&store, ids[3], 2).await;
    let later = store.writer().review_lines(90).await.expect("reviewed");
    assert_eq!(
        later,
        Reviewed {
            kept: 0,
            deleted: 1
        }
    );
}

#[tokio::test]
async fn an_upload_of_the_same_commit_keeps_its_lines_longer() {
    let store = TestStore::new().await;
    store
        .writer()
        .publish(&upload("main", "c1"))
        .await
        .expect("published");
    let id = store
        .writer()
        .publish(&upload("b", "c2"))
        .await
        .expect("published")
        .record
        .id;
    age(&store, id, 91).await;
    store
        .writer()
        .publish(&upload("b", "c2"))
        .await
        .expect("published");
    let reviewed = store.writer().review_lines(90).await.expect("reviewed");
    assert_eq!(reviewed.deleted, 0);
    assert!(has_lines(&store, id).await);
}
