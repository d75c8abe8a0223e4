//! What the readers of other services ask: Codecov's browser extension.

use super::lines::refused;
use crate::harness::{Archive, Reachable, TOKEN, TestServer, Upload};
use access::Tokens;
use serde_json::{Value, json};
use store::{Purpose, Scope, actor::Actor};

const BASE: &str = "1111111111111111111111111111111111111111";
const HEAD: &str = "2222222222222222222222222222222222222222";
const OTHER: &str = "2222222333333333333333333333333333333333";

/// Lines 1, 2 and 4 ran, the last one without a branch; line 3 did not.
const LCOV: &str =
    "SF:src/fee.c\nDA:1,1\nDA:2,1\nDA:3,0\nDA:4,1\nBRDA:4,0,0,1\nBRDA:4,0,1,0\nend_of_record\n";

/// Adds the lines 2 to 4.
const DIFF: &str =
    "diff --git a/src/fee.c b/src/fee.c\n--- a/src/fee.c\n+++ b/src/fee.c\n@@ -1,0 +2,3 @@\n";

const SETTINGS: &str = "[views]\napi = [\"src/**\"]\nempty = [\"nothing/**\"]\n";

async fn start() -> TestServer {
    TestServer::start_with(&["--upload-token", TOKEN, "--accept", "codecov"]).await
}

fn upload(commit: &str, lcov: &str) -> Upload {
    let archive = Archive::new().file("coverage.xml", lcov).tar_gz();
    Upload::of(archive).with("commit_hash", commit)
}

fn at(rest: &str) -> String {
    format!("/api/v2/github/acme/repos/payments/{rest}")
}

async fn lines(server: &TestServer, query: &str) -> Value {
    let path = at(&format!("report?path=src/fee.c{query}"));
    server.get_json(&path).await["files"][0]["line_coverage"].clone()
}

/// A pull request that adds lines to a file of the main branch.
async fn pull_request(server: &TestServer, base: &str, head: &str) {
    upload(BASE, base).accepted(server).await;
    let head = upload(HEAD, head)
        .with("branch_name", "fix")
        .with("pull_request", "7")
        .with("base_commit", BASE);
    let head = head.before("changes", DIFF.as_bytes());
    head.accepted(server).await;
}

#[tokio::test]
async fn a_file_of_a_branch_or_commit_has_its_lines_by_state() {
    let server = start().await;
    upload(HEAD, LCOV).accepted(&server).await;
    let python = upload(HEAD, "SF:src/tax.py\nDA:7,0\nend_of_record\n");
    python.with("language", "python").accepted(&server).await;
    let expected = json!([[1, 0], [2, 0], [3, 1], [4, 2]]);
    for query in ["&branch=main", "", &format!("&sha={HEAD}"), "&sha=2222222"] {
        assert_eq!(lines(&server, query).await, expected, "{query}");
    }
    let python = at("report?branch=main&path=src/tax.py");
    let python = server.get_json(&python).await;
    assert_eq!(python["files"][0]["line_coverage"], json!([[7, 1]]));
    let page = python["commit_file_url"].as_str().expect("an address");
    assert_eq!(page, server.url("/records/2/source?path=src%2Ftax.py"));
}

#[tokio::test]
async fn only_the_exact_path_and_a_single_commit_are_answered() {
    let server = start().await;
    upload(HEAD, LCOV).accepted(&server).await;
    for (rest, code) in [
        ("report?branch=main&path=fee.c", "no_such_file"),
        ("report?branch=main&path=src", "no_such_file"),
        ("report?branch=other&path=src/fee.c", "not_found"),
        ("report?sha=3333333&path=src/fee.c", "not_found"),
        ("compare?pullid=7", "not_found"),
    ] {
        let expected = (404, json!(code));
        assert_eq!(refused(&server, &at(rest)).await, expected, "{rest}");
    }
    for rest in [
        "report",
        "report?path=a&sha=main",
        "compare",
        "compare?pullid=x",
    ] {
        assert_eq!(refused(&server, &at(rest)).await.0, 422, "{rest}");
    }
    upload(OTHER, LCOV).accepted(&server).await;
    let several = at("report?sha=2222222&path=src/fee.c");
    let expected = (404, json!("not_found"));
    assert_eq!(refused(&server, &several).await, expected);
    let expected = json!([[1, 0], [2, 0], [3, 1], [4, 2]]);
    assert_eq!(lines(&server, "&sha=22222223").await, expected);
}

/// For `/blob/feature/x/src/fee.c`, the extension asks for the branch `feature`.
#[tokio::test]
async fn a_branch_whose_name_has_slashes_is_found_by_its_first_part() {
    let server = start().await;
    let on = |branch: &str, commit: &str, lcov: &str| {
        let upload = upload(commit, lcov).with("branch_name", branch);
        async { upload.accepted(&server).await }
    };
    let missed = "SF:src/fee.c\nDA:1,0\nend_of_record\n";
    on("feature/x", HEAD, LCOV).await;
    on("fix", HEAD, missed).await;
    on("fix/a", BASE, LCOV).await;
    let found = async |branch: &str, path: &str| {
        let path = at(&format!("report?branch={branch}&path={path}"));
        server.get_json(&path).await["files"][0].clone()
    };
    let all = json!({"name": "src/fee.c", "line_coverage": [[1, 0], [2, 0], [3, 1], [4, 2]]});
    assert_eq!(found("feature", "x/src/fee.c").await, all);
    assert_eq!(found("feature/x", "src/fee.c").await, all);
    // After `feature/x` was deleted, a branch may begin with its name.
    let deep = "feature/x/1/2/3/4/5/6/7";
    on(deep, OTHER, missed).await;
    let one = json!({"name": "src/fee.c", "line_coverage": [[1, 1]]});
    assert_eq!(found("feature", "x/1/2/3/4/5/6/7/src/fee.c").await, one);
    // `fix/a` came after `fix`, so `fix` was deleted before.
    assert_eq!(found("fix", "a/src/fee.c").await, all);
    assert_eq!(found("fix", "src/fee.c").await, one);
    on("fix", OTHER, missed).await;
    // `fix` came back. A commit has no folders.
    for rest in [
        "report?branch=fix&path=a/src/fee.c".to_owned(),
        format!("report?branch=feature&sha={HEAD}&path=x/src/fee.c"),
        "report?branch=feature&path=x/fee.c".to_owned(),
    ] {
        let refused = refused(&server, &at(&rest)).await;
        assert_eq!(refused, (404, json!("no_such_file")), "{rest}");
    }
    on("feature/x/1/2/3/4/5/6/7/8", HEAD, LCOV).await;
    for rest in [
        "report?branch=feature&path=x/1/2/3/4/5/6/7/8",
        "report?branch=feat&path=ure/x/src/fee.c",
        "report?branch=feature&path=/src/fee.c",
        "report?path=feature/x/src/fee.c",
    ] {
        let refused = refused(&server, &at(rest)).await;
        assert_eq!(refused.0, 404, "{rest}");
    }
}

#[tokio::test]
async fn flags_are_parts_and_components_are_views() {
    let server = start().await;
    let unit = upload(HEAD, LCOV).with("part", "unit");
    let unit = unit.before("settings", SETTINGS.as_bytes());
    unit.accepted(&server).await;
    let e2e = upload(HEAD, "SF:src/fee.c\nDA:1,0\nDA:3,1\nend_of_record\n");
    e2e.with("part", "e2e").accepted(&server).await;
    let flags = server.get_json(&at("flags")).await;
    let expected = json!({"results": [{"flag_name": "e2e"}, {"flag_name": "unit"}]});
    assert_eq!(flags, expected);
    let components = server.get_json(&at("components")).await;
    let names =
        json!([{"component_id": "api", "name": "api"}, {"component_id": "empty", "name": "empty"}]);
    assert_eq!(components, names);
    let all = json!([[1, 0], [2, 0], [3, 0], [4, 2]]);
    assert_eq!(lines(&server, "").await, all);
    let of_part = json!([[1, 1], [3, 0]]);
    let sha = format!("&sha={HEAD}&flag=e2e");
    assert_eq!(lines(&server, &sha).await, of_part);
    assert_eq!(lines(&server, "&component_id=api").await, all);
    for query in ["&flag=lint", "&component_id=empty"] {
        let path = at(&format!("report?path=src/fee.c{query}"));
        assert_eq!(refused(&server, &path).await, (404, json!("no_such_file")));
    }
    let unknown = at("report?path=src/fee.c&component_id=other");
    assert_eq!(refused(&server, &unknown).await, (404, json!("no_view")));
}

#[tokio::test]
async fn a_pull_request_has_its_totals_and_its_changed_lines() {
    let server = start().await;
    let base = "SF:src/fee.c\nDA:1,1\nDA:2,0\nend_of_record\n";
    pull_request(&server, base, LCOV).await;
    let line = |number: u32, state: u8| json!({"number": {"head": number}, "added": true, "coverage": {"head": state}});
    let expected = json!({
        "totals": {"base": {"coverage": 50.00}, "head": {"coverage": 75.00}, "patch": {"coverage": 66.67}},
        "files": [{
            "name": {"head": "src/fee.c"},
            "has_diff": true,
            "lines": [line(2, 0), line(3, 1), line(4, 2)]
        }],
        "has_more": false
    });
    let answer = server.get_json(&at("compare?pullid=7")).await;
    assert_eq!(answer, expected);
}

#[tokio::test]
async fn a_total_of_0_is_not_0_and_an_unknown_one_is_null() {
    let server = start().await;
    let none = "SF:src/fee.c\nDA:1,0\nDA:2,0\nend_of_record\n";
    pull_request(&server, none, none).await;
    let nearly = json!({"coverage": 0.0001});
    let answer = server.get_json(&at("compare?pullid=7")).await;
    for total in ["base", "head", "patch"] {
        assert_eq!(answer["totals"][total], nearly, "{total}");
    }
    let without = upload(OTHER, LCOV).with("branch_name", "next");
    let without = without.with("pull_request", "8").with("parts", "unit,e2e");
    without.with("part", "unit").accepted(&server).await;
    let answer = server.get_json(&at("compare?pullid=8")).await;
    for total in ["head", "patch"] {
        assert_eq!(
            answer["totals"][total],
            json!({"coverage": null}),
            "{total}"
        );
    }
    assert_eq!(answer["files"], json!([]));
}

#[tokio::test]
async fn the_languages_of_a_pull_request_are_counted_together() {
    let server = start().await;
    let base = "SF:src/fee.c\nDA:1,1\nDA:2,0\nend_of_record\n";
    pull_request(&server, base, LCOV).await;
    let python = |commit, lcov| upload(commit, lcov).with("language", "python");
    let own = "SF:src/tax.py\nDA:1,0\nDA:2,0\nend_of_record\n";
    python(BASE, own).accepted(&server).await;
    let head = python(HEAD, own)
        .with("branch_name", "fix")
        .with("pull_request", "7")
        .with("base_commit", BASE);
    head.before("changes", DIFF.as_bytes())
        .accepted(&server)
        .await;
    let answer = server.get_json(&at("compare?pullid=7")).await;
    let expected = json!({"base": {"coverage": 25.00}, "head": {"coverage": 50.00}, "patch": {"coverage": 66.67}});
    assert_eq!(answer["totals"], expected);
}

#[tokio::test]
async fn an_unknown_repository_has_empty_lists_and_no_lines() {
    let server = start().await;
    let at = |rest: &str| format!("/api/v2/github/acme/repos/nothing/{rest}");
    assert_eq!(server.get_json(&at("flags")).await, json!({"results": []}));
    assert_eq!(server.get_json(&at("components")).await, json!([]));
    for rest in ["report?path=a&branch=main", "compare?pullid=7"] {
        let expected = (404, json!("not_found"));
        assert_eq!(refused(&server, &at(rest)).await, expected, "{rest}");
    }
}

#[tokio::test]
async fn a_reader_of_another_org_sees_no_repository() {
    let arguments = [
        "--upload-token",
        TOKEN,
        "--accept",
        "codecov",
        "--protect-reading",
    ];
    let server = TestServer::start_with(&arguments).await;
    let own = upload(HEAD, LCOV).with("part", "unit");
    own.accepted(&server).await;
    let tokens = Tokens::new(None, server.store().await);
    let made = async |org: &str| {
        let scope = Scope::Org(org.parse().expect("an org"));
        let by = Actor::service();
        let made = tokens.make(org, Purpose::Read, &scope, None, &by);
        made.await.expect("a token").token
    };
    let (own, other) = (made("acme").await, made("labs").await);
    let (scope, by) = (
        Scope::Org("acme".parse().expect("an org")),
        Actor::service(),
    );
    let uuid = tokens.make_read_uuid("for the extension", &scope, None, &by);
    let uuid = uuid.await.expect("a token").token;
    let ask = async |path: &str, token: Option<&str>| {
        let mut request = server.client.get(server.url(path));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.expect("an answer");
        (
            response.status().as_u16(),
            response.text().await.expect("a text"),
        )
    };
    for (path, of_other) in [
        ("/api/v2/github/".to_owned(), 200),
        ("/api/v2/github".to_owned(), 200),
        (at("report?path=src/fee.c&branch=main"), 404),
        (at("compare?pullid=7"), 404),
        (at("flags"), 200),
        (at("components"), 200),
    ] {
        assert_eq!(ask(&path, None).await.0, 401, "{path}");
        assert_eq!(ask(&path, Some("cov_unknown")).await.0, 401, "{path}");
        let of_own = ask(&path, Some(&own)).await.0;
        let expected = if path.contains("compare") { 404 } else { 200 };
        assert_eq!(of_own, expected, "{path}");
        assert_eq!(ask(&path, Some(&uuid)).await.0, expected, "{path}");
        let (status, text) = ask(&path, Some(&other)).await;
        assert_eq!(status, of_other, "{path}");
        assert!(!text.contains("unit"), "{text}");
        let unknown = path.replace("payments", "nothing");
        assert_eq!(ask(&unknown, Some(&other)).await.0, of_other, "{path}");
    }
}

#[tokio::test]
async fn without_accept_the_addresses_of_codecov_do_not_exist() {
    let server = TestServer::start().await;
    upload(HEAD, LCOV).accepted(&server).await;
    for path in [
        "/api/v2/github/".to_owned(),
        at("flags"),
        at("report?path=src/fee.c"),
    ] {
        assert_eq!(server.get(&path).await.status(), 404, "{path}");
    }
}
