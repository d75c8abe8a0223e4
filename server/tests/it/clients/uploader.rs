//! The uploader: the script as the service serves it, run by each shell in real git repositories, against a real service.

mod action;
mod base;
mod ci;
mod command;
mod faults;
mod files;
mod folders;
mod forks;
mod gitlab;
mod job;
mod names;
mod one_line;
mod pushes;
mod queues;
mod run_url;
mod secrets;
mod served;
mod settings;
mod stand_in;
mod tokens;

use crate::harness::{Reachable, TestServer};
pub use job::{Job, Ran};
use job::{SHELLS, installed};
use serde_json::Value;

/// The summary of the record that was updated last.
async fn newest(server: &TestServer) -> Value {
    let records = server.records().await;
    let newest = records
        .iter()
        .max_by_key(|record| record["updated_at"].to_string());
    let path = format!("/coverages-api/records/{}", newest.unwrap()["id"]);
    server.get_json(&path).await
}

/// Prints what is not tested here.
#[expect(clippy::print_stderr, reason = "a test is never skipped silently")]
pub fn say(text: &str) {
    eprintln!("{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_uploads_its_coverage_without_any_option_in_every_shell() {
    for shell in installed() {
        // A record of main from another history would be a notice: there is nothing to compare with.
        let server = TestServer::start().await;
        let job = Job::with_remote("git@git.example.com:acme/payments.git");
        job.write_coverage(&[(1, 1), (2, 0)]);
        let ran = job.upload(&server).shell(shell).run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        let summary = newest(&server).await;
        let record = &summary["record"];
        assert_eq!(record["org_name"], "acme");
        assert_eq!(record["repo_name"], "payments");
        assert_eq!(record["branch_name"], "main");
        assert_eq!(record["commit_hash"], *job.head());
        assert_eq!(record["commit_author"], "Kim Q.");
        assert_eq!(record["language"], "python");
        assert_eq!(record["percentage"], 50.0);
        assert_eq!(summary["paths"]["matched"], 1);
        let lines: Vec<_> = ran.printed.lines().collect();
        let url = summary["url"].as_str().unwrap();
        let head = job.head();
        assert_eq!(
            lines,
            [
                format!("coverage: acme/payments, branch main, commit {head}"),
                "coverage: python: coverage.xml with htmlcov".to_owned(),
                format!("coverage: {}", summary["text"].as_str().unwrap()),
                "coverage: gate: no rule is set".to_owned(),
                format!("coverage: {url}"),
            ],
            "{shell:?}"
        );
        let report = format!("/reports/{}/", record["id"]);
        assert!(server.get_text(&report).await.contains("the HTML report"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_programs_of_busybox_are_enough() {
    let Some(busybox) = job::find_program("busybox") else {
        return say("busybox is not installed: the uploader is not tested with its programs");
    };
    let server = TestServer::start().await;
    let job = Job::with_remote("git@git.example.com:acme/payments.git");
    job.write_coverage(&[(1, 1), (2, 0)]);
    let list = std::process::Command::new(&busybox).arg("--list").output();
    for name in String::from_utf8(list.unwrap().stdout).unwrap().lines() {
        std::os::unix::fs::symlink(&busybox, job.bin().join(name)).unwrap();
    }
    for name in ["curl", "git"] {
        let program = job::find_program(name).unwrap();
        std::os::unix::fs::symlink(program, job.bin().join(name)).unwrap();
    }
    let run = job.upload(&server).shell(&["busybox", "ash"]);
    let ran = run.path("/nowhere").run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert_eq!(newest(&server).await["record"]["percentage"], 50.0);
    let report = format!("/reports/{}/", newest(&server).await["record"]["id"]);
    assert!(server.get_text(&report).await.contains("the HTML report"));
}

#[test]
fn a_shell_that_is_not_installed_is_named() {
    let installed = installed();
    for shell in SHELLS {
        if !installed.contains(&shell) {
            say(&format!(
                "{shell:?} is not installed: the uploader is not tested with it (see scripts/with-shells.sh)"
            ));
        }
    }
    let is_complete = std::env::var_os("COVERAGE_TEST_SHELLS").is_some();
    assert!(!installed.is_empty());
    assert!(!is_complete || installed.len() == SHELLS.len());
}
