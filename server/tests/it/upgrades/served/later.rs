//! What later schemas have besides: details, lines, parts, changes, gates, the ledger and the audit log.

use super::assert_shown;
use crate::harness::{Reachable, TestServer};
use serde_json::json;

/// Checks the pages and the API about single records, and the ledger.
pub async fn assert_records(server: &impl Reachable, schema: i64) {
    let since = |first: i64| schema >= first;
    if since(4) {
        assert_shown(
            server,
            "/uploads",
            &["Record 6 has 80.00 %.", "The token was not accepted."],
        )
        .await;
    }
    if since(7) {
        let details = [
            "gcovr 7.2",
            "fee.c",
            "tax.c",
            "Two files have the same path.",
        ];
        assert_shown(server, "/records/6", &details).await;
    }
    if since(24) {
        let lines = "/coverages-api/records/6/lines?path=src/fee.c";
        let expected = json!({
            "path": "src/fee.c", "covered": 2, "coverable": 3, "hit": [[1, 1]], "partial": [[4, 4]], "missed": [[2, 2]],
        });
        assert_eq!(server.get_json(lines).await, expected);
    }
    let summary = async |id: i64| {
        let path = format!("/coverages-api/records/{id}");
        server.get_json(&path).await
    };
    if since(25) {
        let paths = &summary(6).await["paths"];
        assert_eq!((&paths["matched"], &paths["of"]), (&json!(1), &json!(2)));
    }
    let head = summary(8).await;
    assert_eq!(head["base"]["id"], 6, "{head}");
    assert_eq!(head["delta"], -15.0, "{head}");
    if since(26) {
        let mut arrived = vec!["unit", "web"];
        if since(31) {
            arrived.insert(1, "slow");
        }
        assert_eq!(head["parts"]["complete"], json!(true), "{head}");
        assert_eq!(head["parts"]["expected"], json!(["unit", "web"]), "{head}");
        assert_shown(server, "/records/8", &arrived).await;
    }
    if since(27) {
        assert_eq!(head["pull_request"], "17", "{head}");
        assert_eq!(head["base"]["found_by"], "commit", "{head}");
    }
    if since(29) {
        let verdict = &head["gate"]["verdict"];
        assert_eq!(verdict, "failed", "65 % is less than the floor: {head}");
    }
    if since(30) {
        assert_eq!(summary(7).await["pull_request"], "16");
    }
    if since(34) {
        assert_eq!(head["measured_commit"], "d1-merged", "{head}");
    }
    if since(35) {
        let run = ["https://ci.example.com/runs/9"];
        assert_shown(server, "/records/6", &run).await;
    }
}

/// Checks what commands print, and what only the service itself reads.
pub async fn assert_commands(server: &TestServer, schema: i64) {
    let printed = |arguments: &[&str]| {
        let output = server.command(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    if schema >= 16 {
        let audit = printed(&["audit", "--format", "ndjson"]);
        let is_kept = audit.contains("token_created") && audit.contains("\"kim\"");
        assert!(is_kept, "{audit}");
    }
    if schema >= 29 {
        let gate = printed(&["gate", "show", "--org", "acme", "--repo", "payments"]);
        let rules = ["floor    95", "changed  50"];
        let rules = rules.map(|rule| gate.contains(rule));
        assert_eq!(rules, [true; 2], "{gate}");
    }
    let mut database = server.database().await;
    for (first, query) in [
        (
            5,
            "select count(*) from signing_keys where key like '00112233%'",
        ),
        (
            5,
            "select count(*) from repositories where id = 2 and forge = 'gitlab.example.com'",
        ),
        (
            13,
            "select count(*) from records where id = 6 and pinned_at is not null",
        ),
        (
            15,
            "select count(*) from repositories where id = 2 and forge_repository_id = '77'",
        ),
        (
            26,
            "select count(*) from early_skips where commit_hash = 'd2'",
        ),
        (
            33,
            "select count(*) from pull_request_comments where comment_id = '501'",
        ),
    ] {
        if schema >= first {
            let rows: i64 = sqlx::query_scalar(query)
                .fetch_one(&mut database)
                .await
                .unwrap();
            assert_eq!(rows, 1, "{query}");
        }
    }
}
