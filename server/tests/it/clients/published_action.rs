//! The steps of the GitHub Action of the system that this one replaces, run with curl and jq as a runner does.

use crate::harness::{
    Archive, COMMIT, ForgeStandIn, GOOD, Kind, Reachable, TestServer, Upload, cobertura,
};
use reqwest::redirect::Policy;
use serde_json::Value;
use std::{collections::HashMap, path::Path, process::Command};
use tempfile::TempDir;

/// The Action on a pull request: packs the report, uploads it, and computes the text of its comment with jq.
const PUBLISH: &str = r#"
set -euo pipefail
tar -zcf "$REPORT_DIR.tar.gz" "$REPORT_DIR"
code=$(curl -s -o answer.json -w '%{response_code}' -X POST \
  -H 'Content-Type: multipart/form-data' -H "Authorization: $TOKEN" \
  --form "file=@$REPORT_DIR.tar.gz" \
  "$API_HOST?org_name=acme&github_api_url=$API_URL&branch_name=$BRANCH&repo_name=payments&commit_hash=$SHA&commit_author=kim&language=go&coverage_xml_file_name=coverage.xml")
if [[ $code -lt 200 ]] || [[ $code -ge 400 ]]; then cat answer.json >&2; exit 1; fi
current=$(jq .coverage.percentage < answer.json)
base=$(jq -r '.data[]? | select(.branch_name == "main")? | .percentage // empty' < answer.json)
echo "code=$code"
echo "current=$current"
echo "base=$base"
echo "improvement=$(printf '%.2f' "$(jq -n "${current:-0} - ${base:-0}")")"
echo "current_url=$API_HOST/assets/acme/payments/${BRANCH//\//_fs_}/archive/$REPORT_DIR/"
echo "base_url=$API_HOST/assets/acme/payments/main/archive/$REPORT_DIR/"
echo "ui_url=$API_HOST/../coverages-ui/acme/payments"
"#;

/// The Action after a branch was deleted: lists the remaining branches as git prints them.
const DELETED: &str = r#"
set -euo pipefail
branches=$(printf 'HEAD -> origin/main\nmain\n' | jq -R -s -c '[splits("\\s+") | select(. != "")]')
curl -s -w '%{response_code}' -o put.json -X PUT -H 'Content-Type: application/json' -H "Authorization: $TOKEN" \
  -d "{\"org_name\": \"acme\", \"github_api_url\": \"$API_URL\", \"commit_hash\": \"$SHA\", \"repo_name\": \"payments\", \"active_branches\": $branches}" \
  "$API_HOST" | sed 's/^/code=/'
echo
echo "success=$(jq -r .success < put.json)"
"#;

/// Runs a step in a folder and returns the outputs that it sets.
fn step(script: &str, folder: &Path, variables: &[(&str, &str)]) -> HashMap<String, String> {
    let output = Command::new("bash")
        .args(["-c", script])
        .current_dir(folder)
        .envs(variables.iter().copied())
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let outputs = printed.lines().filter_map(|line| line.split_once('='));
    outputs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// The files that a job leaves.
fn job(covered: u32) -> TempDir {
    let folder = TempDir::new().unwrap();
    let report = folder.path().join("build");
    std::fs::create_dir(&report).unwrap();
    std::fs::write(
        report.join("index.html"),
        format!("<h1>{covered} lines</h1>"),
    )
    .unwrap();
    std::fs::write(report.join("coverage.xml"), cobertura(covered, 100)).unwrap();
    folder
}

fn publish(
    server: &TestServer,
    forge: &ForgeStandIn,
    branch: &str,
    covered: u32,
) -> HashMap<String, String> {
    publish_commit(server, forge, branch, COMMIT, covered)
}

fn publish_commit(
    server: &TestServer,
    forge: &ForgeStandIn,
    branch: &str,
    sha: &str,
    covered: u32,
) -> HashMap<String, String> {
    let (host, api, job) = (server.url("/coverages-api"), forge.api(), job(covered));
    let variables = [
        ("API_HOST", host.as_str()),
        ("API_URL", &api),
        ("TOKEN", GOOD),
        ("BRANCH", branch),
        ("SHA", sha),
        ("REPORT_DIR", "build"),
    ];
    step(PUBLISH, job.path(), &variables)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_published_action_uploads_and_gets_what_its_comment_needs() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = TestServer::start_with(&["--vcs-api-urls", &forge.listed()]).await;
    let first = publish(&server, &forge, "main", 80);
    assert_eq!(first["code"], "201");
    let pull = publish(&server, &forge, "feature/tax", 83);
    // Some versions of jq print a number unchanged, others without trailing zeros.
    let number = |name: &str| pull[name].parse::<f64>().unwrap();
    assert_eq!((number("current"), number("base")), (83.0, 80.0));
    assert_eq!(
        (&pull["code"][..], &pull["improvement"][..]),
        ("201", "3.00")
    );
    for (url, page) in [
        ("current_url", "<h1>83 lines</h1>"),
        ("base_url", "<h1>80 lines</h1>"),
    ] {
        let response = server.client.get(&pull[url]).send().await.unwrap();
        assert_eq!(response.status(), 200, "{}", pull[url]);
        assert!(response.text().await.unwrap().ends_with(page));
    }
    let without_following = reqwest::Client::builder()
        .redirect(Policy::none())
        .build()
        .unwrap();
    let ui = without_following.get(&pull["ui_url"]).send().await.unwrap();
    assert_eq!(ui.headers()["location"], "/repos/acme/payments");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_published_action_uploads_the_merge_commit_of_a_pull_request() {
    const MERGE_COMMIT: &str = "76543210fedcba9876543210fedcba9876543210";
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = TestServer::start_with(&["--vcs-api-urls", &forge.listed()]).await;
    for branch in ["main", "feature/tax"] {
        forge.leave_out(branch, MERGE_COMMIT);
    }
    publish(&server, &forge, "main", 80);
    let pull = publish_commit(&server, &forge, "feature/tax", MERGE_COMMIT, 83);
    assert_eq!(pull["code"], "201");
    let current = server.current_records().await;
    let branches: Vec<_> = current
        .iter()
        .map(|record| &record["branch_name"])
        .collect();
    assert_eq!(branches, ["feature/tax", "main"]);
    let compared = forge.compared();
    assert!(
        compared.iter().all(|call| call.branch == "main"),
        "{compared:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_published_action_lists_the_existing_branches() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = TestServer::start_with(&["--vcs-api-urls", &forge.listed()]).await;
    publish(&server, &forge, "main", 80);
    publish(&server, &forge, "feature/tax", 83);
    let (host, api, folder) = (
        server.url("/coverages-api"),
        forge.api(),
        TempDir::new().unwrap(),
    );
    let variables = [
        ("API_HOST", host.as_str()),
        ("API_URL", &api),
        ("TOKEN", GOOD),
        ("SHA", COMMIT),
    ];
    let outputs = step(DELETED, folder.path(), &variables);
    assert_eq!(
        (outputs["code"].as_str(), outputs["success"].as_str()),
        ("200", "1")
    );
    let current = server.current_records().await;
    let branches: Vec<_> = current
        .iter()
        .map(|record| &record["branch_name"])
        .collect();
    assert_eq!(branches, [&Value::from("main")]);
}

#[tokio::test]
async fn links_posted_by_ci_lead_to_the_language_that_has_the_path() {
    let server = TestServer::start().await;
    for (language, folder) in [("go", "build"), ("js", "coverage")] {
        let archive = Archive::new()
            .file(&format!("{folder}/index.html"), language)
            .file(
                &format!("{folder}/coverage.xml"),
                cobertura(1, 2).into_bytes(),
            );
        Upload::of(archive.tar_gz())
            .with("language", language)
            .with("branch_name", "feature/x")
            .accepted(&server)
            .await;
    }
    let base = "/coverages-api/assets/acme/payments/feature_fs_x/archive";
    for (path, page) in [
        ("/build/", "go"),
        ("/coverage/", "js"),
        ("/build/index.html", "go"),
        ("/elsewhere/", "js"),
        ("/", "js"),
        ("", "js"),
    ] {
        let text = server.get_text(&format!("{base}{path}")).await;
        assert!(text.ends_with(page), "{path}: {text}");
    }
    for missing in [
        "/coverages-api/assets/acme/payments/other/archive/build/",
        "/coverages-api/assets/acme/payments/feature_fs_x/build/",
        "/coverages-api/assets/acme/other/feature_fs_x/archive/build/",
        "/coverages-ui/payments",
    ] {
        assert_eq!(server.get(missing).await.status(), 404, "{missing}");
    }
}

#[tokio::test]
async fn a_link_never_leads_to_a_branch_of_a_similar_name() {
    let server = TestServer::start().await;
    for (branch, folder) in [("a_fs_b", "one"), ("a/b", "two")] {
        let page = format!("{folder}/index.html");
        let archive = Archive::new()
            .file(&page, branch)
            .file("coverage.xml", cobertura(1, 2));
        Upload::of(archive.tar_gz())
            .with("branch_name", branch)
            .accepted(&server)
            .await;
    }
    let base = "/coverages-api/assets/acme/payments/a_fs_b/archive";
    for path in ["/one/", "/two/"] {
        assert!(
            server
                .get_text(&format!("{base}{path}"))
                .await
                .ends_with("a_fs_b")
        );
    }
}
