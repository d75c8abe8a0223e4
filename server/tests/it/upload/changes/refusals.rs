//! Changes that cannot be read, and records without any.

use super::*;

#[tokio::test]
async fn changes_that_are_no_diff_are_refused_with_their_line_and_store_nothing() {
    let server = TestServer::start().await;
    let head = "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n";
    let many = format!("{head}{}", "@@ -1 +1 @@\n".repeat(100_000));
    for (diff, said) in [
        (
            "hello\n".to_owned(),
            "line 1: expected `diff --git a/… b/…`",
        ),
        (
            "diff --cc a.c\n".to_owned(),
            "line 1: a combined diff (`diff --cc`)",
        ),
        (
            format!("{head}@@ -9 +9 @@\n@@ -3 +3 @@\n"),
            "line 5: expected a hunk after",
        ),
        (
            format!("{head}@@ -1 +4294967295 @@\n"),
            "line 4: expected lines up to 2147483647",
        ),
        (many, "line 5: expected a hunk after"),
        (
            "diff --git a/../x b/../x\n".to_owned(),
            "line 1: expected a path inside the repository",
        ),
    ] {
        for sent in [
            upload().before("changes", diff.as_bytes()),
            upload().after("changes", diff.as_bytes()),
        ] {
            let (status, problem) = sent.refused(&server).await;
            assert_eq!((status, &problem["code"]), (422, &json!("invalid_changes")));
            let detail = problem["detail"].as_str().unwrap();
            assert!(detail.starts_with("The form field `changes`, "), "{detail}");
            assert!(detail.contains(said), "{detail}");
        }
    }
    assert_eq!(server.get_json("/coverages-api").await["data"], json!({}));
    assert!(server.stored_files().is_empty());
}

#[tokio::test]
async fn changes_over_8_mib_are_refused() {
    let server = TestServer::start().await;
    let mut diff = format!("{DIFF}diff --git a/x b/x\n");
    let long = " ".repeat((8 << 20) + 1);
    diff.push_str(&format!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-{long}\n+x\n"));
    let (status, problem) = upload()
        .before("changes", diff.as_bytes())
        .refused(&server)
        .await;
    assert_eq!(
        (status, &problem["code"]),
        (413, &json!("upload_too_large"))
    );
    assert!(
        problem["detail"].as_str().unwrap().contains("header lines"),
        "{problem}"
    );
}

#[tokio::test]
async fn wrong_parameters_of_a_change_are_all_named() {
    let server = TestServer::start().await;
    let sent = upload()
        .with("pull_request", "seven")
        .with("base_commit", "a b")
        .with("tree_hash", "123")
        .with("base_tree", &"g".repeat(40))
        .with("target_branch", "\u{7}");
    let (status, problem) = sent.refused(&server).await;
    assert_eq!(
        (status, &problem["code"]),
        (422, &json!("invalid_parameter"))
    );
    for name in [
        "pull_request",
        "base_commit",
        "tree_hash",
        "base_tree",
        "target_branch",
    ] {
        assert!(problem["errors"][name].is_string(), "{name} of {problem}");
    }
    let tree = "0123456789ABCDEFabcd".repeat(2);
    upload()
        .with("tree_hash", &tree)
        .with("base_tree", "")
        .accepted(&server)
        .await;
}

#[tokio::test]
async fn a_record_without_changes_or_lines_says_which() {
    let server = TestServer::start().await;
    let answer = upload().with("pull_request", "7").accepted(&server).await;
    assert_eq!(answer["summary"]["changed_lines"], Value::Null);
    let without_lines = Archive::new()
        .file("coverage.xml", "SF:a.c\nLF:2\nLH:1\nend_of_record\n")
        .tar_gz();
    let other = Upload::of(without_lines)
        .with("commit_hash", "other")
        .with("summary", "1")
        .after("changes", DIFF.as_bytes());
    let other = other.accepted(&server).await;
    assert_eq!(other["summary"]["changed_lines"], Value::Null);
    for (path, code) in [
        (format!("{}/changes", record(&answer)), "no_changes"),
        (format!("{}/changes", record(&other)), "no_lines"),
        ("/coverages-api/records/999/changes".to_owned(), "not_found"),
        ("/coverages-api/records/x/changes".to_owned(), "not_found"),
    ] {
        let response = server.get(&path).await;
        assert_eq!(response.status(), 404, "{path}");
        let problem: Value = response.json().await.unwrap();
        assert_eq!(problem["code"], code, "{path}");
    }
}
