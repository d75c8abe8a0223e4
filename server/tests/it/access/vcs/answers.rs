//! The answers of a forge, and the resulting answers to the client.

use super::{server_with, upload};
use crate::harness::{
    ForgeBehaviour, ForgeStandIn, KINDS, Kind, NO_COMMIT, READS_ONLY, Reachable, TestServer,
    Untouched, Upload,
};
use serde_json::Value;

async fn refused(upload: Upload, server: &TestServer, status: u16, code: &str) -> Value {
    let response = upload.send(server).await;
    let retry_after = response.headers().get("retry-after").cloned();
    let found = response.status().as_u16();
    let mut problem: Value = response.json().await.unwrap();
    assert_eq!(
        (found, problem["code"].as_str().unwrap()),
        (status, code),
        "{problem}"
    );
    if let Some(seconds) = retry_after {
        problem["retry_after"] = seconds.to_str().unwrap().into();
    }
    problem
}

#[tokio::test]
async fn a_token_unknown_to_the_forge_is_401() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        let wrong = upload(&forge, 80).authorization(Some("token wr0ng"));
        let problem = refused(wrong, &server, 401, "invalid_token").await;
        assert!(problem["detail"].as_str().unwrap().contains(&forge.api()));
        assert!(server.records().await.is_empty() && server.stored_files().is_empty());
    }
}

#[tokio::test]
async fn a_token_without_write_access_is_403() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        let reads = upload(&forge, 80).authorization(Some(READS_ONLY));
        refused(reads, &server, 403, "token_not_for_repository").await;
        let elsewhere = upload(&forge, 80).with("repo_name", "secret");
        refused(elsewhere, &server, 403, "token_not_for_repository").await;
        let nowhere = upload(&forge, 80).with("commit_hash", NO_COMMIT);
        let problem = refused(nowhere, &server, 403, "token_not_for_repository").await;
        let detail = problem["detail"].as_str().unwrap();
        assert!(
            kind == Kind::Gitea || detail.contains(NO_COMMIT),
            "{detail}"
        );
        assert_eq!(forge.states(), ["pending"; 3]);
    }
}

#[tokio::test]
async fn only_gitlab_has_nested_orgs() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        forge.allow("acme/platform/payments");
        let server = server_with(&[&forge], &[]).await;
        let nested = upload(&forge, 80).with("org_name", "acme/platform");
        match kind {
            Kind::GitLab => {
                nested.accepted(&server).await;
                let path = &forge.calls()[0].path;
                assert!(
                    path.contains("/projects/acme%2Fplatform%2Fpayments/"),
                    "{path}"
                );
            }
            _ => {
                refused(nested, &server, 403, "token_not_for_repository").await;
                assert!(forge.calls().is_empty(), "{kind:?} was called");
            }
        }
    }
}

#[tokio::test]
async fn a_commit_that_is_not_a_full_hash_never_becomes_a_path() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    for commit in [
        "..",
        ".",
        "main",
        "0123456",
        "0123456789abcdef0123456789abcdef0123456g",
    ] {
        let upload = upload(&forge, 80).with("commit_hash", commit);
        let problem = refused(upload, &server, 422, "invalid_parameter").await;
        assert!(problem["errors"]["commit_hash"].is_string(), "{problem}");
    }
    assert!(forge.calls().is_empty());
    upload(&forge, 80)
        .with("commit_hash", &"a".repeat(64))
        .accepted(&server)
        .await;
}

#[tokio::test]
async fn a_forge_that_rate_limits_is_not_called_until_its_retry_after() {
    let limited = |status, name| {
        ForgeBehaviour::Answer(status, vec![(name, "120".to_owned())], String::new())
    };
    for (kind, behaviour) in [
        (Kind::GitHub, limited(429, "retry-after")),
        (Kind::GitHub, limited(403, "retry-after")),
        (Kind::GitLab, limited(429, "retry-after")),
        (Kind::Gitea, limited(429, "retry-after")),
    ] {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        forge.behave(behaviour);
        for _ in 0..3 {
            let problem = refused(upload(&forge, 80), &server, 502, "vcs_unreachable").await;
            assert_eq!(problem["retry_after"], "120");
        }
        assert_eq!(forge.calls().len(), 1, "{kind:?}");
    }
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    let exhausted = vec![("x-ratelimit-remaining", "0".to_owned())];
    forge.behave(ForgeBehaviour::Answer(403, exhausted, String::new()));
    refused(upload(&forge, 80), &server, 502, "vcs_unreachable").await;
}

#[tokio::test]
async fn a_failing_or_unexpected_forge_is_502_and_asked_again() {
    let answer = |status, body: &str| ForgeBehaviour::Answer(status, vec![], body.to_owned());
    for behaviour in [
        answer(500, "{}"),
        answer(503, "<h1>down</h1>"),
        answer(400, "{\"message\":\"Bad Request\"}"),
        answer(
            200,
            "{\"context\":\"coverage/rust\",\"name\":\"coverage/rust\"}",
        ),
        answer(201, "<h1>Log in</h1>"),
        answer(201, "{\"context\":\"other\",\"name\":\"other\"}"),
        ForgeBehaviour::Endless,
        ForgeBehaviour::HangUp,
    ] {
        for kind in KINDS {
            let forge = ForgeStandIn::start(kind).await;
            let server = server_with(&[&forge], &["max_vcs_answer_bytes", "10000"]).await;
            forge.behave(behaviour.clone());
            let problem = refused(upload(&forge, 80), &server, 502, "vcs_unreachable").await;
            assert!(problem["retry_after"].is_string(), "{problem}");
            assert!(server.records().await.is_empty());
            forge.behave(ForgeBehaviour::Documented);
            upload(&forge, 80).accepted(&server).await;
        }
    }
}

#[tokio::test]
async fn a_forge_error_is_not_mistaken_for_a_wrong_address() {
    let forge = ForgeStandIn::start(Kind::GitLab).await;
    let server = server_with(&[&forge], &[]).await;
    let down = vec![("retry-after", "17".to_owned())];
    forge.behave(ForgeBehaviour::Answer(503, down, String::new()));
    let problem = refused(upload(&forge, 80), &server, 502, "vcs_unreachable").await;
    assert_eq!(problem["retry_after"], "17");
    let detail = problem["detail"].as_str().unwrap();
    assert!(
        detail.contains("failed to check the token") && !detail.contains("VCS_API_URLS"),
        "{detail}"
    );
}

#[tokio::test]
async fn rate_limits_and_moved_projects_of_forges_are_recognised() {
    let message = |status, text: &str| {
        ForgeBehaviour::Answer(status, vec![], format!("{{\"message\":\"{text}\"}}"))
    };
    let github = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&github], &[]).await;
    github.behave(message(403, "You have exceeded a secondary rate limit."));
    refused(upload(&github, 80), &server, 502, "vcs_unreachable").await;
    let gitlab = ForgeStandIn::start(Kind::GitLab).await;
    let server = server_with(&[&gitlab], &[]).await;
    gitlab.behave(message(
        405,
        "Non GET methods are not allowed for moved projects",
    ));
    let problem = refused(
        upload(&gitlab, 80),
        &server,
        403,
        "token_not_for_repository",
    )
    .await;
    assert!(
        problem["detail"].as_str().unwrap().contains("has renamed"),
        "{problem}"
    );
}

#[tokio::test]
async fn a_forge_that_never_answers_or_never_ends_times_out() {
    for behaviour in [ForgeBehaviour::Silent, ForgeBehaviour::Dripping] {
        let forge = ForgeStandIn::start(Kind::GitLab).await;
        let server = server_with(&[&forge], &["vcs_call_seconds", "1"]).await;
        forge.behave(behaviour);
        let problem = refused(upload(&forge, 80), &server, 502, "vcs_unreachable").await;
        assert!(
            problem["detail"].as_str().unwrap().contains("in time"),
            "{problem}"
        );
    }
}

#[tokio::test]
async fn an_unreachable_forge_is_502() {
    let forge = ForgeStandIn::start(Kind::Gitea).await;
    let server = server_with(&[&forge], &[]).await;
    let upload = upload(&forge, 80);
    drop(forge);
    refused(upload, &server, 502, "vcs_unreachable").await;
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for status in [301, 302, 303, 307, 308] {
        let elsewhere = Untouched::listen();
        let forge = ForgeStandIn::start(Kind::GitHub).await;
        let server = server_with(&[&forge], &[]).await;
        let location = vec![("location", elsewhere.url())];
        forge.behave(ForgeBehaviour::Answer(status, location, String::new()));
        let problem = refused(upload(&forge, 80), &server, 502, "vcs_unreachable").await;
        assert!(!problem.to_string().contains(&elsewhere.url()), "{problem}");
        assert_eq!(forge.calls().len(), 1);
        elsewhere.assert_untouched();
    }
}

#[tokio::test]
async fn an_already_pending_status_also_proves_a_gitlab_token() {
    let forge = ForgeStandIn::start(Kind::GitLab).await;
    let server = server_with(&[&forge], &["vcs_accepted_seconds", "0"]).await;
    let message = "{\"message\":\"Cannot transition status via :enqueue from :pending (Reason(s): Status cannot transition via \\\"enqueue\\\")\"}";
    forge.behave(ForgeBehaviour::Answer(400, vec![], message.to_owned()));
    upload(&forge, 80).accepted(&server).await;
}
