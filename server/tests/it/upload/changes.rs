//! The form field `changes` of an upload, and the coverage of changed lines.

mod large;
mod merge;
mod of_forge;
mod oracle;
mod pull_requests;
mod refusals;

use crate::harness::{Archive, Reachable, TestServer, Upload};
use serde_json::{Value, json};

/// Lines 1, 2 and 4 ran, the last one without a branch; line 3 did not. A second file did not run.
const LCOV: &str = "SF:src/fee.c\nDA:1,1\nDA:2,1\nDA:3,0\nDA:4,1\nBRDA:4,0,0,1\nBRDA:4,0,1,0\nend_of_record\n\
    SF:src/moved.c\nDA:1,0\nend_of_record\n";

const DIFF: &str = "diff --git a/src/fee.c b/src/fee.c\n--- a/src/fee.c\n+++ b/src/fee.c\n@@ -1,0 +2,3 @@\n\
    diff --git a/src/old.c b/src/moved.c\nrename from src/old.c\nrename to src/moved.c\n\
    diff --git a/src/new.c b/src/new.c\nnew file mode 100644\n--- /dev/null\n+++ b/src/new.c\n@@ -0,0 +1,9 @@\n\
    diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n";

fn upload() -> Upload {
    Upload::of(Archive::new().file("coverage.xml", LCOV).tar_gz()).with("summary", "1")
}

fn record(answer: &Value) -> String {
    format!("/coverages-api/records/{}", answer["coverage"]["id"])
}

async fn changes(server: &impl Reachable, answer: &Value) -> Value {
    let path = format!("{}/changes", record(answer));
    server.get_json(&path).await
}

#[tokio::test]
async fn the_ledger_states_the_changed_lines_of_an_upload() {
    let server = TestServer::start().await;
    let sent = upload().before("changes", DIFF.as_bytes());
    sent.with("commit_hash", "c1").accepted(&server).await;
    let without = upload().with("commit_hash", "c2");
    without.accepted(&server).await;
    let ledger = server.get_text("/uploads").await;
    assert_eq!(
        ledger.matches("2 of 3 changed lines").count(),
        1,
        "{ledger}"
    );
}

#[tokio::test]
async fn changed_lines_are_answered_with_their_states() {
    let server = TestServer::start().await;
    for sent in [
        upload().before("changes", DIFF.as_bytes()),
        upload().after("changes", DIFF.as_bytes()),
        upload()
            .after("changes", DIFF.as_bytes())
            .after("changes", b"the first one counts"),
    ] {
        let sent = sent
            .with("base_commit", "5b174c2")
            .with("pull_request", "7");
        let answer = sent.accepted(&server).await;
        assert_eq!(
            changes(&server, &answer).await,
            json!({
                "covered": 2,
                "coverable": 3,
                "percentage": 66.67,
                "base_commit": "5b174c2",
                "files": [
                    {
                        "path": "src/fee.c",
                        "old_path": "src/fee.c",
                        "covered": 2,
                        "coverable": 3,
                        "missed": [[3, 3]],
                        "partial": [[4, 4]]
                    },
                    {
                        "path": "src/moved.c",
                        "old_path": "src/old.c",
                        "covered": 0,
                        "coverable": 0,
                        "missed": [],
                        "partial": []
                    }
                ],
                "unmeasured": ["src/new.c"],
                "unknown_files": 0
            })
        );
        let expected = json!({
            "covered": 2, "coverable": 3, "percentage": 66.67, "files": 2, "unmeasured_files": 1,
            "unknown_files": 0
        });
        let later = server.get_json(&record(&answer)).await;
        for summary in [&answer["summary"], &later] {
            assert_eq!(summary["changed_lines"], expected);
            assert_eq!(summary["pull_request"], "7");
            assert_eq!(
                summary["text"],
                "60.00 %, 2 of 3 changed lines, lost: unknown"
            );
        }
    }
}

#[tokio::test]
async fn no_coverable_changed_line_has_no_percentage() {
    let server = TestServer::start().await;
    for diff in [
        "",
        "diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n",
    ] {
        let answer = upload()
            .with("commit_hash", "docs")
            .after("changes", diff.as_bytes());
        let answer = answer.accepted(&server).await;
        let changes = changes(&server, &answer).await;
        assert_eq!(changes["coverable"], 0);
        assert_eq!(changes["percentage"], Value::Null);
        assert_eq!(changes["files"], json!([]));
        let text = &answer["summary"]["text"];
        assert_eq!(text, "60.00 %, no coverable lines changed, lost: unknown");
    }
}

#[tokio::test]
async fn an_unchanged_answer_is_not_sent_again() {
    let server = TestServer::start().await;
    let answer = upload()
        .after("changes", DIFF.as_bytes())
        .accepted(&server)
        .await;
    let path = format!("{}/changes", record(&answer));
    let first = server.get(&path).await;
    let etag = first.headers()["etag"].clone();
    let again = server
        .client
        .get(server.url(&path))
        .header("if-none-match", etag);
    assert_eq!(again.send().await.unwrap().status(), 304);
}
