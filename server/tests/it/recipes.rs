//! The recipes of the README, run as each CI system would run them.

use crate::harness::{
    COMMIT, ForgeStandIn, GOOD, Kind, Reachable, SigningKey, TOKEN, TestIssuer, TestServer,
    cobertura,
};
use axum::{Json, Router, extract::Query, http::HeaderMap, routing::get};
use jsonwebtoken::get_current_timestamp;
use serde_json::{Value, json};
use std::{collections::HashMap, path::Path, process::Command};
use tempfile::TempDir;
use tokio::net::TcpListener;

const README: &str = include_str!("../../../README.md");

/// The shell script in the first block under a heading: what is indented below a line that ends with `|` or `'''`, or all
/// of it.
fn script(heading: &str) -> String {
    let section = README.split_once(&format!("\n{heading}\n")).unwrap().1;
    let (_, fenced) = section.split_once("```").unwrap();
    let (language, block) = fenced
        .split_once("```")
        .unwrap()
        .0
        .split_once('\n')
        .unwrap();
    let mut lines = block.lines();
    if language != "sh" {
        let begins = |line: &str| line.ends_with('|') || line.ends_with("'''");
        lines.find(|line| begins(line)).unwrap();
    }
    let kept = lines.take_while(|line| line.trim() != "'''");
    let kept: Vec<_> = kept.collect();
    let indent = kept[0].len() - kept[0].trim_start().len();
    kept.iter()
        .map(|line| format!("{}\n", line.get(indent..).unwrap_or_default()))
        .collect()
}

/// A job's folder with what the recipes pack.
fn job() -> TempDir {
    let folder = TempDir::new().unwrap();
    let html = folder.path().join("htmlcov");
    std::fs::create_dir(&html).unwrap();
    std::fs::write(html.join("index.html"), "<p>").unwrap();
    std::fs::write(folder.path().join("coverage.xml"), cobertura(4, 5)).unwrap();
    folder
}

/// Runs a recipe with the variables that its CI system sets, and returns the answer of the service.
fn run(heading: &str, server: &TestServer, folder: &Path, variables: &[(&str, &str)]) -> Value {
    let script = script(heading).replace("https://coverage.example.com", &server.url(""));
    let output = Command::new("bash")
        .args(["-eo", "pipefail", "-c", &script])
        .current_dir(folder)
        .env("COVERAGE_URL", server.url(""))
        .env("NO_PROXY", "127.0.0.1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let (out, errors) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{heading}: {out}{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn assert_recorded(answer: &Value, branch: &str, author: &str) {
    let record = &answer["coverage"];
    let names = [
        "org_name",
        "repo_name",
        "branch_name",
        "commit_author",
        "language",
    ];
    let names = names.map(|name| record[name].as_str().unwrap());
    assert_eq!(names, ["acme", "payments", branch, author, "python"]);
    assert_eq!(record["percentage"], 80.0);
}

const GITHUB: [(&str, &str); 6] = [
    ("GITHUB_REPOSITORY_OWNER", "acme"),
    ("GITHUB_REPOSITORY", "acme/payments"),
    ("GITHUB_SHA", COMMIT),
    ("COMMIT", COMMIT),
    ("GITHUB_ACTOR", "kim"),
    ("BRANCH", "feature/ü & more"),
];

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_curl_uploads_as_it_is_written() {
    let server = TestServer::start().await;
    let variables = [
        ("COVERAGE_TOKEN", TOKEN),
        ("BRANCH", "feature/a b"),
        ("COMMIT", COMMIT),
        ("AUTHOR", "Zoë Q."),
    ];
    let answer = run("## Upload from CI", &server, job().path(), &variables);
    assert_recorded(&answer, "feature/a b", "Zoë Q.");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_github_actions_with_a_token_uploads_as_it_is_written() {
    let server = TestServer::start().await;
    let variables = [&GITHUB[..], &[("COVERAGE_TOKEN", TOKEN)]].concat();
    let answer = run(
        "### GitHub Actions with a token",
        &server,
        job().path(),
        &variables,
    );
    assert_recorded(&answer, "feature/ü & more", "kim");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_github_actions_without_a_secret_uploads_as_it_is_written() {
    let key = SigningKey::p256("k1");
    let issuer = TestIssuer::start(&[&key]).await;
    let listed = format!("github={}", issuer.url);
    let server = TestServer::start_with(&["--oidc-issuers", &listed]).await;
    let runner = runner(issuer.url.clone(), key).await;
    let variables = [
        ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "runner-t0ken"),
        ("ACTIONS_ID_TOKEN_REQUEST_URL", &runner),
    ];
    let variables = [&GITHUB[..5], &[("BRANCH", "feature/x")], &variables].concat();
    let heading = "### GitHub Actions without a secret";
    let answer = run(heading, &server, job().path(), &variables);
    assert_recorded(&answer, "feature/x", "kim");
}

/// What gives jobs their identities, as a runner of GitHub does: `…?api-version=2&audience=…`.
async fn runner(issuer: String, key: SigningKey) -> String {
    let identity = async move |headers: HeaderMap, Query(query): Query<HashMap<String, String>>| {
        assert_eq!(headers["authorization"], "Bearer runner-t0ken");
        let now = get_current_timestamp();
        let claims = json!({
            "iss": issuer, "aud": query["audience"], "nbf": now, "exp": now + 300,
            "repository": "acme/payments", "ref": "refs/heads/feature/x", "sha": COMMIT,
            "event_name": "push", "actor": "kim",
        });
        Json(json!({ "value": key.token(&claims) }))
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().route("/idtoken", get(identity));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}/idtoken?api-version=2")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_gitlab_ci_uploads_as_it_is_written() {
    let key = SigningKey::p256("k1");
    let issuer = TestIssuer::start(&[&key]).await;
    let listed = format!("gitlab={}", issuer.url);
    let server = TestServer::start_with(&["--oidc-issuers", &listed]).await;
    let now = get_current_timestamp();
    let identity = key.token(&json!({
        "iss": issuer.url, "aud": server.url(""), "nbf": now, "exp": now + 300,
        "project_path": "acme/payments", "ref": "feature/x", "ref_type": "branch", "sha": COMMIT,
        "user_login": "kim",
    }));
    let variables = [
        ("COVERAGE_TOKEN", &identity[..]),
        ("CI_PROJECT_NAMESPACE", "acme"),
        ("CI_PROJECT_NAME", "payments"),
        ("CI_COMMIT_REF_NAME", "feature/x"),
        ("CI_COMMIT_SHA", COMMIT),
        ("GITLAB_USER_LOGIN", "kim"),
    ];
    let answer = run("### GitLab CI", &server, job().path(), &variables);
    assert_recorded(&answer, "feature/x", "kim");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_gitea_and_forgejo_uploads_as_it_is_written() {
    let forge = ForgeStandIn::start(Kind::Gitea).await;
    let server = TestServer::start_with(&["--vcs-api-urls", &forge.listed()]).await;
    let api = forge.api();
    let own = [("COVERAGE_TOKEN", GOOD), ("API_URL", &api[..])];
    let variables = [&GITHUB[..], &own].concat();
    let answer = run(
        "### Gitea and Forgejo Actions",
        &server,
        job().path(),
        &variables,
    );
    assert_recorded(&answer, "feature/ü & more", "kim");
    assert_eq!(forge.states(), ["pending", "success"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_jenkins_uploads_as_it_is_written() {
    let server = TestServer::start().await;
    let folder = job();
    let git = "git init -q . && git -c user.name=Kim -c user.email=kim@example.com commit -q --allow-empty -m x";
    let made = Command::new("sh")
        .args(["-c", git])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(made.success());
    let variables = [
        ("COVERAGE_TOKEN", TOKEN),
        ("ORG", "acme"),
        ("REPO", "payments"),
        ("BRANCH_NAME", "PR-7"),
        ("CHANGE_BRANCH", "feature/x"),
    ];
    let answer = run("### Jenkins", &server, folder.path(), &variables);
    assert_recorded(&answer, "feature/x", "Kim");
    let commit = answer["coverage"]["commit_hash"].as_str().unwrap();
    assert_eq!(commit.len(), 40, "{commit}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_deleted_branches_works_as_it_is_written() {
    let server = TestServer::start().await;
    let script = script("### From the system that this one replaces");
    assert!(script.contains("-X PUT"));
    let heading = "### From the system that this one replaces";
    let answer = run(heading, &server, job().path(), &[("COVERAGE_TOKEN", TOKEN)]);
    assert_eq!(answer, json!({ "success": "1" }));
}
