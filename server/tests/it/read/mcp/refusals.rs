//! The refusals of tools: one sentence that states what to do.

use super::*;
use crate::harness::cobertura;

#[tokio::test]
async fn a_missing_record_file_or_line_is_an_error_with_advice() {
    let server = with_change().await;
    upload("c3", &cobertura(1, 2))
        .with("branch_name", "empty")
        .accepted(&server)
        .await;
    let agent = agent(&server).await;
    let file = |path: &str| json!({"record": 2, "path": path});
    for (tool, arguments, advice) in [
        ("explain", json!({}), "Set `record` to"),
        ("explain", json!({"record": null}), "Set `record` to"),
        ("explain", json!({"record": "acme"}), "Set `record` to"),
        ("explain", json!({"record": [1]}), "Set `record` to"),
        ("explain", json!({"record": 1.5}), "Set `record` to"),
        ("explain", json!({"record": 99}), "There is no record 99; "),
        ("gate", json!({"record": -1}), "There is no record -1; "),
        (
            "gate",
            json!({"record": "acme/payments@nothing"}),
            "has no current record on the branch `nothing`",
        ),
        (
            "gate",
            json!({"record": "acme/nothing@main"}),
            "The repository `acme/nothing` has no",
        ),
        ("gate", json!({"record": 1}), "No gate is set"),
        ("explain", json!({"record": 1}), "has no base"),
        (
            "uncovered_in_change",
            json!({"record": 1}),
            "changed lines of record 1 are not known",
        ),
        ("uncovered_in_change", json!({"record": 3}), "are not known"),
        ("file_lines", json!({"record": 2}), "Set `path` to"),
        ("file_lines", file(""), "Set `path` to"),
        ("file_lines", file(&"x".repeat(4_097)), "Set `path` to"),
        (
            "file_lines",
            file("other/fee.c"),
            "did you mean `src/fee.c`?",
        ),
        ("file_lines", file("nothing.c"), "its page lists its files"),
        (
            "file_lines",
            json!({"record": 3, "path": "a"}),
            "The lines of record 3 are not kept",
        ),
        (
            "file_lines",
            json!({"record": 2, "path": "src/fee.c", "from": 0}),
            "Set `from` to",
        ),
        (
            "file_lines",
            json!({"record": 2, "path": "src/fee.c", "from": 9, "to": 8}),
            "not after `to`",
        ),
        (
            "file_lines",
            json!({"record": 2, "path": "src/fee.c", "to": 1_u64 << 40}),
            "Set `to` to",
        ),
    ] {
        let sentence = refusal(&agent, tool, arguments.clone()).await;
        assert!(sentence.contains(advice), "{tool} {arguments}: {sentence}");
        assert!(sentence.len() < 2_000, "{sentence}");
    }
}

#[tokio::test]
async fn lines_that_have_expired_are_an_error_that_names_newer_records() {
    let server = with_change().await;
    let agent = agent(&server).await;
    let mut database = server.database().await;
    // Changed lines that were found before are kept; the revision shows that they are of another state.
    for statement in [
        "delete from record_lines where record_id = 2",
        "update records set revision = revision + 1 where id = 2",
    ] {
        sqlx::query(statement).execute(&mut database).await.unwrap();
    }
    for tool in ["uncovered_in_change", "file_lines"] {
        let sentence = refusal(&agent, tool, json!({"record": 2, "path": "src/fee.c"})).await;
        let advice = "The lines of record 2 are not kept: they have expired, or its coverage file has none; ask for a newer record";
        assert!(sentence.starts_with(advice), "{sentence}");
        assert!(sentence.ends_with(&server.url("/records/2")), "{sentence}");
    }
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_of_the_protocol() {
    let server = TestServer::start().await;
    let agent = agent(&server).await;
    let error = agent
        .call_tool(CallToolRequestParams::new("drop_tables"))
        .await;
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("tools/list names all")
    );
}
