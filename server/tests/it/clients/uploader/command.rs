//! `coverage-dashboard upload`.

use super::{Job, newest};
use crate::harness::{BINARY, Reachable, TOKEN, TestServer};
use std::process::{Command, Output};

fn run(job: &Job, url: &str, arguments: &[&str]) -> Output {
    Command::new(BINARY)
        .arg("upload")
        .args(arguments)
        .current_dir(job.root())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("NO_PROXY", "127.0.0.1")
        .env("COVERAGE_URL", url)
        .env("COVERAGE_TOKEN", TOKEN)
        .output()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_upload_runs_the_script_with_its_options_and_exit_code() {
    let server = TestServer::start().await;
    let job = Job::with_remote("git@git.example.com:acme/payments.git");
    let none = run(&job, &server.url(""), &[]);
    let printed = String::from_utf8(none.stdout).unwrap();
    assert_eq!(none.status.code(), Some(1));
    assert!(printed.contains("error: no coverage file"), "{printed}");
    job.write_coverage(&[(1, 1)]);
    let done = run(
        &job,
        &server.url(""),
        &["--part=unit", "--branch", "b c", "coverage.xml"],
    );
    let printed = String::from_utf8(done.stdout).unwrap();
    assert_eq!(done.status.code(), Some(0), "{printed}");
    let summary = newest(&server).await;
    assert_eq!(summary["record"]["branch_name"], "b c");
    assert_eq!(summary["parts"]["arrived"][0], "unit");
}

#[test]
fn the_help_of_the_command_upload_is_that_of_the_script() {
    let help = run(&Job::new(), "", &["--help"]);
    let printed = String::from_utf8(help.stdout).unwrap();
    assert!(help.status.success());
    assert!(printed.starts_with("Usage: upload.sh"), "{printed}");
    for option in [
        "--part",
        "--parts",
        "--finish",
        "--dry-run",
        "--fail-on",
        "--org",
        "--repo",
        "--branch",
        "--commit",
        "--author",
        "--language",
    ] {
        assert!(printed.contains(option), "{option}");
    }
}
