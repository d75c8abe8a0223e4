//! `PUT /coverages-api`: the list of branches that still exist.

use crate::harness::{
    Archive, COMMIT, ForgeBehaviour, ForgeStandIn, GOOD, Kind, Reachable, TOKEN, TestServer,
    Upload, cobertura,
};
use access::Tokens;
use reqwest::Response;
use serde_json::{Value, json};
use std::collections::HashSet;
use store::{BranchList, Purpose, Scope, actor::Actor};
use tokio::{io::AsyncWriteExt, net::TcpStream};

async fn upload(server: &TestServer, branch: &str, language: &str) {
    Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
        .with("branch_name", branch)
        .with("language", language)
        .accepted(server)
        .await;
}

async fn put(server: &TestServer, token: &str, body: &Value) -> Response {
    let request = server.client.put(server.url("/coverages-api")).json(body);
    request.header("authorization", token).send().await.unwrap()
}

fn listed(branches: &[&str]) -> Value {
    json!({
        "org_name": "acme", "repo_name": "payments", "commit_hash": COMMIT,
        "active_branches": branches,
    })
}

/// Sends a list with a token of this service.
fn list<'a>(active: &'a HashSet<String>, by: &'a Actor) -> BranchList<'a> {
    BranchList {
        active,
        forge_claim: None,
        from_branch: None,
        by,
    }
}

async fn current_branches(server: &TestServer) -> Vec<String> {
    let records = server.current_records().await;
    let mut names: Vec<_> = records
        .iter()
        .map(|record| record["branch_name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_branch_ends_after_its_last_upload_despite_a_skewed_clock() {
    let server = TestServer::start().await;
    let record = Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
        .accepted(&server)
        .await["coverage"]["id"]
        .as_i64();
    upload(&server, "other", "rust").await;
    let mut database = server.database().await;
    // As written by a service whose clock is an hour ahead.
    for statement in [
        "update records set updated_at = updated_at + 3600000000",
        "update repositories set last_upload_at = last_upload_at + 3600000000",
    ] {
        sqlx::query(statement).execute(&mut database).await.unwrap();
    }
    let repository = "acme/payments".parse().unwrap();
    let store = server.store().await;
    let (active, by) = (HashSet::from(["other".to_owned()]), Actor::service());
    store
        .writer()
        .retire_branches(&repository, list(&active, &by))
        .await
        .unwrap();
    let ended_after: i64 =
        sqlx::query_scalar("select superseded_at - updated_at from records where id = $1")
            .bind(record)
            .fetch_one(&mut database)
            .await
            .unwrap();
    assert!(ended_after > 0, "{ended_after}");
}

#[tokio::test]
async fn unlisted_branches_are_retired_and_keep_their_history() {
    let server = TestServer::start().await;
    for (branch, language) in [
        ("main", "rust"),
        ("feature/x", "rust"),
        ("feature/x", "go"),
        ("old", "rust"),
    ] {
        upload(&server, branch, language).await;
    }
    let response = put(
        &server,
        TOKEN,
        &listed(&["main", "feature/x", "never-uploaded"]),
    )
    .await;
    assert_eq!(response.status(), 200);
    assert_eq!(
        response.json::<Value>().await.unwrap(),
        json!({ "success": "1" })
    );
    assert_eq!(
        current_branches(&server).await,
        ["feature/x", "feature/x", "main"]
    );
    assert_eq!(server.records().await.len(), 4, "the history stays");
    upload(&server, "old", "rust").await;
    assert_eq!(
        current_branches(&server).await,
        ["feature/x", "feature/x", "main", "old"]
    );
    put(&server, TOKEN, &listed(&["old"])).await;
    assert_eq!(current_branches(&server).await, ["old"]);
}

#[tokio::test]
async fn a_list_that_names_no_branch_with_a_record_is_refused() {
    let server = TestServer::start().await;
    upload(&server, "main", "rust").await;
    let mut elsewhere = listed(&["main"]);
    elsewhere["repo_name"] = json!("billing");
    for body in [
        listed(&[]),
        listed(&["nosuch", "Main", "main/x"]),
        elsewhere,
    ] {
        let response = put(&server, TOKEN, &body).await;
        assert_eq!(response.status(), 422);
        let problem: Value = response.json().await.unwrap();
        assert_eq!(problem["code"], "invalid_parameter");
        let rule = problem["errors"]["active_branches"].as_str().unwrap();
        assert!(rule.starts_with("must name at least one branch"), "{rule}");
    }
    assert_eq!(current_branches(&server).await, ["main"]);
}

#[tokio::test]
async fn a_list_of_branches_never_retires_the_configured_main_branch() {
    let server = TestServer::start().await;
    for branch in ["main", "next", "old"] {
        upload(&server, branch, "rust").await;
    }
    let (repository, next) = ("acme/payments".parse().unwrap(), "next".parse().unwrap());
    let store = server.store().await;
    store
        .operator()
        .configure_main_branch(&repository, Some(&next), &Actor::service())
        .await
        .unwrap();
    assert_eq!(put(&server, TOKEN, &listed(&["old"])).await.status(), 200);
    assert_eq!(current_branches(&server).await, ["next", "old"]);
}

#[tokio::test]
async fn a_forge_token_cannot_retire_the_main_branch_by_a_list() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let arguments = ["--upload-token", TOKEN, "--vcs-api-urls", &forge.listed()];
    let server = TestServer::start_with(&arguments).await;
    for branch in ["main", "evil", "old"] {
        upload(&server, branch, "rust").await;
    }
    let mut body = listed(&["evil"]);
    body["vcs_api_url"] = json!(forge.api());
    assert_eq!(put(&server, GOOD, &body).await.status(), 200);
    assert_eq!(current_branches(&server).await, ["evil", "main"]);
    let repository = "acme/payments".parse().unwrap();
    let main = server
        .store()
        .await
        .everything()
        .main_branch(&repository)
        .await
        .unwrap();
    assert_eq!(main.unwrap().branch, Some("main".parse().unwrap()));
    assert_eq!(put(&server, TOKEN, &body).await.status(), 200);
    assert_eq!(current_branches(&server).await, ["evil"]);
}

#[tokio::test]
async fn a_list_of_branches_changes_no_other_repository() {
    let server = TestServer::start().await;
    upload(&server, "main", "rust").await;
    Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
        .with("repo_name", "billing")
        .with("branch_name", "next")
        .accepted(&server)
        .await;
    let mut other = listed(&["next"]);
    other["repo_name"] = json!("billing");
    assert_eq!(put(&server, TOKEN, &other).await.status(), 200);
    assert_eq!(current_branches(&server).await, ["main", "next"]);
}

#[tokio::test]
async fn other_output_of_git_in_a_list_of_branches_is_ignored() {
    let server = TestServer::start().await;
    upload(&server, "main", "rust").await;
    let printed = listed(&["HEAD", "->", "origin/main", "main", "main"]);
    assert_eq!(put(&server, TOKEN, &printed).await.status(), 200);
    assert_eq!(current_branches(&server).await, ["main"]);
}

#[tokio::test]
async fn a_list_of_branches_needs_a_token_for_the_repository() {
    let server = TestServer::start().await;
    upload(&server, "main", "rust").await;
    let anonymous = server
        .client
        .put(server.url("/coverages-api"))
        .json(&listed(&["other"]));
    let response = anonymous.send().await.unwrap();
    assert_eq!(response.status(), 401);
    assert_eq!(
        response.json::<Value>().await.unwrap()["code"],
        "missing_token"
    );
    assert_eq!(
        put(&server, "wr0ng", &listed(&["other"])).await.status(),
        401
    );
    assert_eq!(current_branches(&server).await, ["main"]);
}

#[tokio::test]
async fn a_forge_token_of_a_list_of_branches_is_checked_like_an_upload() {
    for name in ["vcs_api_url", "github_api_url"] {
        let forge = ForgeStandIn::start(Kind::GitHub).await;
        let server =
            TestServer::start_with(&["--upload-token", TOKEN, "--vcs-api-urls", &forge.listed()])
                .await;
        upload(&server, "main", "rust").await;
        upload(&server, "old", "rust").await;
        let mut body = listed(&["main"]);
        body[name] = json!(forge.api());
        assert_eq!(put(&server, "wr0ng", &body).await.status(), 401);
        assert_eq!(current_branches(&server).await, ["main", "old"]);
        assert_eq!(put(&server, GOOD, &body).await.status(), 200);
        assert_eq!(current_branches(&server).await, ["main"]);
        assert_eq!(forge.states(), ["pending", "pending", "success"]);
        let last = forge.calls().pop().unwrap();
        assert_eq!(last.body["context"], "coverage-branches");
        forge.behave(ForgeBehaviour::Silent);
        body[name] = json!(format!("{}/other", forge.api()));
        let response = put(&server, GOOD, &body).await;
        assert_eq!(
            response.json::<Value>().await.unwrap()["code"],
            "vcs_api_url_not_allowed"
        );
    }
}

#[tokio::test]
async fn a_client_that_hangs_up_leaves_no_status_pending() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = TestServer::start_with(&["--vcs-api-urls", &forge.listed()]).await;
    let mut body = listed(&["main"]);
    body["vcs_api_url"] = json!(forge.api());
    let body = body.to_string();
    hang_up(&server, &forge, GOOD, &body).await;
    while forge.calls().len() < 2 {
        tokio::task::yield_now().await;
    }
    let states = forge.states();
    assert_eq!(states[0], "pending");
    assert!(["success", "error"].contains(&&states[1][..]), "{states:?}");
}

#[tokio::test]
async fn a_failed_attempt_counts_even_if_the_client_hangs_up() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let listed_api = forge.listed();
    let arguments = [
        "--vcs-api-urls",
        &listed_api,
        "--failed-tries-per-address",
        "1",
    ];
    let server = TestServer::start_with(&arguments).await;
    let mut body = listed(&["main"]);
    body["vcs_api_url"] = json!(forge.api());
    hang_up(&server, &forge, "wr0ng", &body.to_string()).await;
    // No client reads the answer. Later attempts show when it has been counted.
    while put(&server, GOOD, &body).await.status() != 429 {
        let another = forge.calls().len() + 1;
        body["commit_hash"] = json!(format!("{another:040}"));
    }
}

/// Sends a list of branches, and hangs up once the forge receives the request about its token.
async fn hang_up(server: &TestServer, forge: &ForgeStandIn, token: &str, body: &str) {
    let address = server.url("").replace("http://", "");
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "PUT /coverages-api HTTP/1.1\r\nhost: x\r\nauthorization: {token}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    while forge.calls().is_empty() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_list_of_branches_updates_the_last_use_of_its_token() {
    let server = TestServer::start().await;
    let store = server.store().await;
    let made = Tokens::new(None, store.clone())
        .make(
            "branches",
            Purpose::Upload,
            &Scope::All,
            None,
            &Actor::service(),
        )
        .await
        .unwrap();
    upload(&server, "main", "rust").await;
    let response = put(&server, &made.token, &listed(&["main"])).await;
    assert_eq!(response.status(), 200);
    assert!(
        store.operator().tokens().await.unwrap()[0]
            .last_used_at
            .is_some()
    );
}

#[tokio::test]
async fn each_mistake_in_a_list_of_branches_is_named() {
    let server = TestServer::start().await;
    let response = put(
        &server,
        TOKEN,
        &json!({ "repo_name": "a/b", "active_branches": "main" }),
    )
    .await;
    assert_eq!(response.status(), 422);
    let problem: Value = response.json().await.unwrap();
    let mut named: Vec<_> = problem["errors"].as_object().unwrap().keys().collect();
    named.sort();
    assert_eq!(
        named,
        ["active_branches", "commit_hash", "org_name", "repo_name"]
    );
    let mut mixed = listed(&[]);
    mixed["active_branches"] = json!(["main", 7]);
    mixed["org_name"] = json!(5);
    let problem: Value = put(&server, TOKEN, &mixed).await.json().await.unwrap();
    assert!(
        problem["errors"]["active_branches"].is_string(),
        "{problem}"
    );
    assert_eq!(problem["errors"]["org_name"], "must be a text");
}

#[tokio::test]
async fn a_body_that_is_not_a_list_of_branches_is_refused() {
    let server =
        TestServer::start_with(&["--upload-token", TOKEN, "max_branches_bytes", "1000"]).await;
    let send = async |media_type: &str, body: String| {
        let request = server.client.put(server.url("/coverages-api"));
        let request = request
            .header("authorization", TOKEN)
            .header("content-type", media_type);
        let response = request.body(body).send().await.unwrap();
        let status = response.status().as_u16();
        let problem: Value = response.json().await.unwrap();
        (status, problem["code"].as_str().unwrap().to_owned())
    };
    let expect = |status, code: &str| (status, code.to_owned());
    assert_eq!(
        send("application/json", "[]".to_owned()).await,
        expect(400, "malformed_request")
    );
    assert_eq!(
        send("application/json", "{".to_owned()).await,
        expect(400, "malformed_request")
    );
    assert_eq!(
        send("application/jsonp", "{}".to_owned()).await,
        expect(415, "unsupported_media_type")
    );
    assert_eq!(
        send("application/json", " ".repeat(1_001)).await,
        expect(413, "upload_too_large")
    );
}
