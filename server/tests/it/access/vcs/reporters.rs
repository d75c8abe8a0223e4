//! Tokens that only report to a forge, and refusals that only the user can fix.

use super::{server_with, upload};
use crate::harness::{
    COMMIT, ForgeBehaviour, ForgeStandIn, GOOD, Kind, READS_ONLY, TOKEN, TestServer, Upload,
};
use std::{
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use tokio::time::sleep;

async fn server(forge: &ForgeStandIn, arguments: &[&str]) -> TestServer {
    server_with(&[forge], &[&["--upload-token", TOKEN], arguments].concat()).await
}

/// An upload with a token of this service and another one for the forge.
fn reporting(forge: &ForgeStandIn, token: &str) -> Upload {
    upload(forge, 80)
        .authorization(Some(TOKEN))
        .header("forge-authorization", token)
        .with("summary", "1")
}

async fn notices(server: &TestServer, upload: Upload) -> String {
    upload.accepted(server).await["summary"]["notices"].to_string()
}

#[tokio::test]
async fn refused_tokens_that_only_report_count_as_failed_attempts() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server(&forge, &["--failed-tries-per-address", "3"]).await;
    for number in 0..8 {
        let wrong = reporting(&forge, &format!("wrong-{number}")).with("pull_request", "7");
        let told = notices(&server, wrong).await;
        let expected = match number {
            0..3 => "does not accept this token",
            _ => "Too many attempts from your address",
        };
        assert!(told.contains(expected), "{number}: {told}");
    }
    let calls = forge.calls().len() + forge.read().len();
    assert_eq!(calls, 3, "one call for each token, then none");
}

#[tokio::test]
async fn wrong_tokens_that_only_report_delay_no_token_that_is_proven() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = Arc::new(server(&forge, &["concurrent_vcs_calls", "1"]).await);
    reporting(&forge, GOOD).accepted(&*server).await;
    let proven = forge.calls().len();
    forge.behave(ForgeBehaviour::Silent);
    let wrong = (0..3).map(|number| {
        let upload = reporting(&forge, &format!("wrong-{number}"));
        let server = server.clone();
        tokio::spawn(async move { upload.accepted(&*server).await })
    });
    let wrong: Vec<_> = wrong.collect();
    while forge.calls().len() == proven {
        sleep(Duration::from_millis(10)).await;
    }
    forge.behave(ForgeBehaviour::Documented);
    let told = notices(&server, reporting(&forge, GOOD)).await;
    assert_eq!(told, "[]");
    let arrived = forge.calls().len() - proven;
    assert!(wrong.iter().all(|upload| !upload.is_finished()));
    assert!(arrived > 1, "{arrived} calls");
    wrong.iter().for_each(|upload| upload.abort());
}

#[tokio::test]
async fn the_notice_names_the_right_that_a_token_needs_for_statuses() {
    for (kind, right) in [
        (Kind::GitHub, "`statuses: write`"),
        (Kind::GitLab, "the scope `api`"),
        (Kind::Gitea, "`write:repository`"),
    ] {
        let forge = ForgeStandIn::start(kind).await;
        let server = server(&forge, &[]).await;
        let told = notices(&server, reporting(&forge, READS_ONLY)).await;
        assert!(told.contains(right), "{told}");
        assert!(told.contains("for 30 seconds"), "{told}");
    }
}

#[tokio::test]
async fn a_rate_limit_of_github_is_a_notice_and_no_call_is_made_until_its_reset() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let reset = (now + Duration::from_secs(2_000)).as_secs().to_string();
    for status in [403, 429] {
        let forge = ForgeStandIn::start(Kind::GitHub).await;
        let server = server(&forge, &[]).await;
        let limited = vec![
            ("x-ratelimit-remaining", "0".to_owned()),
            ("x-ratelimit-reset", reset.clone()),
        ];
        forge.behave(ForgeBehaviour::Answer(status, limited, String::new()));
        for commit in [COMMIT, &"a".repeat(40)] {
            let upload = reporting(&forge, GOOD).with("commit_hash", commit);
            let told = notices(&server, upload).await;
            assert!(told.contains("The rate limit of GitHub"), "{told}");
        }
        assert_eq!(forge.calls().len(), 1, "the first call only");
        forge.behave(ForgeBehaviour::Documented);
        let other = upload(&forge, 80).authorization(Some(READS_ONLY));
        assert_eq!(
            other.refused(&server).await.0,
            403,
            "another token is asked"
        );
    }
}

#[tokio::test]
async fn a_renamed_repository_is_named_and_refused_for_good() {
    for (kind, location, named) in [
        (
            Kind::GitHub,
            "/repositories/42/statuses/x",
            "has renamed acme/payments;",
        ),
        (
            Kind::GitHub,
            "/repos/acme/billing/statuses/x",
            "has renamed acme/payments to acme/billing;",
        ),
        (
            Kind::Gitea,
            "/api/v1/repos/new/name/statuses/x",
            "has renamed acme/payments to new/name;",
        ),
    ] {
        for status in [301, 307, 308] {
            let forge = ForgeStandIn::start(kind).await;
            let server = server(&forge, &[]).await;
            let to = vec![("location", location.to_owned())];
            forge.behave(ForgeBehaviour::Answer(status, to, String::new()));
            let (code, problem) = upload(&forge, 80).refused(&server).await;
            assert_eq!(code, 403, "{problem}");
            assert_eq!(problem["code"], "token_not_for_repository");
            let detail = problem["detail"].as_str().unwrap();
            assert!(detail.contains(named), "{detail}");
            let told = notices(&server, reporting(&forge, "another")).await;
            assert!(told.contains(named), "{told}");
        }
    }
    // From HTTP to HTTPS: the operator's address is wrong.
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server(&forge, &[]).await;
    let same = format!("https://127.0.0.1/repos/acme/payments/statuses/{COMMIT}");
    forge.behave(ForgeBehaviour::Answer(
        301,
        vec![("location", same)],
        String::new(),
    ));
    assert_eq!(upload(&forge, 80).refused(&server).await.0, 502);
}

#[tokio::test]
async fn a_status_that_gitlab_does_not_change_is_not_blamed_on_the_address() {
    let forge = ForgeStandIn::start(Kind::GitLab).await;
    let server = server(&forge, &[]).await;
    let message = "{\"message\":\"Cannot transition status via :run from :canceled\"}";
    forge.behave(ForgeBehaviour::Answer(400, vec![], message.to_owned()));
    let told = notices(&server, reporting(&forge, GOOD)).await;
    assert!(told.contains("GitLab does not change the state"), "{told}");
    assert!(!told.contains("VCS_API_URLS"), "{told}");
}
