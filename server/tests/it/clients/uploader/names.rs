//! Names that a shell, a log or a query could take for something else.

use super::{Job, installed, newest};
use crate::harness::{Reachable, TestServer};

/// A branch, as an attacker can name it.
const BRANCH: &str = "fix/`$(touch pwned)`&a=b;'\"#%20+ü";

#[tokio::test(flavor = "multi_thread")]
async fn a_branch_with_the_signs_of_a_shell_is_uploaded_as_it_is_called() {
    let server = TestServer::start().await;
    let branch = "fix/`$(x)`;'\"&a=b#%20+ü";
    for shell in installed() {
        let job = Job::with_remote("git@git.example.com:acme/payments.git");
        job.write_coverage(&[(1, 1)]);
        job.git(&["checkout", "-q", "-b", branch]);
        let ran = job.upload(&server).shell(shell).run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        let summary = newest(&server).await;
        assert_eq!(summary["record"]["branch_name"], branch);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn options_and_variables_with_the_signs_of_a_shell_run_nothing() {
    let server = TestServer::start().await;
    for shell in installed() {
        let job = Job::with_remote("git@git.example.com:acme/payments.git");
        job.write_coverage(&[(1, 1)]);
        let github = [
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_REPOSITORY", "acme/payments"),
            ("GITHUB_REF_NAME", BRANCH),
            ("GITHUB_ACTOR", BRANCH),
        ];
        let run = job.upload(&server).shell(shell).with(&github);
        let ran = run
            .arguments(&["--author", BRANCH, "--language", "$(touch pwned)"])
            .run();
        assert_eq!(ran.code, 1, "{shell:?}: {}", ran.printed);
        assert!(ran.printed.contains("language"), "{}", ran.printed);
        let ran = job.upload(&server).shell(shell).with(&github).run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        assert!(!job.root().join("pwned").exists(), "{shell:?}");
        assert_eq!(newest(&server).await["record"]["branch_name"], BRANCH);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_with_a_line_break_reaches_the_service_and_no_line_of_the_log() {
    let server = TestServer::start().await;
    for shell in installed() {
        let job = Job::with_remote("git@git.example.com:acme/payments.git");
        job.write("src/a\n::error::b.py", "x\n");
        job.git(&["checkout", "-q", "-b", "feature"]);
        job.write("src/a\n::error::b.py", "x\ny\n");
        job.write("src/fee.py", "one\nand\ntwo\n");
        job.commit("two");
        job.write_coverage(&[(1, 1), (2, 0)]);
        // A coverage file in such a folder is left out.
        job.write("a\nb/coverage.xml", &super::job::python(&[(1, 1)]));
        let variables = [
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_REF", "refs/pull/7/head"),
            ("GITHUB_REPOSITORY", "acme/payments"),
            ("GITHUB_HEAD_REF", "feature"),
            ("GITHUB_BASE_REF", "main"),
        ];
        job.git(&["update-ref", "refs/remotes/origin/main", "main"]);
        let run = job.upload(&server).shell(shell).with(&variables);
        let ran = run.run();
        assert_eq!(ran.code, 0, "{shell:?}: {}", ran.printed);
        let prefixed = |line: &str| line.starts_with("coverage: ");
        assert!(ran.printed.lines().all(prefixed), "{}", ran.printed);
        let summary = newest(&server).await;
        assert_eq!(summary["changed_lines"]["coverable"], 1, "{shell:?}");
        let id = &summary["record"]["id"];
        let path = format!("/coverages-api/records/{id}/changes");
        let changes = server.get_json(&path).await;
        assert_eq!(changes["files"][0]["path"], "src/fee.py");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_ci_system_takes_as_a_command_is_not_printed() {
    let server = TestServer::start().await;
    let job = Job::with_remote("git@git.example.com:acme/payments.git");
    job.write_coverage(&[(1, 1)]);
    let ran = job
        .upload(&server)
        .arguments(&[
            "--branch",
            "a##vso[task.setvariable]b\u{1b}[31m",
            "--dry-run",
        ])
        .run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    assert!(!ran.printed.contains("##"), "{}", ran.printed);
    assert!(!ran.printed.contains('\u{1b}'), "{}", ran.printed);
    for shell in installed() {
        // What is left of a run of signs starts no command either.
        let path = "a###vso[task.prependpath]\u{202e}x#\u{2066}#[b\u{200f}\u{85}ü/coverage.xml";
        job.write(path, &super::job::python(&[(1, 1)]));
        let run = job.upload_to("http://127.0.0.1:9").shell(shell);
        let ran = run.arguments(&["--dry-run"]).run();
        let shown =
            "python, part a-vso-task.prependpath-x-b: a#vso[task.prependpath]x#[bü/coverage.xml";
        let shown = shown.split_once(": ").unwrap().1;
        assert!(ran.printed.contains(shown), "{shell:?}: {}", ran.printed);
        assert!(!ran.printed.contains("##"), "{}", ran.printed);
    }
}
