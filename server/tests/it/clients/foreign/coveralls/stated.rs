//! What a job states about its upload: repository, commit, part, languages, client, forge.

use super::{accepted, job, refused, send, server, server_with, with};
use crate::{
    clients::foreign::token_for,
    harness::{COMMIT, ForgeStandIn, GOOD, Kind, OpenPull, Reachable, TOKEN, TREE_OF_HEAD},
};
use serde_json::json;

#[tokio::test]
async fn a_token_for_one_repository_names_it() {
    let server = server().await;
    // The start creates the tables.
    server.get("/coverages-api/health").await;
    let token = token_for(&server, "acme/billing");
    let named = json!({"repo_token": token, "git": {"branch": "main", "head": {"id": COMMIT}}});
    accepted(&server, &with(job(), &named)).await;
    let record = &server.records().await[0];
    assert_eq!(record["repo_name"], "billing");
    assert_eq!(record["commit_author"], "unknown");
}

#[tokio::test]
async fn the_merge_of_a_pull_request_counts_for_its_head() {
    let server = server().await;
    let (head, base) = ("a".repeat(40), "b".repeat(40));
    let message = format!("Merge {head} into {base}");
    let git = json!({
        "branch": "topic",
        "head": {"id": COMMIT, "author_name": "Kim", "message": message},
        "remotes": job()["git"]["remotes"],
    });
    let members = json!({"service_pull_request": "7", "git": git});
    accepted(&server, &with(job(), &members)).await;
    let record = &server.records().await[0];
    assert_eq!(record["commit_hash"], json!(head));
    assert_eq!(record["branch_name"], "topic");
}

#[tokio::test]
async fn jobs_with_flags_are_parts_and_a_repeated_job_replaces_its_part() {
    let server = server().await;
    let unit = with(job(), &json!({"flag_name": "Unit / py3.12"}));
    accepted(&server, &unit).await;
    let web = json!({"flag_name": "web", "source_files": [{"name": "src/fee.py", "coverage": [null, 0, 2, 0]}]});
    accepted(&server, &with(job(), &web)).await;
    accepted(&server, &unit).await;
    let record = &server.current_records().await[0];
    assert_eq!(record["percentage"], 100.0);
    let id = &record["id"];
    let whole = server
        .get_json(&format!("/coverages-api/records/{id}"))
        .await;
    assert_eq!(whole["parts"]["arrived"], json!(["unit---py3.12", "web"]));
}

#[tokio::test]
async fn a_job_has_a_record_for_each_of_its_languages() {
    let server = server().await;
    let files = json!({"source_files": [
        {"name": "src/fee.py", "coverage": [1, 0], "branches": [1, 0, 1, 1, 1, 0, 2, 0]},
        {"name": "web/fee.ts", "coverage": [1, 1, null, 0]},
        {"name": "web/old.js", "coverage": [0]},
        {"name": "web/fee.unknown", "coverage": [1]},
    ]});
    let answer = accepted(&server, &with(job(), &files)).await;
    assert!(
        answer["message"].as_str().unwrap().contains(", #"),
        "{answer}"
    );
    let mut records = server.records().await;
    records.sort_by_key(|record| record["language"].to_string());
    let found: Vec<_> = records
        .iter()
        .map(|record| (record["language"].as_str().unwrap(), &record["percentage"]))
        .collect();
    let expected = [("python", &json!(50.0)), ("typescript", &json!(60.0))];
    assert_eq!(found, expected);
    let path = format!("/coverages-api/records/{}", records[0]["id"]);
    let python = server.get_json(&path).await;
    let count = |total: u64| json!({"covered": 1, "total": total, "percentage": 50.0});
    assert_eq!(python["branches"], count(2), "{python}");
}

#[tokio::test]
async fn the_webhook_ends_a_parallel_build_in_all_its_languages() {
    let server = server().await;
    let members = json!({"service_number": "81", "parallel": true, "source_files": [
        {"name": "src/fee.py", "coverage": [1, 0]},
        {"name": "web/fee.ts", "coverage": [1]},
    ]});
    accepted(&server, &with(job(), &members)).await;
    assert!(server.current_records().await.is_empty(), "they wait");
    let webhook = json!({"repo_token": TOKEN, "repo_name": "acme/payments", "payload": {"build_num": 81, "status": "done"}});
    let request = server.client().post(server.url("/webhook")).json(&webhook);
    assert_eq!(request.send().await.unwrap().status(), 200);
    assert_eq!(server.current_records().await.len(), 2);
}

#[tokio::test]
async fn the_ledger_names_the_client() {
    let server = server().await;
    let request = server.client().post(server.url("/api/v1/jobs"));
    let request = request
        .header("content-type", "application/json")
        .header("x-coveralls-reporter", "coverage-reporter")
        .header("x-coveralls-reporter-version", "0.6.22");
    let response = request.body(job().to_string()).send().await.unwrap();
    assert_eq!(response.status(), 200);
    let wrong = with(job(), &json!({"repo_token": "wrong"}));
    assert_eq!(refused(&server, &wrong).await.0, 401);
    let ledger = server.store().await.writer().ledger(2).await.unwrap();
    let rows: Vec<_> = ledger
        .iter()
        .map(|row| (row.client.as_deref(), row.code.as_str()))
        .collect();
    let expected = [
        (Some("coveralls"), "invalid_token"),
        (Some("coverage-reporter 0.6.22"), "created"),
    ];
    assert_eq!(rows, expected);
}

#[tokio::test]
async fn the_forge_token_of_a_job_is_checked_with_the_listed_forge() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&["--vcs-api-urls", &forge.listed()]).await;
    let of_job = json!({"repo_token": GOOD, "service_name": "github"});
    accepted(&server, &with(job(), &of_job)).await;
    assert_eq!(server.records().await.len(), 1);
    assert!(!forge.calls().is_empty());
    let wrong = json!({"repo_token": "no-token-of-the-forge", "service_name": "github"});
    assert_eq!(refused(&server, &with(job(), &wrong)).await.0, 401);
    // Without the name of a forge, no forge gets the token.
    let calls = forge.calls().len();
    let nameless = json!({"repo_token": "no-token-of-the-forge"});
    assert_eq!(refused(&server, &with(job(), &nameless)).await.0, 401);
    assert_eq!(forge.calls().len(), calls);
}

#[tokio::test]
async fn a_job_needs_no_reader_where_reading_is_protected() {
    let server = server_with(&["--protect-reading"]).await;
    let response = send(&server, &job()).await;
    assert_eq!(response.status(), 200);
    let wrong = with(job(), &json!({"repo_token": TOKEN.to_uppercase()}));
    assert_eq!(refused(&server, &wrong).await.0, 401);
}

#[tokio::test]
async fn a_job_that_names_another_repository_than_its_token_is_refused() {
    let server = server().await;
    // The start creates the tables.
    server.get("/coverages-api/health").await;
    let own = json!({"repo_token": token_for(&server, "acme/billing")});
    let named = json!({"repo_name": "acme/payments"});
    let (status, why) = refused(&server, &with(with(job(), &own), &named)).await;
    assert_eq!(status, 403, "{why}");
    assert!(why.contains("acme/billing"), "{why}");
    assert!(server.records().await.is_empty());
    let named = json!({"repo_name": "ACME/Billing"});
    accepted(&server, &with(with(job(), &own), &named)).await;
}

#[tokio::test]
async fn a_clone_of_another_repository_than_the_tokens_is_noted_on_the_page() {
    let server = server().await;
    server.get("/coverages-api/health").await;
    let own = json!({"repo_token": token_for(&server, "acme/billing")});
    accepted(&server, &with(job(), &own)).await;
    let record = &server.records().await[0];
    assert_eq!(record["repo_name"], "billing");
    let page = format!("/records/{}", record["id"]);
    let page = server.get_text(&page).await;
    assert!(page.contains("a clone of acme/payments"), "{page}");
}

#[tokio::test]
async fn the_forge_states_the_changes_if_the_merge_has_the_tree_of_the_head() {
    let (head, base, merge) = ("a".repeat(40), "b".repeat(40), "c".repeat(40));
    let other_tree = "5".repeat(40);
    for (tree, expected) in [(TREE_OF_HEAD, json!(1)), (other_tree.as_str(), json!(null))] {
        let forge = ForgeStandIn::start(Kind::GitHub).await;
        forge.open(OpenPull::adding_a_line_to(
            "src/fee.py",
            &head,
            (&merge, tree),
        ));
        let server = server_with(&["--vcs-api-urls", &forge.listed()]).await;
        let git = json!({
            "branch": "topic",
            "head": {"id": merge, "author_name": "Kim", "message": format!("Merge {head} into {base}")},
            "remotes": job()["git"]["remotes"],
        });
        let members = json!({"repo_token": GOOD, "service_name": "github", "service_pull_request": "7", "git": git});
        accepted(&server, &with(job(), &members)).await;
        let record = &server.records().await[0];
        assert_eq!(record["commit_hash"], json!(head));
        let summary = format!("/coverages-api/records/{}", record["id"]);
        let summary = server.get_json(&summary).await;
        let changed = &summary["changed_lines"];
        assert_eq!(changed["covered"], expected, "{summary} {:?}", forge.read());
    }
}

#[tokio::test]
async fn the_source_texts_of_a_job_are_left_out() {
    let server = server_with(&["--sources", "accept"]).await;
    accepted(&server, &job()).await;
    let texts = sqlx::query_scalar::<_, i64>("select count(*) from source_texts");
    let texts = texts.fetch_one(&mut server.database().await).await;
    assert_eq!(texts.unwrap(), 0);
}
