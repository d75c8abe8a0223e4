//! The comment of a pull request.

use super::*;
use crate::harness::{ForgeBehaviour, KINDS, Kind, READS_ONLY, STATUSES_ONLY, TOKEN};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Two lines, the second of which is not covered unless `covered`.
fn without_changes(forge: &ForgeStandIn, commit: &str, covered: bool) -> Upload {
    let lcov = format!(
        "SF:a.c\nDA:1,1\nDA:2,{}\nend_of_record\n",
        u8::from(covered)
    );
    Upload::of(Archive::new().file("coverage.xml", &lcov).tar_gz())
        .with("branch_name", "fix")
        .with("commit_hash", commit)
        .with("pull_request", "7")
        .with("summary", "1")
        .with("vcs_api_url", &forge.api())
        .authorization(Some(&format!("Bearer {GOOD}")))
}

/// The same, with changes that add the second line.
fn of_pull(forge: &ForgeStandIn, commit: &str, covered: bool) -> Upload {
    let diff = "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -1,0 +2 @@\n";
    without_changes(forge, commit, covered).before("changes", diff.as_bytes())
}

/// A full identifier of a commit.
fn commit(number: u8) -> String {
    format!("{number:040x}")
}

async fn on_main(server: &TestServer, forge: &ForgeStandIn) {
    upload(forge, 80).accepted(server).await;
}

/// The result for the comment in the answer to an upload, and the answer itself.
async fn told(server: &TestServer, upload: Upload) -> (String, Value) {
    let response = upload.send(server).await;
    let comment = response.headers().get("x-coverage-comment");
    let comment = comment.map_or("", |comment| comment.to_str().unwrap());
    let comment = comment.to_owned();
    assert!(response.status().is_success());
    (comment, response.json().await.unwrap())
}

fn has_notice(answer: &Value, text: &str) -> bool {
    let notices = answer["summary"]["notices"].as_array().unwrap();
    notices
        .iter()
        .any(|notice| notice.as_str().unwrap().contains(text))
}

#[tokio::test]
async fn a_pull_request_gets_one_comment_that_later_uploads_edit() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        on_main(&server, &forge).await;
        let (word, first) = told(&server, of_pull(&forge, &commit(1), false)).await;
        assert_eq!(
            (word.as_str(), &first["summary"]["notices"]),
            ("created", &json!([]))
        );
        let (word, second) = told(&server, of_pull(&forge, &commit(2), true)).await;
        assert_eq!(
            (word.as_str(), &second["summary"]["notices"]),
            ("updated", &json!([]))
        );
        let comments = forge.comments();
        let [comment] = &comments[..] else {
            panic!("{comments:?}");
        };
        assert_eq!(comment.pull, "7");
        assert!(
            comment.body.starts_with("<!-- coverage-dashboard"),
            "{comment:?}"
        );
        let markdown = second["summary"]["markdown"].as_str().unwrap();
        assert!(comment.body.ends_with(markdown), "{comment:?}");
        assert!(markdown.starts_with("**Coverage 100.00 %**"), "{markdown}");
        assert!(markdown.contains("changed lines **1 of 1**"), "{markdown}");
        let page = "[details](https://coverage.example.com/repos/acme/payments/pulls/7)";
        assert!(markdown.contains(page), "{markdown}");
        assert_eq!(forge.comment_calls().len(), 2);
    }
}

#[tokio::test]
async fn every_language_of_the_commit_has_a_section() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    of_pull(&forge, &commit(1), false).accepted(&server).await;
    let other = of_pull(&forge, &commit(1), true).with("language", "go");
    let answer = other.accepted(&server).await;
    let body = &forge.comments()[0].body;
    for language in ["go: 100.00 %", "rust: 50.00 %"] {
        assert!(
            body.contains(&format!("**Coverage of {language}**")),
            "{body}"
        );
    }
    assert!(body.ends_with(answer["summary"]["markdown"].as_str().unwrap()));
}

#[tokio::test]
async fn a_late_job_of_an_older_commit_does_not_change_the_comment() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    of_pull(&forge, &commit(1), false).accepted(&server).await;
    of_pull(&forge, &commit(2), true).accepted(&server).await;
    let before = forge.comments();
    let late = of_pull(&forge, &commit(1), false).with("language", "go");
    assert_eq!(told(&server, late).await.0, "none");
    assert_eq!(forge.comments(), before);
}

#[tokio::test]
async fn without_anything_to_say_there_is_no_comment_but_an_existing_one_is_edited() {
    let forge = ForgeStandIn::start(Kind::Gitea).await;
    let server = server_with(&[&forge], &[]).await;
    let quiet = |number| without_changes(&forge, &commit(number), true).before("changes", b"");
    assert_eq!(told(&server, quiet(1)).await.0, "none");
    assert_eq!(forge.comment_calls(), [""; 0]);
    of_pull(&forge, &commit(2), false).accepted(&server).await;
    quiet(3).accepted(&server).await;
    let comments = forge.comments();
    assert_eq!(comments.len(), 1);
    assert!(
        comments[0].body.contains("**Coverage 100.00 %**"),
        "{comments:?}"
    );
}

#[tokio::test]
async fn a_deleted_comment_is_created_again_and_one_edited_by_hand_is_replaced() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        of_pull(&forge, &commit(1), false).accepted(&server).await;
        forge.delete_comments();
        let again = told(&server, of_pull(&forge, &commit(2), false)).await;
        assert_eq!(again.0, "created");
        assert_eq!(forge.comments().len(), 1);
    }
}

#[tokio::test]
async fn a_missing_right_is_named_and_nothing_else_fails() {
    for (kind, right) in [
        (Kind::GitHub, "`pull-requests: write`"),
        (Kind::GitLab, "a job token may not comment"),
        (Kind::Gitea, "`write:issue`"),
    ] {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        let token = format!("Bearer {STATUSES_ONLY}");
        let upload = of_pull(&forge, &commit(1), false).authorization(Some(&token));
        let answer = upload.accepted(&server).await;
        assert!(has_notice(&answer, right), "{answer}");
        assert!(
            answer["summary"]["markdown"]
                .as_str()
                .unwrap()
                .contains("**Coverage")
        );
        // A token with the right then creates it.
        let again = told(&server, of_pull(&forge, &commit(2), false)).await;
        assert_eq!(again.0, "created");
    }
}

#[tokio::test]
async fn a_forge_that_refuses_fails_or_hangs_does_not_fail_the_upload() {
    let answer = |status| ForgeBehaviour::Answer(status, Vec::new(), "{}".to_owned());
    for (behaviour, reason) in [
        (answer(401), "no longer accepts the token"),
        (answer(422), "answered with 422"),
        (answer(429), "the rate limit of GitHub is exceeded"),
        (answer(503), "answered with 503"),
        (answer(201), "without a comment id"),
        (ForgeBehaviour::Endless, "larger than"),
    ] {
        let forge = ForgeStandIn::start(Kind::GitHub).await;
        let server = server_with(&[&forge], &[]).await;
        forge.behave_commenting(behaviour);
        let answer = of_pull(&forge, &commit(1), false).accepted(&server).await;
        assert!(has_notice(&answer, reason), "{reason}: {answer}");
        assert!(has_notice(
            &answer,
            "The comment of pull request 7 was not written: "
        ));
    }
}

#[tokio::test]
async fn a_comment_whose_answer_was_lost_is_found_by_its_marker_and_author() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        // The author of the service's comments is known from another pull request.
        let other = of_pull(&forge, &commit(9), false).with("pull_request", "8");
        other.accepted(&server).await;
        forge.behave_commenting(ForgeBehaviour::HangUp);
        of_pull(&forge, &commit(1), false).accepted(&server).await;
        forge.behave_commenting(ForgeBehaviour::Documented);
        let lost = forge.comments().last().unwrap().clone();
        // Anybody can write the marker.
        forge.add_comment("7", "mallory", &lost.body);
        of_pull(&forge, &commit(2), true).accepted(&server).await;
        let comments = forge.comments();
        assert_eq!(comments.len(), 3, "{comments:?}");
        assert!(
            comments[1].body.contains("**Coverage 100.00 %**"),
            "{comments:?}"
        );
        assert_eq!(comments[2].body, lost.body, "of mallory");
    }
}

#[tokio::test]
async fn uploads_at_the_same_time_write_one_comment_about_all_of_them() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    let languages = ["go", "python", "rust", "c", "java", "ruby"];
    let uploads = languages.map(|language| {
        let upload = of_pull(&forge, &commit(1), false).with("language", language);
        let server = &server;
        async move { upload.accepted(server).await }
    });
    let answers = futures::future::join_all(uploads).await;
    assert_eq!(answers.len(), languages.len());
    let comments = forge.comments();
    assert_eq!(comments.len(), 1, "{comments:?}");
    for language in languages {
        let section = format!("**Coverage of {language}: 50.00 %**");
        assert!(
            comments[0].body.contains(&section),
            "{section}: {comments:?}"
        );
    }
    let leased: i64 = sqlx::query_scalar("select leased_until from pull_request_comments")
        .fetch_one(&mut server.database().await)
        .await
        .unwrap();
    assert_eq!(json!(leased), json!(0));
}

/// The same upload with a token of the service, beside which the job sends its forge token.
fn beside(forge: &ForgeStandIn, forge_token: &str) -> Upload {
    of_pull(forge, &commit(1), false)
        .authorization(Some(&format!("Bearer {TOKEN}")))
        .header("forge-authorization", &format!("Bearer {forge_token}"))
}

#[tokio::test]
async fn the_forge_token_of_a_job_reports_beside_a_token_of_the_service() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &["--upload-token", TOKEN]).await;
        assert_eq!(told(&server, beside(&forge, GOOD)).await.0, "created");
        let contexts: Vec<_> = forge
            .calls()
            .iter()
            .map(|call| name_of(&call.body))
            .collect();
        assert_eq!(contexts, ["coverage/rust", "coverage"]);
        assert_eq!(forge.comments().len(), 1);
    }
}

fn name_of(status: &Value) -> String {
    let name = status.get("context").or(status.get("name"));
    name.and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_forge_token_without_rights_is_named_and_gives_none() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &["--upload-token", TOKEN]).await;
    let answer = beside(&forge, READS_ONLY).accepted(&server).await;
    let status = "The commit status was not written: GitHub does not let this token write a commit status to acme/payments";
    assert!(has_notice(&answer, status), "{answer}");
    assert!(has_notice(&answer, "`pull-requests: write`"), "{answer}");
    // It does not upload by itself.
    let refused = beside(&forge, GOOD).authorization(Some("Bearer wrong"));
    assert_eq!(refused.send(&server).await.status(), 401);
}

#[tokio::test]
async fn nothing_is_sent_to_a_forge_that_is_not_listed() {
    let (listed, other) = (
        ForgeStandIn::start(Kind::GitHub).await,
        ForgeStandIn::start(Kind::GitHub).await,
    );
    let server = server_with(&[&listed], &["--upload-token", TOKEN]).await;
    let answer = beside(&other, GOOD).accepted(&server).await;
    assert!(
        has_notice(&answer, "vcs_api_url is not in VCS_API_URLS"),
        "{answer}"
    );
    assert!(other.calls().is_empty() && other.comment_calls().is_empty());
    let without = beside(&listed, GOOD).without("vcs_api_url");
    let answer = without.accepted(&server).await;
    assert!(
        has_notice(&answer, "needs the parameter vcs_api_url"),
        "{answer}"
    );
    assert!(listed.calls().is_empty() && listed.comment_calls().is_empty());
}

#[tokio::test]
async fn a_silent_forge_delays_the_answer_only_once() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &["--upload-token", TOKEN]).await;
    forge.behave(ForgeBehaviour::Silent);
    forge.behave_commenting(ForgeBehaviour::Silent);
    let since = Instant::now();
    let (word, answer) = told(&server, beside(&forge, GOOD)).await;
    // One call alone may take ten seconds; two statuses and a comment are written.
    assert!(
        since.elapsed() < Duration::from_secs(9),
        "{:?}",
        since.elapsed()
    );
    assert_eq!(word, "not written");
    assert!(has_notice(
        &answer,
        "is still being written: the forge is slow."
    ));
}
