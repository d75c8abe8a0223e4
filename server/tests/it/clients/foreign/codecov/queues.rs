//! Uploads for commits that a merge queue tests.

use super::{COMMIT, LCOV, newest_attempt, record, server, stated_with, upload};
use crate::harness::Reachable;
use serde_json::json;

#[tokio::test]
async fn a_branch_of_a_merge_queue_gives_a_provisional_record() {
    let server = server().await;
    let main = stated_with(json!({"branch": "main", "commitid": "f".repeat(40)}));
    upload(&server, &main, &[("lcov.info", LCOV)]).await;
    let entry = format!("gh-readonly-queue/main/pr-7-{COMMIT}");
    let queued = stated_with(json!({ "branch": entry }));
    upload(&server, &queued, &[("lcov.info", LCOV)]).await;
    let row = newest_attempt(&server).await;
    assert!(row.detail.contains("merge queue"), "{}", row.detail);
    assert_eq!(
        record(&server, "acme/payments").await["branch_name"],
        "main"
    );
    let listed = server.current_records().await;
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0]["commit_hash"], "f".repeat(40));
}
