//! The base of a push: the record that the service names, else the parent commit.

use super::{
    Job, installed,
    job::{Run, in_shells},
    newest,
    stand_in::StandIn,
};
use crate::harness::{Reachable, TOKEN, TestServer};
use serde_json::json;

const OK: (u16, Option<&str>, &str) = (201, None, r#"{"coverage":{"id":1,"percentage":50.0}}"#);

/// The hunk header of a commit that appends a line to a file of this many lines.
fn appended(to: usize) -> String {
    format!("@@ -{to},0 +{} @@", to + 1)
}

/// A repository in which each of these commits appends a line.
fn origin(commits: usize) -> (Job, Vec<String>) {
    let origin = Job::new();
    origin.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let mut hashes = vec![origin.head()];
    for number in 0..commits {
        let text = format!("one\ntwo\n{}", "more\n".repeat(number + 1));
        origin.write("src/fee.py", &text);
        hashes.push(origin.commit("more"));
    }
    (origin, hashes)
}

fn push<'a>(job: &'a Job, url: &str, branch: &str) -> Run<'a> {
    let reference = format!("refs/heads/{branch}");
    let named = [
        ("COVERAGE_TOKEN", TOKEN),
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_REPOSITORY", "acme/payments"),
        ("GITHUB_REF", &reference),
        ("GITHUB_REF_NAME", branch),
    ];
    job.write_coverage(&[(1, 1), (2, 0)]);
    job.upload_to(url).with(&named)
}

fn base(commit: &str) -> String {
    json!({"id": 9, "commit_hash": commit, "tree_hash": null, "created_at": "2026-04-05T17:15:59Z"})
        .to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_of_three_commits_sends_the_hunks_since_the_record_of_main() {
    let (origin, hashes) = origin(3);
    for (shell, depth) in in_shells(&["--depth=1", "--depth=2", "--no-tags"]) {
        let service = StandIn::start_with_base(&[OK], 200, base(&hashes[0])).await;
        let job = Job::clone_of(&origin, &[depth]);
        let event = job.bin().join("event.json");
        let before = json!({"before": hashes[0], "repository": {"default_branch": "main"}});
        std::fs::write(&event, before.to_string()).unwrap();
        let event = event.display().to_string();
        let run = push(&job, &service.url, "main").shell(shell);
        let ran = run.with(&[("GITHUB_EVENT_PATH", &event)]).run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);

        let asked = &service.asked()[0];
        assert_eq!(asked.headers["authorization"], format!("Bearer {TOKEN}"));
        for (name, value) in [
            ("org_name", "acme"),
            ("repo_name", "payments"),
            ("branch_name", "main"),
            ("language", "python"),
            ("commit_hash", &hashes[3]),
        ] {
            assert_eq!(asked.parameter(name).unwrap(), value);
        }
        // A clone names the parent of its oldest commit; the tip before the push is named by the CI system.
        let mut ancestors = vec![&hashes[2], &hashes[1], &hashes[0], &hashes[0]];
        match depth {
            "--depth=1" => drop(ancestors.drain(1..3)),
            "--depth=2" => drop(ancestors.drain(2..3)),
            _ => (),
        }
        let named = asked.parameter("ancestors").unwrap();
        assert_eq!(named.split(',').collect::<Vec<_>>(), ancestors, "{depth}");

        let arrived = &service.arrived()[0];
        assert_eq!(arrived.parameter("base_commit").unwrap(), hashes[0]);
        let tree = origin.git(&["rev-parse", &format!("{}^{{tree}}", hashes[0])]);
        assert_eq!(arrived.parameter("base_tree").unwrap(), tree);
        let changes = arrived.changes().unwrap();
        assert!(changes.contains("@@ -2,0 +3,3 @@"), "{depth}: {changes}");
        // A whole clone is not made shallow.
        let is_shallow = job.git(&["rev-parse", "--is-shallow-repository"]);
        assert_eq!(is_shallow == "true", depth != "--no-tags");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn at_most_fifty_ancestors_are_named() {
    let (origin, hashes) = origin(60);
    let service = StandIn::start_with_base(&[OK], 200, base(&hashes[40])).await;
    let job = Job::clone_of(&origin, &[]);
    let run = push(&job, &service.url, "main");
    let ran = run.with(&[("CI_COMMIT_BEFORE_SHA", &hashes[3])]).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    let named = service.asked()[0].parameter("ancestors").unwrap();
    let named: Vec<_> = named.split(',').collect();
    assert_eq!(named.len(), 50);
    assert_eq!((named[0], named[49]), (&*hashes[59], &*hashes[3]));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_answer_a_push_to_main_is_compared_with_its_parent() {
    let (origin, hashes) = origin(2);
    for (status, answer) in [(404, r#"{"code":"no_base"}"#), (502, "<html>"), (200, "{}")] {
        let service = StandIn::start_with_base(&[OK], status, answer.to_owned()).await;
        for depth in ["--depth=1", "--no-tags"] {
            let job = Job::clone_of(&origin, &[depth]);
            let ran = push(&job, &service.url, "main").run();
            assert_eq!(ran.code, 0, "{}", ran.printed);
            assert!(!ran.printed.contains("notice"), "{}", ran.printed);
        }
        for arrived in service.arrived() {
            assert_eq!(arrived.parameter("base_commit").unwrap(), hashes[1]);
            assert!(arrived.changes().unwrap().contains(&appended(3)));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_push_to_main_is_compared_with_nothing() {
    let (origin, _) = origin(2);
    let service = StandIn::start_with_base(&[OK], 404, r#"{"code":"no_base"}"#.to_owned()).await;
    let job = Job::clone_of(&origin, &[]);
    let ran = push(&job, &service.url, "feature").run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert_eq!(service.asked().len(), 1);
    let tag = [("GITHUB_REF", "refs/tags/v1"), ("GITHUB_REF_NAME", "v1")];
    let ran = push(&job, &service.url, "main").with(&tag).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert_eq!(service.asked().len(), 1, "a tag is no branch");
    for arrived in service.arrived() {
        assert!(arrived.parameter("base_commit").is_none());
        assert!(arrived.changes().is_none());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_that_nothing_can_be_compared_with_is_one_notice() {
    let (origin, hashes) = origin(1);
    let unknown = "0123456789abcdef0123456789abcdef01234567";
    let service = StandIn::start_with_base(&[OK], 200, base(unknown)).await;
    let job = Job::clone_of(&origin, &["--depth=1"]);
    // No right to fetch.
    job.git(&["remote", "set-url", "origin", "file:///nowhere"]);
    job.write("cover.out", "mode: set\nexample.com/fee.go:1.1,2.2 1 1\n");
    let run = push(&job, &service.url, "main");
    let ran = run.arguments(&["--commit", &hashes[1]]).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert_eq!(service.arrived().len(), 2, "{}", ran.printed);
    let notice = "notice: the changed lines are unknown: the commit before it cannot be fetched\n";
    assert_eq!(ran.printed.matches(notice).count(), 1, "{}", ran.printed);
    for arrived in service.arrived() {
        assert!(arrived.parameter("base_commit").is_none());
        assert!(arrived.changes().is_none());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_force_push_and_an_older_commit_are_compared_with_what_is_named() {
    let (origin, hashes) = origin(2);
    // The tip before a force push is on no branch any more; an older commit runs again.
    origin.git(&["checkout", "-q", "-b", "other", &hashes[0]]);
    origin.write("src/fee.py", "other\none\ntwo\n");
    let other = origin.commit("other");
    origin.git(&["update-ref", "refs/heads/main", &other]);
    let service = StandIn::start_with_base(&[OK], 200, base(&hashes[2])).await;
    for arguments in [
        ["--depth=1", "--branch=main"],
        ["--no-tags", "--branch=main"],
    ] {
        let job = Job::clone_of(&origin, &arguments);
        let ran = push(&job, &service.url, "main").run();
        assert_eq!(ran.code, 0, "{}", ran.printed);
    }
    for arrived in service.arrived() {
        let changes = arrived.changes().unwrap();
        assert_eq!(arrived.parameter("base_commit").unwrap(), hashes[2]);
        assert!(changes.contains("@@ -0,0 +1 @@"), "{changes}");
        assert!(changes.contains("@@ -3,2 +3,0 @@"), "{changes}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_that_changes_nothing_sends_empty_changes() {
    let (origin, hashes) = origin(1);
    origin.commit("empty");
    let service = StandIn::start_with_base(&[OK], 200, base(&hashes[1])).await;
    let job = Job::clone_of(&origin, &[]);
    let ran = push(&job, &service.url, "main").run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert_eq!(service.arrived()[0].changes().unwrap(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_names_the_last_record_of_main_and_keeps_the_hunks() {
    let server = TestServer::start().await;
    let url = server.url("");
    let (origin, hashes) = origin(4);
    for shell in installed() {
        let upload = |number: usize, depth: &str| {
            origin.git(&["update-ref", "refs/heads/main", &hashes[number]]);
            let job = Job::clone_of(&origin, &[depth]);
            let lines: Vec<_> = (1..=2 + number as u32).map(|line| (line, 1)).collect();
            let repo = format!("--repo={}", shell.concat().replace("--", "-"));
            let run = push(&job, &url, "main").shell(shell);
            job.write_coverage(&lines);
            let event = job.bin().join("event.json");
            let before = json!({"before": hashes[0], "repository": {"default_branch": "main"}});
            std::fs::write(&event, before.to_string()).unwrap();
            let event = event.display().to_string();
            let run = run.with(&[("GITHUB_EVENT_PATH", &event)]);
            let ran = run.arguments(&[&repo]).run();
            assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        };
        upload(0, "--depth=1");
        // Three commits in one push; the same job again; an older commit.
        for (number, depth) in [(3, "--depth=1"), (3, "--no-tags")] {
            upload(number, depth);
            let summary = newest(&server).await;
            assert_eq!(summary["record"]["commit_hash"], *hashes[number]);
            assert_eq!(summary["changed_lines"]["coverable"], 3, "{shell:?}");
            assert_eq!(summary["base"]["commit_hash"], *hashes[0], "{summary}");
        }
        upload(1, "--depth=1");
        let summary = newest(&server).await;
        assert_eq!(summary["record"]["commit_hash"], *hashes[1]);
        assert_eq!(summary["changed_lines"]["coverable"], 1, "{shell:?}");
    }
}
