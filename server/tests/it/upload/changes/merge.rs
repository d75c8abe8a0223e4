//! Several uploads of one commit: which changes stay, and in which lines they are looked up.

use super::*;

/// One added line of a file.
fn adding(path: &str, line: u32) -> String {
    format!(
        "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -{},0 +{line} @@\n",
        line - 1
    )
}

async fn changed_file(server: &TestServer, answer: &Value) -> (Value, Value) {
    let changes = changes(server, answer).await;
    (
        changes["files"][0]["path"].clone(),
        changes["base_commit"].clone(),
    )
}

#[tokio::test]
async fn changes_are_looked_up_in_the_union_of_all_parts() {
    let server = TestServer::start().await;
    let part = |name: &str, hits: u8| {
        let lcov = format!("SF:a.c\nDA:1,1\nDA:2,{hits}\nend_of_record\n");
        let archive = Archive::new().file("coverage.xml", &lcov).tar_gz();
        Upload::of(archive).with("part", name).with("summary", "1")
    };
    let first = part("unit", 0).after("changes", adding("a.c", 2).as_bytes());
    let first = first.accepted(&server).await;
    assert_eq!(first["summary"]["changed_lines"]["covered"], 0);
    let second = part("e2e", 3).accepted(&server).await;
    assert_eq!(second["summary"]["changed_lines"]["covered"], 1);
    assert_eq!(
        changes(&server, &second).await["files"][0]["missed"],
        json!([])
    );
}

#[tokio::test]
async fn a_later_upload_replaces_changes_only_if_it_sends_some() {
    let server = TestServer::start().await;
    let fee = upload()
        .with("base_commit", "b1")
        .after("changes", adding("src/fee.c", 2).as_bytes());
    fee.accepted(&server).await;
    let answer = upload().accepted(&server).await;
    assert_eq!(
        changed_file(&server, &answer).await,
        (json!("src/fee.c"), json!("b1"))
    );
    let moved = upload().after("changes", adding("src/moved.c", 1).as_bytes());
    let answer = moved.accepted(&server).await;
    let expected = (json!("src/moved.c"), Value::Null);
    assert_eq!(
        changed_file(&server, &answer).await,
        expected,
        "they start from another base"
    );
}

#[tokio::test]
async fn a_push_run_never_replaces_the_changes_of_a_pull_request() {
    let server = TestServer::start().await;
    let of_request = upload()
        .with("pull_request", "7")
        .with("base_commit", "b1")
        .after("changes", adding("src/fee.c", 2).as_bytes());
    of_request.accepted(&server).await;
    let push = upload()
        .with("base_commit", "b2")
        .after("changes", adding("src/moved.c", 1).as_bytes());
    let answer = push.accepted(&server).await;
    assert_eq!(
        changed_file(&server, &answer).await,
        (json!("src/fee.c"), json!("b1"))
    );
    assert_eq!(answer["summary"]["pull_request"], "7");
    let again = upload()
        .with("pull_request", "7")
        .with("base_commit", "b3")
        .after("changes", adding("src/moved.c", 1).as_bytes());
    let answer = again.accepted(&server).await;
    assert_eq!(
        changed_file(&server, &answer).await,
        (json!("src/moved.c"), json!("b3"))
    );
}

#[tokio::test]
async fn changes_may_come_with_the_request_that_finishes_a_commit() {
    let server = TestServer::start().await;
    upload()
        .with("part", "unit")
        .with("parts", "unit,e2e")
        .accepted(&server)
        .await;
    let finish = upload()
        .with("finish", "1")
        .without_archive()
        .after("changes", DIFF.as_bytes());
    let answer = finish.accepted(&server).await;
    assert_eq!(changes(&server, &answer).await["coverable"], 3);
}

#[tokio::test]
async fn a_deleted_record_leaves_no_changes() {
    let server = TestServer::start().await;
    let answer = upload()
        .after("changes", DIFF.as_bytes())
        .accepted(&server)
        .await;
    let id = answer["coverage"]["id"].to_string();
    let deleted = server
        .command(&["delete", "record", &id, "--yes"])
        .output()
        .unwrap();
    assert!(deleted.status.success(), "{deleted:?}");
    let left: i64 = sqlx::query_scalar("select count(*) from record_changes")
        .fetch_one(&mut server.database().await)
        .await
        .unwrap();
    assert_eq!(left, 0);
}
