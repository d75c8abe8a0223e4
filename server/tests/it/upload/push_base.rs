//! The base of a push to the main branch: the request before its upload.

use crate::harness::{
    Archive, COMMIT, ForgeStandIn, GOOD, Kind, READS_ONLY, Reachable, SigningKey, TOKEN,
    TestIssuer, TestServer, Upload,
};
use jsonwebtoken::get_current_timestamp;
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

/// Two lines, of which the first is run.
fn measured(commit: &str) -> Upload {
    let lcov = "SF:src/fee.c\nDA:1,1\nDA:2,0\nend_of_record\n";
    let archive = Archive::new().file("coverage.xml", lcov).tar_gz();
    Upload::of(archive)
        .with("commit_hash", commit)
        .with("summary", "1")
}

/// The request before the push of a commit to `main`, with more parameters.
fn question(server: &TestServer, commit: &str, more: &str) -> RequestBuilder {
    let names = "org_name=acme&repo_name=payments&language=rust";
    let path = format!("/coverages-api/base?{names}&commit_hash={commit}&{more}");
    server.client.get(server.url(&path))
}

async fn ask(server: &TestServer, commit: &str, more: &str) -> Response {
    let more = format!("branch_name=main&{more}");
    let request = question(server, commit, &more).bearer_auth(TOKEN);
    request.send().await.unwrap()
}

/// The commit of the answer, or the code of the refusal.
async fn base(server: &TestServer, commit: &str, ancestors: &str) -> String {
    word(ask(server, commit, &format!("ancestors={ancestors}")).await).await
}

async fn word(response: Response) -> String {
    let answer: Value = response.json().await.unwrap();
    let word = answer.get("commit_hash").or(answer.get("code"));
    word.and_then(Value::as_str).unwrap().to_owned()
}

#[tokio::test]
async fn a_push_is_compared_with_its_first_ancestor_that_is_measured() {
    let server = TestServer::start().await;
    assert_eq!(base(&server, "c1", "").await, "no_base", "no repository");
    let tree = "a".repeat(40);
    let first = measured("c1")
        .with("tree_hash", &tree)
        .accepted(&server)
        .await;
    assert_eq!(base(&server, "c1", "c1").await, "no_base", "only itself");
    measured("c2").accepted(&server).await;
    measured("c3").accepted(&server).await;

    let answer: Value = ask(&server, "c9", "ancestors=c8,c1,c2")
        .await
        .json()
        .await
        .unwrap();
    let record = &first["coverage"];
    assert_eq!(
        answer,
        json!({"id": record["id"], "commit_hash": "c1", "tree_hash": tree, "created_at": record["created_at"]})
    );
    // After a force push no ancestor is known: the newest record.
    for unknown in ["", "c8,c7", "c9", "c8,"] {
        assert_eq!(base(&server, "c9", unknown).await, "c3", "{unknown}");
    }
    let newest: Value = ask(&server, "c9", "").await.json().await.unwrap();
    assert_eq!(newest["tree_hash"], Value::Null);
    // A retry of an older commit does not make its first upload newer.
    measured("c2").accepted(&server).await;
    assert_eq!(base(&server, "c9", "").await, "c3");
}

#[tokio::test]
async fn a_retry_keeps_the_base_of_its_hunks() {
    let server = TestServer::start().await;
    for commit in ["c1", "c2"] {
        measured(commit).accepted(&server).await;
    }
    let head = || {
        let changes = b"diff --git a/src/fee.c b/src/fee.c\n--- a/src/fee.c\n+++ b/src/fee.c\n@@ -1,0 +2 @@\n";
        measured("c3")
            .with("base_commit", "c1")
            .after("changes", changes)
    };
    let changed = head().accepted(&server).await["summary"]["changed_lines"].clone();
    assert_eq!(
        (&changed["covered"], &changed["coverable"]),
        (&json!(0), &json!(1))
    );
    measured("c4").accepted(&server).await;
    assert_eq!(
        base(&server, "c3", "c2").await,
        "c1",
        "the base of its hunks"
    );
    assert_eq!(
        base(&server, "c2", "").await,
        "c1",
        "the base that it states"
    );
    assert_eq!(base(&server, "c4", "c1").await, "c1", "it has no hunks yet");
}

#[tokio::test]
async fn a_base_that_was_deleted_after_the_question_refuses_no_upload() {
    let server = TestServer::start().await;
    for (commit, expected) in [("c1", "no_base"), ("c2", "c1")] {
        assert_eq!(base(&server, commit, "").await, expected);
        measured(commit).accepted(&server).await;
    }
    assert_eq!(base(&server, "c3", "c2,c1").await, "c2");
    let arguments = ["token", "create", "--name", "ops", "--for", "admin"];
    let admin = server.command(&arguments).output().unwrap().stdout;
    let admin = String::from_utf8(admin).unwrap();
    let url = server.url("/coverages-api/records/2");
    let deleted = server.client.delete(url).bearer_auth(admin.trim_end());
    assert_eq!(deleted.send().await.unwrap().status(), 204);
    let changes =
        b"diff --git a/src/fee.c b/src/fee.c\n--- a/src/fee.c\n+++ b/src/fee.c\n@@ -1,0 +1,2 @@\n";
    let summary = measured("c3")
        .with("base_commit", "c2")
        .after("changes", changes)
        .accepted(&server)
        .await["summary"]
        .clone();
    assert_eq!(summary["base"]["commit_hash"], "c1");
    assert_eq!(summary["base"]["found_by"], "main_branch");
    assert_eq!(summary["changed_lines"]["covered"], 1);
    assert_eq!(summary["changed_lines"]["coverable"], 2);
    assert_eq!(base(&server, "c3", "").await, "c1", "the base that is left");
}

#[tokio::test]
async fn only_complete_records_of_the_main_branch_and_language_are_a_base() {
    let server = TestServer::start().await;
    measured("c1").accepted(&server).await;
    measured("f1")
        .with("branch_name", "fix")
        .accepted(&server)
        .await;
    measured("g1")
        .with("language", "go")
        .accepted(&server)
        .await;
    measured("w1")
        .with("parts", "unit,e2e")
        .with("part", "unit")
        .accepted(&server)
        .await;
    assert_eq!(base(&server, "c9", "w1,g1,f1").await, "c1");
    for (more, what) in [
        ("branch_name=fix", "another branch"),
        ("branch_name=new", "a new branch"),
        ("branch_name=Main", "another spelling"),
        ("branch_name=main&language=c", "another language"),
        ("branch_name=main&repo_name=other", "another repository"),
    ] {
        let request = question(&server, "c9", more).bearer_auth(TOKEN);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 404, "{what}");
        assert_eq!(word(response).await, "no_base", "{what}");
    }
    let other = "branch_name=main&org_name=ACME&repo_name=Payments";
    let request = question(&server, "c9", other).bearer_auth(TOKEN);
    assert_eq!(word(request.send().await.unwrap()).await, "c1", "any case");
}

#[tokio::test]
async fn a_question_with_wrong_parameters_names_each() {
    let server = TestServer::start().await;
    let many = vec!["c"; 51].join(",");
    for ancestors in [many.as_str(), "a,,b", "a/b", &"a".repeat(65)] {
        let response = ask(&server, "c9", &format!("ancestors={ancestors}")).await;
        assert_eq!(response.status(), 422, "{ancestors}");
        let problem: Value = response.json().await.unwrap();
        assert!(problem["errors"]["ancestors"].is_string(), "{problem}");
    }
    assert_eq!(
        base(&server, "c9", &vec!["c"; 50].join(",")).await,
        "no_base"
    );
    let nothing = server.get("/coverages-api/base").await;
    assert_eq!(nothing.status(), 422, "parameters go before the token");
    let problem: Value = nothing.json().await.unwrap();
    let errors = problem["errors"].as_object().unwrap();
    let names: Vec<_> = errors.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "branch_name",
            "commit_hash",
            "language",
            "org_name",
            "repo_name"
        ]
    );
}

#[tokio::test]
async fn the_question_needs_the_right_to_upload_also_where_reading_is_open() {
    for protection in [&[][..], &["--protect-reading"]] {
        let arguments = [&["--upload-token", TOKEN], protection].concat();
        let server = TestServer::start_with(&arguments).await;
        measured("c1").accepted(&server).await;
        let ask = || question(&server, "c2", "branch_name=main");
        for (request, status, code) in [
            (ask(), 401, "missing_token"),
            (ask().bearer_auth("wrong"), 401, "invalid_token"),
            (
                question(
                    &server,
                    "c2",
                    "branch_name=main&vcs_api_url=https://else.where",
                )
                .bearer_auth("wrong"),
                403,
                "vcs_api_url_not_allowed",
            ),
        ] {
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), status);
            assert_eq!(
                response.headers()["content-type"],
                "application/problem+json"
            );
            assert_eq!(word(response).await, code);
        }
        let answer = ask().bearer_auth(TOKEN).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        let etag = answer.headers()["etag"].clone();
        assert_eq!(word(answer).await, "c1");
        let again = ask().bearer_auth(TOKEN).header("if-none-match", etag);
        assert_eq!(again.send().await.unwrap().status(), 304);
        let head = server.client.head(ask().build().unwrap().url().clone());
        assert_eq!(head.send().await.unwrap().status(), 401);
    }
}

#[tokio::test]
async fn a_forge_token_asks_with_one_status_that_the_upload_concludes() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server =
        TestServer::start_with(&["--upload-token", TOKEN, "--vcs-api-urls", &forge.listed()]).await;
    measured("c1").accepted(&server).await;
    let url = forge.api();
    let more = format!("branch_name=main&vcs_api_url={url}");
    let ask = |token| question(&server, COMMIT, &more).bearer_auth(token).send();
    assert_eq!(ask(READS_ONLY).await.unwrap().status(), 403);
    assert_eq!(ask(GOOD).await.unwrap().status(), 200);
    measured(COMMIT)
        .with("vcs_api_url", &url)
        .authorization(Some(GOOD))
        .accepted(&server)
        .await;
    let states = forge.states();
    assert_eq!(states[..2], ["pending", "pending"], "one for each token");
    let of_result = &states[2..];
    assert!(
        of_result.iter().all(|state| state == "success"),
        "{states:?}"
    );
}

#[tokio::test]
async fn an_identity_asks_only_about_its_own_branch_and_commit() {
    let key = SigningKey::p256("k1");
    let issuer = TestIssuer::start(&[&key]).await;
    let listed = format!("github={}", issuer.url);
    let arguments = ["--upload-token", TOKEN, "--oidc-issuers", &listed];
    let server = TestServer::start_with(&arguments).await;
    measured("c1").accepted(&server).await;
    let now = get_current_timestamp();
    let claims = json!({
        "iss": issuer.url, "aud": server.url(""), "iat": now, "nbf": now, "exp": now + 300,
        "repository": "acme/payments", "ref": "refs/heads/main", "sha": "c2", "event_name": "push", "actor": "kim",
    });
    let token = key.token(&claims);
    for (commit, branch, status) in [("c2", "main", 200), ("c3", "main", 403), ("c2", "fix", 403)] {
        let request = question(&server, commit, &format!("branch_name={branch}"));
        let response = request.bearer_auth(&token).send().await.unwrap();
        assert_eq!(response.status(), status, "{commit} on {branch}");
    }
}
