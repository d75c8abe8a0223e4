//! `GET /ci/gitlab.yml`: its script, run as GitLab runs it.

use super::{Job, newest};
use crate::harness::{Reachable, TOKEN, TestServer};
use std::process::Command;

/// The script of the job in the template, with this value of the input `options`.
fn script(template: &str, options: &str) -> String {
    let (_, rest) = template.split_once("  script:\n    - |\n").unwrap();
    let lines = rest.lines().take_while(|line| line.starts_with("      "));
    let script: String = lines.map(|line| format!("{}\n", &line[6..])).collect();
    script.replace("$[[ inputs.options ]]", options)
}

/// Runs it as a job of merge request 7. A pipeline for merged results names the head of the source branch.
fn run(job: &Job, script: &str, url: &str, base: &str, merged: &str) -> String {
    let output = Command::new("bash")
        .args(["-eo", "pipefail", "-c", script])
        .current_dir(job.root())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("NO_PROXY", "127.0.0.1")
        .env("COVERAGE_URL", url)
        .env("COVERAGE_OUTPUT", "coverage-upload.env")
        .env("COVERAGE_IDENTITY", TOKEN)
        .env("GITLAB_CI", "true")
        .env("CI_PROJECT_PATH", "acme/payments")
        .env("CI_COMMIT_SHA", job.head())
        .env("CI_MERGE_REQUEST_IID", "7")
        .env("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "feature")
        .env("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")
        .env("CI_MERGE_REQUEST_DIFF_BASE_SHA", base)
        .env("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", merged)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shallow_clone_of_merged_results_has_marks_for_all_languages() {
    let server = TestServer::start().await;
    let template = server.get_text("/ci/gitlab.yml").await;
    let origin = Job::new();
    origin.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let base = origin.head();
    origin.git(&["checkout", "-q", "-b", "feature"]);
    origin.write("src/fee.py", "one\nand\ntwo\n");
    origin.write("src/a.ts", "x\n");
    let feature = origin.commit("add a file");
    origin.git(&["checkout", "-q", "main"]);
    origin.write("other.py", "x\n");
    origin.commit("other");
    origin.git(&["merge", "-q", "--no-ff", "-m", "merge", "feature"]);
    let job = Job::clone_of(&origin, &["--depth=1"]);
    let other =
        "<class filename=\"other.py\"><lines><line number=\"1\" hits=\"0\"/></lines></class>";
    let both = super::job::python(&[(2, 1)]).replace("<classes>", &format!("<classes>{other}"));
    job.write("coverage.xml", &both);
    job.write("lcov.info", "SF:src/a.ts\nDA:1,0\nend_of_record\n");
    let script = script(&template, "");
    run(&job, &script, &server.url(""), &base, &feature);
    let mut marks: Vec<_> = std::fs::read_dir(job.root())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().contains("/coverage-changed"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    marks.sort_unstable();
    assert_eq!(marks.len(), 2, "{marks:?}");
    for marks in &marks {
        assert_eq!(marks.matches("<class ").count(), 1, "{marks}");
    }
    let is_named = |path: &str| marks.iter().any(|marks| marks.contains(path));
    assert!(is_named("src/fee.py") && is_named("src/a.ts"), "{marks:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_template_uploads_and_writes_the_coverage_of_the_changed_files() {
    let server = TestServer::start().await;
    let template = server.get_text("/ci/gitlab.yml").await;
    let address = format!("COVERAGE_URL: '{}'", server.url(""));
    assert!(template.contains(&address), "{template}");
    let job = Job::new();
    let base = job.head();
    job.git(&["checkout", "-q", "-b", "feature"]);
    job.write("src/a & <b>.py", "x\n");
    job.commit("add a file");
    let other = "<class filename=\"src/a &amp; &lt;b&gt;.py\"><lines><line number=\"1\" hits=\"0\"/></lines></class>";
    let both = super::job::python(&[(1, 1)]).replace("<classes>", &format!("<classes>{other}"));
    job.write("coverage.xml", &both);
    let script = script(&template, "--part unit");
    let printed = run(&job, &script, &server.url(""), &base, "");
    // The line that the template's regular expression for the percentage finds.
    assert!(printed.contains("coverage: 50.00 %, 0 of 1"), "{printed}");
    let summary = newest(&server).await;
    assert_eq!(summary["parts"]["arrived"][0], "unit");
    assert_eq!(summary["pull_request"], "7");
    let written = std::fs::read_to_string(job.root().join("coverage-changed.xml")).unwrap();
    let named = "filename=\"src/a &amp; &lt;b>.py\"";
    let named = written.contains(named) || written.contains(&named.replace(">", "&gt;"));
    assert!(named, "{written}");
    assert!(!written.contains("src/fee.py"), "{written}");
    assert!(written.trim_end().ends_with("</coverage>"), "{written}");
}
