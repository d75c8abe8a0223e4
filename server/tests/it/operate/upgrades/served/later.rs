//! The rest: details, lines, parts, changes, gates, the ledger and the audit log.

use super::assert_shown;
use crate::harness::{Reachable, TestServer};
use serde_json::json;

/// Checks the pages and the API about single records, and the ledger.
pub async fn assert_records(server: &impl Reachable) {
    assert_shown(
        server,
        "/uploads",
        &[
            "Record 6: </span>80.00\u{202f}%",
            "The token was not accepted.",
        ],
    )
    .await;
    assert_shown(server, "/?metric=branches", &["75.00", "30 of 40 branches"]).await;
    assert_shown(server, "/orgs/acme?metric=functions", &["83.33"]).await;
    let trend = server.get_text("/coverages-api/orgs/trend.csv?range=all&over=all");
    let trend = trend.await;
    let days: Vec<_> = trend.lines().map(|day| &day[11..]).collect();
    // 22 days ago, before the only record of `legacy` was retired, and today.
    assert_eq!(
        (days[39], days[61]),
        ("65.00,130,200,2", "81.25,975,1200,3")
    );
    let details = [
        "gcovr 7.2",
        "fee.c",
        "tax.c",
        "Two files have the same path.",
    ];
    assert_shown(server, "/records/6", &details).await;
    let lines = "/coverages-api/records/6/lines?path=src/fee.c";
    let expected = json!({
        "path": "src/fee.c", "covered": 2, "coverable": 3, "hit": [[1, 1]], "partial": [[4, 4]], "missed": [[2, 2]],
    });
    assert_eq!(server.get_json(lines).await, expected);
    let summary = async |id: i64| {
        let path = format!("/coverages-api/records/{id}");
        server.get_json(&path).await
    };
    let paths = &summary(6).await["paths"];
    assert_eq!((&paths["matched"], &paths["of"]), (&json!(1), &json!(2)));
    let head = summary(8).await;
    assert_eq!(head["base"]["id"], 6, "{head}");
    assert_eq!(head["delta"], -15.0, "{head}");
    assert_eq!(head["parts"]["complete"], json!(true), "{head}");
    assert_eq!(head["parts"]["expected"], json!(["unit", "web"]), "{head}");
    assert_shown(server, "/records/8", &["unit", "slow", "web"]).await;
    assert_eq!(head["pull_request"], "17", "{head}");
    assert_eq!(head["base"]["found_by"], "commit", "{head}");
    let verdict = &head["gate"]["verdict"];
    assert_eq!(verdict, "failed", "65 % is less than the floor: {head}");
    assert_eq!(summary(7).await["pull_request"], "16");
    assert_eq!(head["measured_commit"], "d1-merged", "{head}");
    let run = ["https://ci.example.com/runs/9"];
    assert_shown(server, "/records/6", &run).await;
}

/// Checks what commands print, and what only the service itself reads.
pub async fn assert_commands(server: &TestServer) {
    let printed = |arguments: &[&str]| {
        let output = server.command(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let audit = printed(&["audit", "--format", "ndjson"]);
    let is_kept = audit.contains("token_created") && audit.contains("\"kim\"");
    assert!(is_kept, "{audit}");
    let gate = printed(&["gate", "show", "--org", "acme", "--repo", "payments"]);
    let rules = ["floor    95", "changed  50"];
    let rules = rules.map(|rule| gate.contains(rule));
    assert_eq!(rules, [true; 2], "{gate}");
    let mut database = server.database().await;
    for query in [
        "select count(*) from signing_keys where key like '00112233%'",
        "select count(*) from repositories where id = 2 and forge = 'gitlab.example.com'",
        "select count(*) from records where id = 6 and pinned_at is not null",
        "select count(*) from repositories where id = 2 and forge_repository_id = '77'",
        "select count(*) from early_skips where commit_hash = 'd2'",
        "select count(*) from pull_request_comments where comment_id = '501'",
    ] {
        let rows: i64 = sqlx::query_scalar(query)
            .fetch_one(&mut database)
            .await
            .unwrap();
        assert_eq!(rows, 1, "{query}");
    }
}
