//! Forges that refuse, fail, or answer with something else: no upload fails, and the changed lines are unknown.

use super::*;
use crate::harness::{ForgeBehaviour, NO_COMMIT, STATUSES_ONLY, Untouched};
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_missing_right_to_read_pull_requests_is_named() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        forge.open(pull(kind));
        let server = start(&forge, &[]).await;
        // The first branch would be the main branch, and this token may not compare.
        upload().accepted(&server).await;
        let right = match kind {
            Kind::GitHub => "grant the token `contents: read` and `pull-requests: read`",
            Kind::GitLab => "grant the token the scope `read_api`",
            Kind::Gitea => "grant the token `read:repository`",
        };
        let may_not = of_pull(&forge).authorization(Some(STATUSES_ONLY));
        let answer = may_not.accepted(&server).await;
        unknown(&server, &answer, right).await;
        let other = of_pull(&forge)
            .with("pull_request", "8")
            .with("language", "c");
        let answer = other.accepted(&server).await;
        unknown(
            &server,
            &answer,
            "does not let the token read pull request 8",
        )
        .await;
    }
}

#[tokio::test]
async fn a_failing_forge_fails_no_upload() {
    let answer =
        |status, headers, body: &str| ForgeBehaviour::Answer(status, headers, body.to_owned());
    let limited = vec![("x-ratelimit-remaining", "0".to_owned())];
    for (behaviour, said) in [
        (answer(500, vec![], "{}"), "it failed with status 500"),
        (
            answer(429, vec![], "{}"),
            "the rate limit of GitHub is exceeded",
        ),
        (
            answer(403, limited, "{}"),
            "the rate limit of GitHub is exceeded",
        ),
        (answer(401, vec![], "{}"), "does not let the token read"),
        (
            answer(200, vec![], "<h1>Log in</h1>"),
            "its answer is not understood",
        ),
        (
            answer(200, vec![], "{\"head\":{\"sha\":\"main\"}}"),
            "its answer is not understood",
        ),
        (
            answer(200, vec![], "{\"head\":{\"sha\":\"../../../user\"}}"),
            "its answer is not understood",
        ),
        (
            answer(200, vec![], &"[".repeat(9 << 20)),
            "its answer is too large",
        ),
        (answer(204, vec![], ""), "its answer is not understood"),
        (ForgeBehaviour::HangUp, "it could not be reached"),
    ] {
        let forge = ForgeStandIn::start(Kind::GitHub).await;
        forge.open(pull(Kind::GitHub));
        let server = start(&forge, &[]).await;
        forge.behave_reading(behaviour);
        let answer = of_pull(&forge).accepted(&server).await;
        unknown(&server, &answer, said).await;
        assert_eq!(forge.read().len(), 1);
    }
}

#[tokio::test]
async fn a_slow_forge_delays_an_upload_only_for_a_limited_time() {
    for behaviour in [ForgeBehaviour::Silent, ForgeBehaviour::Dripping] {
        let forge = ForgeStandIn::start(Kind::GitLab).await;
        forge.open(pull(Kind::GitLab));
        let server = start(&forge, &["vcs_changes_seconds", "1"]).await;
        forge.behave_reading(behaviour);
        let start = Instant::now();
        let answer = of_pull(&forge).accepted(&server).await;
        assert!(
            start.elapsed() < Duration::from_secs(9),
            "a call may take ten"
        );
        assert_eq!(answer["summary"]["changed_lines"], Value::Null);
        assert_eq!(forge.read().len(), 1);
    }
}

#[tokio::test]
async fn no_other_host_is_asked_for_changes() {
    for status in [301, 302, 307] {
        let elsewhere = Untouched::listen();
        let forge = ForgeStandIn::start(Kind::Gitea).await;
        let server = start(&forge, &[]).await;
        let location = vec![("location", elsewhere.url())];
        forge.behave_reading(ForgeBehaviour::Answer(status, location, String::new()));
        let answer = of_pull(&forge).accepted(&server).await;
        unknown(&server, &answer, "which is not followed").await;
        elsewhere.assert_untouched();
    }
}

#[tokio::test]
async fn a_diff_of_a_forge_that_cannot_be_read_is_unknown() {
    let head = "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n";
    for (diff, said) in [
        (
            "<h1>Log in</h1>".to_owned(),
            "its diff cannot be read, line 1: expected",
        ),
        (
            format!("{head}@@ -1,9 +1,9 @@\n a\n-b\n"),
            "expected as many lines as",
        ),
        // Only the header lines: the context lines are unknown.
        (
            format!("{head}@@ -1,9 +1,9 @@\n"),
            "expected as many lines as",
        ),
        (
            "diff --git a/../x b/../x\n".to_owned(),
            "expected a path inside the repository",
        ),
        (
            format!("{}{}", whole_diff(), whole_diff()),
            "is there twice",
        ),
        (" ".repeat(9 << 20), "its answer is too large"),
    ] {
        let forge = ForgeStandIn::start(Kind::Gitea).await;
        let mut broken = pull(Kind::Gitea);
        broken.diff = Some(diff);
        forge.open(broken);
        let server = start(&forge, &[]).await;
        let answer = of_pull(&forge).accepted(&server).await;
        unknown(&server, &answer, said).await;
    }
}

#[tokio::test]
async fn a_merge_base_that_github_does_not_say_leaves_the_base_unknown() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let mut odd = pull(Kind::GitHub);
    odd.merge_base = "main".to_owned();
    forge.open(odd);
    let server = start(&forge, &[]).await;
    let answer = of_pull(&forge).accepted(&server).await;
    let changes = changes(&server, &answer).await;
    assert_eq!(
        (&changes["coverable"], &changes["base_commit"]),
        (&json!(3), &Value::Null)
    );
    let named = of_pull(&forge)
        .with("language", "c")
        .with("base_commit", NO_COMMIT);
    let answer = named.accepted(&server).await;
    unknown(&server, &answer, "starts at the base of the upload").await;
}
