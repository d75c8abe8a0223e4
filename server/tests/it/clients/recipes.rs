//! The recipes of the setup page, run as each CI system would run them. The manual and the README show the same.

mod documents;
mod lines;

use crate::harness::{
    self, Archive, COMMIT, ForgeStandIn, GOOD, Kind, RUNNER_TOKEN, Reachable, SigningKey, TOKEN,
    TestIssuer, TestServer, cobertura,
};
use app::recipe::{CI_SYSTEMS, CiSystem, PLACEHOLDER, Proof, Upload};
use documents::BRANCHES_PAGE;
pub(crate) use documents::block;
use jsonwebtoken::get_current_timestamp;
use serde_json::{Value, json};
use std::{path::Path, process::Command};
use tempfile::TempDir;

/// A recipe of the setup page, with curl alone.
fn recipe(system: &str, proof: Proof, upload: &Upload<'_>) -> String {
    let recipes = &CiSystem::find(system).unwrap().recipes;
    let recipe = recipes.iter().find(|recipe| recipe.proof == proof);
    recipe.unwrap().with_curl(upload).unwrap()
}

/// The shell script in a recipe: the lines that are indented below a line that ends with `|` or `'''`, or all of it.
pub(crate) fn script(recipe: &str) -> String {
    let begins = |line: &str| line.ends_with('|') || line.ends_with("'''");
    let mut lines = recipe.lines();
    if !lines.any(begins) {
        return recipe.to_owned();
    }
    let indent_of = |line: &str| line.len() - line.trim_start().len();
    let rest: Vec<_> = lines.collect();
    let indent = indent_of(rest[0]);
    rest.into_iter()
        .take_while(|line| line.trim() != "'''" && indent_of(line) >= indent)
        .map(|line| format!("{}\n", &line[indent..]))
        .collect()
}

/// The folder of a job with the files that the recipes pack.
fn job() -> TempDir {
    let folder = TempDir::new().unwrap();
    let html = folder.path().join("htmlcov");
    std::fs::create_dir(&html).unwrap();
    std::fs::write(html.join("index.html"), "<p>").unwrap();
    std::fs::write(folder.path().join("coverage.xml"), cobertura(4, 5)).unwrap();
    folder
}

/// The folder of a job, with one commit by Kim.
fn job_of_a_commit() -> TempDir {
    let folder = job();
    let git = "git init -q . && git -c user.name=Kim -c user.email=kim@example.com commit -q --allow-empty -m x";
    let made = Command::new("sh")
        .args(["-c", git])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(made.success());
    folder
}

/// Runs a script with the variables that its CI system sets, and returns the answer of the service.
fn run_script(
    script: &str,
    server: &TestServer,
    folder: &Path,
    variables: &[(&str, &str)],
) -> Value {
    let output = Command::new("bash")
        .args(["-eo", "pipefail", "-c", script])
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
    assert!(output.status.success(), "{script}: {out}{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Runs a recipe of the setup page for acme/payments on this server.
fn run(
    system: &str,
    proof: Proof,
    server: &TestServer,
    folder: &Path,
    variables: &[(&str, &str)],
) -> Value {
    let url = server.url("");
    let upload = Upload {
        public_url: &url,
        ..PLACEHOLDER
    };
    let script = script(&recipe(system, proof, &upload));
    run_script(&script, server, folder, variables)
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
async fn the_recipe_for_curl_uploads_as_written() {
    let server = TestServer::start().await;
    let variables = [
        ("COVERAGE_TOKEN", TOKEN),
        ("BRANCH", "feature/a b"),
        ("COMMIT", COMMIT),
        ("AUTHOR", "Zoë Q."),
    ];
    let answer = run("shell", Proof::Token, &server, job().path(), &variables);
    assert_recorded(&answer, "feature/a b", "Zoë Q.");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_github_actions_with_a_token_uploads_as_written() {
    let server = TestServer::start().await;
    let variables = [&GITHUB[..], &[("COVERAGE_TOKEN", TOKEN)]].concat();
    let answer = run("github", Proof::Token, &server, job().path(), &variables);
    assert_recorded(&answer, "feature/ü & more", "kim");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_github_actions_without_a_secret_uploads_as_written() {
    let key = SigningKey::p256("k1");
    let issuer = TestIssuer::start(&[&key]).await;
    let listed = format!("github={}", issuer.url);
    let server = TestServer::start_with(&["--oidc-issuers", &listed]).await;
    let runner = issuer.runner(key, COMMIT).await;
    let variables = [
        ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", RUNNER_TOKEN),
        ("ACTIONS_ID_TOKEN_REQUEST_URL", &runner),
    ];
    let variables = [&GITHUB[..5], &[("BRANCH", "feature/x")], &variables].concat();
    let answer = run("github", Proof::Identity, &server, job().path(), &variables);
    assert_recorded(&answer, "feature/x", "kim");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_gitlab_ci_uploads_as_written() {
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
    let answer = run("gitlab", Proof::Identity, &server, job().path(), &variables);
    assert_recorded(&answer, "feature/x", "kim");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_gitea_and_forgejo_uploads_as_written() {
    let forge = ForgeStandIn::start(Kind::Gitea).await;
    let server = TestServer::start_with(&["--vcs-api-urls", &forge.listed()]).await;
    let api = forge.api();
    let own = [("COVERAGE_TOKEN", GOOD), ("API_URL", &api[..])];
    let variables = [&GITHUB[..], &own].concat();
    let answer = run(
        "gitea",
        Proof::ForgeToken,
        &server,
        job().path(),
        &variables,
    );
    assert_recorded(&answer, "feature/ü & more", "kim");
    assert_eq!(forge.states(), ["pending", "success"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_jenkins_uploads_as_written() {
    let server = TestServer::start().await;
    let folder = job_of_a_commit();
    let variables = [
        ("COVERAGE_TOKEN", TOKEN),
        ("ORG", "acme"),
        ("REPO", "payments"),
        ("BRANCH_NAME", "PR-7"),
        ("CHANGE_BRANCH", "feature/x"),
    ];
    let answer = run("jenkins", Proof::Token, &server, folder.path(), &variables);
    assert_recorded(&answer, "feature/x", "Kim");
    let commit = answer["coverage"]["commit_hash"].as_str().unwrap();
    assert_eq!(commit.len(), 40, "{commit}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_deleted_branches_works_as_written() {
    let server = TestServer::start().await;
    for branch in ["main", "old"] {
        harness::Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
            .with("branch_name", branch)
            .accepted(&server)
            .await;
    }
    let script = block(BRANCHES_PAGE, "# When branches are deleted");
    assert!(script.contains("-X PUT"));
    let script = script.replace(PLACEHOLDER.public_url, &server.url(""));
    let variables = [("COVERAGE_TOKEN", TOKEN)];
    let answer = run_script(&script, &server, job().path(), &variables);
    assert_eq!(answer, json!({ "success": "1" }));
    let current = server.current_records().await;
    assert_eq!(current.len(), 1);
    assert_eq!(current[0]["branch_name"], "main");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_gitlab_ci_with_a_token_uploads_as_written() {
    let server = TestServer::start().await;
    let variables = [
        ("COVERAGE_TOKEN", TOKEN),
        ("CI_PROJECT_NAMESPACE", "acme"),
        ("CI_PROJECT_NAME", "payments"),
        ("CI_COMMIT_REF_NAME", "feature/x"),
        ("CI_COMMIT_SHA", COMMIT),
        ("GITLAB_USER_LOGIN", "kim"),
    ];
    let answer = run("gitlab", Proof::Token, &server, job().path(), &variables);
    assert_recorded(&answer, "feature/x", "kim");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_circleci_uploads_as_written() {
    let server = TestServer::start().await;
    let folder = job_of_a_commit();
    let variables = [
        ("COVERAGE_TOKEN", TOKEN),
        ("CIRCLE_PROJECT_USERNAME", "acme"),
        ("CIRCLE_PROJECT_REPONAME", "payments"),
        ("CIRCLE_BRANCH", "feature/x"),
        ("CIRCLE_SHA1", COMMIT),
    ];
    let answer = run("circleci", Proof::Token, &server, folder.path(), &variables);
    assert_recorded(&answer, "feature/x", "Kim");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_azure_uploads_branches_and_pull_requests_as_written() {
    let server = TestServer::start().await;
    let variables = [
        ("COVERAGE_TOKEN", TOKEN),
        ("ORG", "acme"),
        ("REPO", "payments"),
        ("BUILD_SOURCEBRANCH", "refs/heads/feature/x"),
        ("BUILD_SOURCEVERSION", COMMIT),
        ("BUILD_SOURCEVERSIONAUTHOR", "Kim Q."),
    ];
    let answer = run("azure", Proof::Token, &server, job().path(), &variables);
    assert_recorded(&answer, "feature/x", "Kim Q.");
    let of_pull_request = [
        ("SYSTEM_PULLREQUEST_SOURCEBRANCH", "refs/heads/fix/y"),
        ("SYSTEM_PULLREQUEST_SOURCECOMMITID", "9be01d2"),
    ];
    let variables = [&variables[..], &of_pull_request].concat();
    let answer = run("azure", Proof::Token, &server, job().path(), &variables);
    assert_recorded(&answer, "fix/y", "Kim Q.");
    assert_eq!(answer["coverage"]["commit_hash"], "9be01d2");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recipe_for_bitbucket_pipelines_uploads_as_written() {
    let server = TestServer::start().await;
    let folder = job_of_a_commit();
    let variables = [
        ("COVERAGE_TOKEN", TOKEN),
        ("BITBUCKET_WORKSPACE", "acme"),
        ("BITBUCKET_REPO_SLUG", "payments"),
        ("BITBUCKET_BRANCH", "feature/x"),
        ("BITBUCKET_COMMIT", COMMIT),
    ];
    let answer = run(
        "bitbucket",
        Proof::Token,
        &server,
        folder.path(),
        &variables,
    );
    assert_recorded(&answer, "feature/x", "Kim");
}

#[test]
fn a_test_runs_every_recipe_of_the_setup_page() {
    let run = include_str!("recipes.rs");
    for system in CI_SYSTEMS.iter() {
        for recipe in &system.recipes {
            if recipe.with_curl(&PLACEHOLDER).is_none() {
                continue;
            }
            let call = format!("run(\"{}\", Proof::{:?}, ", system.key, recipe.proof);
            let found = run.split_whitespace().collect::<Vec<_>>().join(" ");
            let found = found.replace("run( ", "run(");
            assert!(found.contains(&call), "{call}");
        }
    }
}
