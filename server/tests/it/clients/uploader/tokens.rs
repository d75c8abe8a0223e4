//! Which token a job uploads with, and what the forge's token is sent for.

use super::{Job, newest, stand_in::StandIn};
use crate::harness::{
    COMMIT, ForgeStandIn, GOOD, Kind, RUNNER_TOKEN, Reachable, SigningKey, TOKEN, TestIssuer,
    TestServer,
};
use serde_json::json;

const ANSWER: &str = r#"{"coverage":{"id":1,"percentage":50.0},"data":[]}"#;

fn job() -> Job {
    let job = Job::with_remote("git@git.example.com:acme/payments.git");
    job.write_coverage(&[(1, 1), (2, 0)]);
    job
}

const GITHUB: [(&str, &str); 5] = [
    ("GITHUB_ACTIONS", "true"),
    ("GITHUB_REPOSITORY", "acme/payments"),
    ("GITHUB_REF", "refs/heads/feature/x"),
    ("GITHUB_REF_NAME", "feature/x"),
    ("GITHUB_ACTOR", "kim"),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_the_service_uploads_and_that_of_the_forge_goes_with_it() {
    let service = StandIn::start(&[(201, None, ANSWER)]).await;
    let own = [
        ("COVERAGE_TOKEN", "t0ken"),
        ("GITHUB_TOKEN", "f0rge"),
        ("GITHUB_API_URL", "https://api.forge.example.com"),
    ];
    let job = job();
    let run = job.upload_to(&service.url).with(&GITHUB).with(&own);
    assert_eq!(run.run().code, 0);
    let arrived = &service.arrived()[0];
    assert_eq!(arrived.headers["authorization"], "Bearer t0ken");
    assert_eq!(arrived.headers["forge-authorization"], "Bearer f0rge");
    let api = "vcs_api_url=%68%74%74%70%73%3a";
    assert!(arrived.path.contains(api), "{}", arrived.path);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_system_has_its_own_variable_for_the_token_of_the_forge() {
    for (system, variable) in [
        ("GITHUB_ACTIONS", "GITHUB_TOKEN"),
        ("GITEA_ACTIONS", "GITEA_TOKEN"),
        ("FORGEJO_ACTIONS", "FORGEJO_TOKEN"),
        ("GITLAB_CI", "GITLAB_TOKEN"),
    ] {
        let service = StandIn::start(&[(201, None, ANSWER)]).await;
        let own = [(system, "true"), (variable, "f0rge")];
        let job = job();
        let ran = job.upload_to(&service.url).with(&own).run();
        assert_eq!(ran.code, 0, "{system}: {}", ran.printed);
        let headers = &service.arrived()[0].headers;
        assert_eq!(headers["authorization"], "Bearer f0rge", "{system}");
        assert!(!headers.contains_key("forge-authorization"), "{system}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_of_the_forge_uploads_if_there_is_no_other() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = TestServer::start_with(&["--vcs-api-urls", &forge.listed()]).await;
    let api = forge.api();
    let own = [
        ("GITHUB_TOKEN", GOOD),
        ("GITHUB_API_URL", &api),
        ("GITHUB_SHA", COMMIT),
    ];
    let job = job();
    let url = server.url("");
    let ran = job.upload_to(&url).with(&GITHUB).with(&own).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert_eq!(newest(&server).await["record"]["commit_hash"], COMMIT);
    assert!(!forge.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_identity_of_a_job_uploads_without_any_secret() {
    let key = SigningKey::p256("k1");
    let issuer = TestIssuer::start(&[&key]).await;
    let listed = format!("github={}", issuer.url);
    let server = TestServer::start_with(&["--oidc-issuers", &listed]).await;
    let runner = issuer.runner(key, COMMIT).await;
    let own = [
        ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", RUNNER_TOKEN),
        ("ACTIONS_ID_TOKEN_REQUEST_URL", &runner),
        ("GITHUB_SHA", COMMIT),
    ];
    let job = job();
    for shell in super::installed() {
        let url = server.url("");
        let run = job.upload_to(&url).shell(shell).with(&GITHUB).with(&own);
        let ran = run.run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        assert!(!ran.printed.contains("eyJ"), "{}", ran.printed);
    }
    assert_eq!(newest(&server).await["record"]["branch_name"], "feature/x");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_without_any_token_fails_and_says_what_to_set() {
    let job = job();
    let ran = job.upload_to("http://127.0.0.1:9").with(&GITHUB).run();
    assert_eq!(ran.code, 1);
    let error = "error: there is no token: set COVERAGE_TOKEN";
    assert!(ran.printed.contains(error), "{}", ran.printed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pull_request_of_a_fork_without_a_token_is_a_warning() {
    let job = job();
    let event = job.bin().join("event.json");
    let text = json!({"pull_request": {"number": 7, "head": {"sha": "c1", "repo": {"full_name": "kim/payments"}}}});
    std::fs::write(&event, text.to_string()).unwrap();
    let event = event.display().to_string();
    let own = [
        ("GITHUB_EVENT_PATH", &event[..]),
        ("GITHUB_HEAD_REF", "main"),
        ("GITHUB_BASE_REF", "main"),
    ];
    let run = |job: &Job| {
        job.upload_to("http://127.0.0.1:9")
            .with(&GITHUB)
            .with(&own)
            .run()
    };
    let ran = run(&job);
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert!(
        ran.printed.contains("from a fork gets no token"),
        "{}",
        ran.printed
    );
    // With a token, its branch `main` is not the main branch of this repository.
    let service = TestServer::start().await;
    let ran = job.upload(&service).with(&GITHUB).with(&own).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert_eq!(newest(&service).await["record"]["branch_name"], "pull/7");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_whose_secret_is_empty_is_a_warning() {
    let job = job();
    for own in [
        &[("GITHUB_ACTOR", "dependabot[bot]"), ("COVERAGE_TOKEN", "")][..],
        &[("GITHUB_REF", "refs/pull/7/merge"), ("COVERAGE_TOKEN", "")],
    ] {
        let run = job.upload_to("http://127.0.0.1:9").with(&GITHUB);
        let ran = run.with(own).run();
        assert_eq!(ran.code, 0, "{}", ran.printed);
        assert!(
            ran.printed.contains("warning: not uploaded"),
            "{}",
            ran.printed
        );
    }
    // The token of the forge that such a job gets may only read.
    let service = StandIn::start(&[(403, None, r#"{"detail":"may only read"}"#)]).await;
    for (actor, code) in [("dependabot[bot]", 0), ("kim", 1)] {
        let own = [("GITHUB_ACTOR", actor), ("GITHUB_TOKEN", "f0rge")];
        let run = job.upload_to(&service.url).with(&GITHUB);
        let ran = run.with(&own).run();
        assert_eq!(ran.code, code, "{actor}: {}", ran.printed);
        assert!(ran.printed.contains("may only read"), "{}", ran.printed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_would_change_the_request_is_refused() {
    let server = TestServer::start().await;
    let job = job();
    for token in ["a\nurl = \"http://127.0.0.1:9\"", "a\"b", "a\\b", "é"] {
        let run = job.upload_to(&server.url(""));
        let ran = run.with(&[("COVERAGE_TOKEN", token)]).run();
        assert_eq!(ran.code, 1, "{}", ran.printed);
        let error = "error: COVERAGE_TOKEN has a character";
        assert!(ran.printed.contains(error), "{}", ran.printed);
        assert!(!ran.printed.contains("127.0.0.1:9"), "{}", ran.printed);
    }
    assert!(server.records().await.is_empty());
    let ran = job.upload(&server).with(&[("COVERAGE_TOKEN", TOKEN)]).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
}
