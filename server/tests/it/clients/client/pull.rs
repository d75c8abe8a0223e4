//! `coverage-dashboard pull`.

use super::{asks, measured, run_with};
use crate::{
    clients::uploader::Job,
    harness::{Reachable, TOKEN, TestServer},
};

const LCOV: &str = "SF:src/fee.py\nDA:1,1\nDA:2,0\n";

#[tokio::test(flavor = "multi_thread")]
async fn the_lines_of_the_nearest_record_are_printed_for_editors() {
    let server = TestServer::start().await;
    let job = measured(&server).await;
    let first = job.head();
    // Later commits have no record.
    job.write("src/other.py", "one\n");
    job.commit("other");
    for arguments in [
        &["pull"][..],
        &["pull", "--commit", &first],
        &[
            "pull",
            "--branch=main",
            "--format=lcov",
            "--language=python",
        ],
        &["pull", "--org=acme", "--repo=payments"],
    ] {
        let ran = asks(&job, &server, arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.notes);
        assert!(ran.out.contains(LCOV), "{arguments:?}: {}", ran.out);
        assert!(ran.notes.contains("(commit "), "{}", ran.notes);
        assert!(ran.notes.contains("50.0 % in python"), "{}", ran.notes);
    }
    let report = formats::read(
        asks(&job, &server, &["pull"]).out.as_bytes(),
        &formats::Limits::default(),
    );
    assert_eq!(report.expect("LCOV").total.basis_points(), 5_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_is_named_with_what_to_do() {
    let server = TestServer::start().await;
    let job = measured(&server).await;
    for (arguments, expected) in [
        (
            &["pull", "--commit=0123456789abcdef"][..],
            "acme/payments has no record of commit 0123456789abcdef",
        ),
        (
            &["pull", "--branch=none"],
            "acme/payments has no record of the branch none",
        ),
        (
            &["pull", "--language=go"],
            "acme/payments has no record of any commit of HEAD in go",
        ),
        (
            &["pull", "--repo=other"],
            "acme/other has no record of any commit of HEAD",
        ),
    ] {
        let ran = asks(&job, &server, arguments);
        assert_eq!(ran.code, 1, "{arguments:?}");
        assert!(ran.notes.contains(expected), "{arguments:?}: {}", ran.notes);
        assert_eq!(ran.out, "");
    }
    let elsewhere = Job::without_git();
    let ran = asks(&elsewhere, &server, &["pull"]);
    assert!(
        ran.code == 1 && ran.notes.contains("not a git repository"),
        "{}",
        ran.notes
    );
    let nameless = Job::new();
    let ran = asks(&nameless, &server, &["pull"]);
    assert!(ran.notes.contains("add --org and --repo"), "{}", ran.notes);
    let home = tempfile::tempdir().unwrap();
    let ran = run_with(&job, "http://127.0.0.1:9", home.path(), &["pull"]);
    assert!(
        ran.code == 1 && ran.notes.contains("does not answer"),
        "{}",
        ran.notes
    );
    let ran = run_with(&job, "", home.path(), &["pull"]);
    assert!(ran.notes.contains("set COVERAGE_URL"), "{}", ran.notes);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_has_not_changed_comes_from_the_cache() {
    let server = TestServer::start().await;
    let job = measured(&server).await;
    let home = tempfile::tempdir().unwrap();
    let pull = || run_with(&job, &server.url(""), home.path(), &["pull"]).out;
    let first = pull();
    let folder = home.path().join(".cache/coverage-dashboard");
    let answers = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    // What the service answers with 304 is what was kept.
    for path in answers {
        let text = std::fs::read_to_string(&path).unwrap();
        if text.contains("DA:1,1") {
            std::fs::write(&path, text.replace("DA:1,1", "DA:1,7")).unwrap();
        }
    }
    assert_eq!(pull(), first.replace("DA:1,1", "DA:1,7"));
    // Another upload changes the answer.
    job.write_coverage(&[(1, 1), (2, 1)]);
    assert_eq!(job.upload(&server).run().code, 0);
    assert!(pull().contains("DA:1,1\nDA:2,1\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn protected_reading_needs_a_token() {
    let server = TestServer::start_with(&["--upload-token", TOKEN, "--protect-reading"]).await;
    let job = measured(&server).await;
    let ran = asks(&job, &server, &["pull"]);
    assert_eq!(ran.code, 1);
    assert!(ran.notes.contains("401"), "{}", ran.notes);
    let created = server
        .command(&["token", "create", "--name=kim", "--for=read"])
        .output();
    let token = String::from_utf8(created.unwrap().stdout).unwrap();
    let ran = asks(&job, &server, &["pull", "--token", token.trim()]);
    assert_eq!(ran.code, 0, "{}", ran.notes);
    assert!(ran.out.contains(LCOV), "{}", ran.out);
}
