//! A forge's token changes the main branch only with a commit that the branch contains.

use super::{server_with, upload};
use crate::harness::{
    Archive, COMMIT, ForgeBehaviour, ForgeStandIn, GOOD, KINDS, Kind, Reachable, STATUSES_ONLY,
    TOKEN, TestServer, Upload,
};
use domain::RepositoryQuery;
use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::Barrier;

/// A commit that is outside the main branch if a test sets that.
const ELSEWHERE: &str = "89abcdef0123456789abcdef0123456789abcdef";

/// The commits of the current records.
async fn current(server: &TestServer) -> Vec<String> {
    let records = server.current_records().await;
    let commit = |record: &Value| record["commit_hash"].as_str().unwrap().to_owned();
    records.iter().map(commit).collect()
}

async fn sent(upload: Upload, server: &TestServer) -> Response {
    let response = upload.send(server).await;
    assert!(response.status().is_success(), "{:?}", response.status());
    response
}

fn notice(response: &Response) -> Option<&str> {
    let notice = response.headers().get("x-coverage-notice")?;
    Some(notice.to_str().unwrap())
}

fn with_statuses_only(upload: Upload) -> Upload {
    upload.authorization(Some(STATUSES_ONLY))
}

#[tokio::test]
async fn a_commit_outside_the_main_branch_is_stored_but_not_current() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        upload(&forge, 80).accepted(&server).await;
        forge.leave_out("main", ELSEWHERE);
        let outside = upload(&forge, 10).with("commit_hash", ELSEWHERE);
        let response = sent(outside, &server).await;
        let reason = format!(
            "{} says that the branch does not contain this commit.",
            name(kind)
        );
        assert_eq!(
            notice(&response),
            Some(&*format!(
                "Stored in the history, but not current: {reason}"
            ))
        );
        assert_eq!(response.status(), 201);
        let answer: Value = response.json().await.unwrap();
        assert_eq!(answer.as_object().unwrap().len(), 2, "{answer}");
        assert_eq!(
            answer["coverage"].as_object().unwrap().len(),
            10,
            "{answer}"
        );
        assert_eq!(answer["coverage"]["commit_hash"], ELSEWHERE);
        let listed: Vec<_> = answer["data"].as_array().unwrap().iter().collect();
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0]["commit_hash"], COMMIT);
        assert_eq!(current(&server).await, [COMMIT], "{kind:?}");
        assert_eq!(server.records().await.len(), 2, "the history has both");
        let row = server
            .store()
            .await
            .writer()
            .ledger(1)
            .await
            .unwrap()
            .remove(0);
        assert_eq!((row.status, row.code.as_str()), (201, "created"));
        assert!(
            row.detail
                .ends_with(&format!("but is not current: {reason}")),
            "{}",
            row.detail
        );
        let status = forge.calls().pop().unwrap().body["description"].clone();
        assert_eq!(status, json!(format!("10.00 %, not current: {reason}")));
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::GitHub => "GitHub",
        Kind::GitLab => "GitLab",
        Kind::Gitea => "Gitea",
    }
}

#[tokio::test]
async fn a_token_without_the_right_to_compare_is_told_which_right_to_grant() {
    for (kind, right) in [
        (Kind::GitHub, "contents: read"),
        (Kind::GitLab, "read_api"),
        (Kind::Gitea, "read:repository"),
    ] {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        let response = sent(with_statuses_only(upload(&forge, 80)), &server).await;
        assert!(notice(&response).unwrap().contains(right), "{response:?}");
        assert!(current(&server).await.is_empty());
        upload(&forge, 80).accepted(&server).await;
        assert_eq!(current(&server).await, [COMMIT], "the right was granted");
    }
}

/// Checks that the answer and the ledger say that the confirmed record with 80 % stayed unchanged.
async fn assert_kept(server: &TestServer, response: Response) {
    assert_eq!(response.status(), 200);
    let notice = notice(&response).unwrap().to_owned();
    assert!(
        notice.starts_with("Not stored, the confirmed record of this commit is unchanged: GitHub")
            && notice.contains("contents: read"),
        "{notice}"
    );
    let answer: Value = response.json().await.unwrap();
    assert_eq!(answer["coverage"]["percentage"], 80.0, "{answer}");
    let row = server
        .store()
        .await
        .writer()
        .ledger(1)
        .await
        .unwrap()
        .remove(0);
    assert_eq!((row.status, row.code.as_str()), (200, "kept"));
    assert!(
        row.detail
            .contains("was confirmed before and keeps its 80.00 %: "),
        "{}",
        row.detail
    );
}

#[tokio::test]
async fn without_the_right_the_current_main_record_cannot_be_replaced() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    upload(&forge, 80).accepted(&server).await;
    let before = (server.records().await, server.stored_files());
    let response = sent(with_statuses_only(upload(&forge, 10)), &server).await;
    assert_kept(&server, response).await;
    assert_eq!((server.records().await, server.stored_files()), before);
    let status = forge.calls().pop().unwrap().body["description"].clone();
    let status = status.as_str().unwrap();
    assert!(status.starts_with("80.00 %, unchanged: GitHub"), "{status}");
    upload(&forge, 90).accepted(&server).await;
    assert_eq!(server.records().await[0]["percentage"], 90.0);
}

#[tokio::test]
async fn without_the_right_no_commit_can_be_removed_from_the_trend() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    upload(&forge, 80).accepted(&server).await;
    let newer = upload(&forge, 81).with("commit_hash", ELSEWHERE);
    newer.accepted(&server).await;
    let shown = async || {
        let (records, files) = (server.records().await, server.stored_files());
        (records, files, points(&server).await)
    };
    let before = shown().await;
    let response = sent(with_statuses_only(upload(&forge, 10)), &server).await;
    assert_kept(&server, response).await;
    assert_eq!(shown().await, before);
}

#[tokio::test]
async fn without_the_right_a_retry_of_an_older_commit_is_not_current() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    upload(&forge, 80).accepted(&server).await;
    let newer = upload(&forge, 81).with("commit_hash", ELSEWHERE);
    newer.accepted(&server).await;
    let response = sent(with_statuses_only(upload(&forge, 10)), &server).await;
    assert_eq!(response.status(), 200);
    assert!(notice(&response).is_some());
    assert_eq!(current(&server).await, [ELSEWHERE]);
}

#[tokio::test]
async fn other_branches_and_tokens_of_this_service_are_never_compared() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &["--upload-token", TOKEN]).await;
    forge.behave_comparing(ForgeBehaviour::Answer(500, vec![], String::new()));
    let own = upload(&forge, 80).authorization(Some(TOKEN));
    sent(own, &server).await;
    let feature = upload(&forge, 81).with("branch_name", "feature/x");
    assert_eq!(notice(&sent(feature, &server).await), None);
    assert_eq!(server.current_records().await.len(), 2);
    assert!(forge.compared().is_empty());
}

#[tokio::test]
async fn a_future_main_branch_is_compared_by_its_full_name() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        let first = upload(&forge, 80).with("branch_name", "feature/ü #1?");
        assert!(
            notice(&sent(first, &server).await).is_some(),
            "git has no such names"
        );
        assert!(forge.compared().is_empty());
        let first = upload(&forge, 80).with("branch_name", "feature/ü#1");
        assert_eq!(notice(&sent(first, &server).await), None);
        forge.leave_out("main", ELSEWHERE);
        let main = upload(&forge, 10).with("commit_hash", ELSEWHERE);
        assert!(notice(&sent(main, &server).await).is_some());
        assert_eq!(current(&server).await, [COMMIT]);
        let compared = forge.compared();
        let names: Vec<_> = compared.iter().map(|call| call.branch.as_str()).collect();
        assert_eq!(names, ["feature/ü#1", "main"], "{kind:?}");
        assert_eq!(compared[0].repository, "acme/payments");
    }
}

#[tokio::test]
async fn names_that_mean_a_commit_are_not_branches() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        for name in ["HEAD", "main~0", "main^0", "main@{0}", "stranger:main"] {
            let upload = upload(&forge, 80).with("branch_name", name);
            assert!(notice(&sent(upload, &server).await).is_some(), "{name}");
        }
        assert!(forge.compared().is_empty());
        assert!(current(&server).await.is_empty());
    }
    let forge = ForgeStandIn::start(Kind::Gitea).await;
    let server = server_with(&[&forge], &[]).await;
    let itself = upload(&forge, 80).with("branch_name", COMMIT);
    assert!(notice(&sent(itself, &server).await).is_some());
    assert!(forge.compared().is_empty());
}

#[tokio::test]
async fn a_forge_that_cannot_compare_is_502_and_nothing_is_stored() {
    let limited = vec![("retry-after", "7".to_owned())];
    for behaviour in [
        ForgeBehaviour::Answer(500, vec![], String::new()),
        ForgeBehaviour::Answer(403, limited, String::new()),
        ForgeBehaviour::Answer(302, vec![("location", "/".to_owned())], String::new()),
        ForgeBehaviour::Answer(200, vec![], "<html>".to_owned()),
        ForgeBehaviour::HangUp,
        ForgeBehaviour::Silent,
    ] {
        let forge = ForgeStandIn::start(Kind::GitHub).await;
        let server = server_with(&[&forge], &["vcs_call_seconds", "1"]).await;
        forge.behave_comparing(behaviour.clone());
        let response = upload(&forge, 80).send(&server).await;
        assert_eq!(response.status(), 502, "{behaviour:?}");
        assert!(response.headers().contains_key("retry-after"));
        let problem: Value = response.json().await.unwrap();
        assert_eq!(problem["code"], "vcs_unreachable");
        assert!(server.records().await.is_empty());
        // Until a rate limit ends, the service calls the forge no more.
        let is_limited = matches!(behaviour, ForgeBehaviour::Answer(403, ..));
        let states: &[&str] = if is_limited {
            &["pending"]
        } else {
            &["pending", "error"]
        };
        assert_eq!(forge.states(), states, "{behaviour:?}");
        forge.behave_comparing(ForgeBehaviour::Documented);
    }
}

#[tokio::test]
async fn an_endless_comparison_means_the_commit_is_not_contained() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    forge.behave_comparing(ForgeBehaviour::Endless);
    let response = sent(upload(&forge, 80), &server).await;
    assert!(notice(&response).unwrap().contains("does not contain"));
}

#[tokio::test]
async fn a_forges_answer_about_a_commit_is_cached() {
    let forge = ForgeStandIn::start(Kind::GitLab).await;
    let server = server_with(&[&forge], &[]).await;
    for covered in [80, 81, 82] {
        upload(&forge, covered).accepted(&server).await;
    }
    assert_eq!(forge.compared().len(), 1);
}

#[tokio::test]
async fn comparisons_of_one_address_take_few_permits() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let arguments = [
        "concurrent_vcs_calls_per_address",
        "1",
        "vcs_call_seconds",
        "1",
    ];
    let server = server_with(&[&forge], &arguments).await;
    forge.behave_comparing(ForgeBehaviour::Together(Arc::new(Barrier::new(2))));
    // In a new repository each branch may become the main branch.
    let of = |branch| upload(&forge, 80).with("branch_name", branch);
    let (one, other) = (of("one"), of("other"));
    let (one, other) = tokio::join!(one.send(&server), other.send(&server));
    let statuses = [one.status(), other.status()];
    assert!(
        statuses.contains(&StatusCode::BAD_GATEWAY),
        "both were compared at the same time: {statuses:?}"
    );
}

/// The records in the trend of the main branch.
async fn points(server: &TestServer) -> Vec<i64> {
    let (repository, query) = ("acme/payments".parse().unwrap(), RepositoryQuery::default());
    let detail = server
        .store()
        .await
        .everything()
        .repository(&repository, &query)
        .await;
    let series = detail.unwrap().unwrap().trend.series.remove(0);
    series.points.iter().map(|point| point.record_id).collect()
}

#[tokio::test]
async fn records_that_are_not_current_change_no_trend_or_comparison() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &["--upload-token", TOKEN]).await;
    let at = |covered: u32, commit: char| {
        let commit = commit.to_string().repeat(40);
        upload(&forge, covered).with("commit_hash", &commit)
    };
    at(80, 'a').accepted(&server).await;
    at(81, 'b').accepted(&server).await;
    let before = server.get_text("/").await;
    let points = points(&server).await;
    assert_eq!(points.len(), 2);
    for commit in ['c', 'd', 'e'] {
        sent(with_statuses_only(at(10, commit)), &server).await;
    }
    assert_eq!(self::points(&server).await, points);
    let changes = |page: &str| page.matches("+1.00").count();
    assert_eq!(changes(&server.get_text("/").await), changes(&before));
    assert!(changes(&before) > 0, "{before}");
    at(82, 'f').accepted(&server).await;
    let last = forge.calls().pop().unwrap();
    let description = last.body["description"].as_str().unwrap().to_owned();
    assert_eq!(description, "82.00 % (+1.00 against the record before)");
}

#[tokio::test]
async fn retention_keeps_the_current_report_of_the_main_branch() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    let shown = upload(&forge, 80).accepted(&server).await["coverage"]["id"].clone();
    let outside = upload(&forge, 10).with("commit_hash", ELSEWHERE);
    sent(with_statuses_only(outside), &server).await;
    let mut prune = server.command(&["prune", "--keep-reports-per-branch", "1"]);
    let pruned = tokio::task::spawn_blocking(move || prune.output());
    assert!(pruned.await.unwrap().unwrap().status.success());
    let report = server.get(&format!("/reports/{shown}/index.html")).await;
    assert_eq!(report.status(), 200);
}

#[tokio::test]
async fn unconfirmed_records_never_make_a_branch_the_main_branch() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    let at = |branch: &str, commit: char| {
        let commit = commit.to_string().repeat(40);
        upload(&forge, 50)
            .with("branch_name", branch)
            .with("commit_hash", &commit)
    };
    for commit in ['a', 'b'] {
        at("next", commit).accepted(&server).await;
    }
    for commit in ['c', 'd', 'e', 'f'] {
        with_statuses_only(at("evil", commit))
            .accepted(&server)
            .await;
    }
    let repository = "acme/payments".parse().unwrap();
    let main = server
        .store()
        .await
        .everything()
        .main_branch(&repository)
        .await
        .unwrap();
    assert_eq!(main.unwrap().branch, Some("next".parse().unwrap()));
}

#[tokio::test]
async fn pages_say_that_an_unconfirmed_record_is_not_current() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    let page = async |path: &str| server.get(path).await.text().await.unwrap();
    let claim =
        "It is unconfirmed, so not current: nothing proved that the branch contains its commit.";
    sent(with_statuses_only(upload(&forge, 10)), &server).await;
    let alone = page("/records/1").await;
    assert!(alone.contains(claim), "{alone}");
    assert!(!alone.contains("current record</a>"), "there is none");
    upload(&forge, 80).accepted(&server).await;
    forge.leave_out("main", ELSEWHERE);
    let outside = upload(&forge, 10).with("commit_hash", ELSEWHERE);
    let response = sent(outside, &server).await;
    let beside = page(response.headers()["location"].to_str().unwrap()).await;
    assert!(beside.contains(claim), "{beside}");
    assert!(
        beside.contains("href=\"/records/1\""),
        "the current one: {beside}"
    );
    for wrong in ["has a newer record", "no longer active", "superseded by"] {
        assert!(!alone.contains(wrong) && !beside.contains(wrong), "{wrong}");
    }
    assert!(!page("/records/1").await.contains(claim), "it is confirmed");
    let history = page("/repos/acme/payments?tab=history").await;
    assert_eq!(history.matches(">unconfirmed<").count(), 1, "{history}");
    let uploads = page("/uploads?repo=acme%2Fpayments").await;
    assert!(uploads.contains("but is not current: "), "{uploads}");
}

#[tokio::test]
async fn an_upload_without_the_right_to_the_main_branch_brings_no_ignore_rules() {
    let forge = ForgeStandIn::start(KINDS[0]).await;
    let server = server_with(&[&forge], &[]).await;
    let lcov = "SF:src/a.c\nDA:1,1\nend_of_record\nSF:gen/b.c\nDA:1,0\nend_of_record\n";
    let upload = |commit: &str, settings: &str| {
        Upload::of(Archive::new().file("coverage.xml", lcov).tar_gz())
            .with("commit_hash", commit)
            .with("summary", "1")
            .with("vcs_api_url", &forge.api())
            .authorization(Some(&format!("Bearer {GOOD}")))
            .before("settings", settings.as_bytes())
    };
    let first = upload(COMMIT, "ignore = [\"gen/**\"]\n");
    first.accepted(&server).await;
    forge.leave_out("main", ELSEWHERE);
    let outside = upload(ELSEWHERE, "ignore = [\"src/**\"]\n");
    let answer = outside.accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], json!(100.0));
    assert_eq!(answer["summary"]["ignored"]["covered"], json!(0));
}
