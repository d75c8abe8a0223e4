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
    let head = job.commit("add a file");
    let other = "<class filename=\"src/a &amp; &lt;b&gt;.py\"><lines><line number=\"1\" hits=\"0\"/></lines></class>";
    let both = super::job::python(&[(1, 1)]).replace("<classes>", &format!("<classes>{other}"));
    job.write("coverage.xml", &both);
    let output = Command::new("bash")
        .args(["-eo", "pipefail", "-c", &script(&template, "--part unit")])
        .current_dir(job.root())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("NO_PROXY", "127.0.0.1")
        .env("COVERAGE_URL", server.url(""))
        .env("COVERAGE_OUTPUT", "coverage-upload.env")
        .env("COVERAGE_IDENTITY", TOKEN)
        .env("GITLAB_CI", "true")
        .env("CI_PROJECT_PATH", "acme/payments")
        .env("CI_COMMIT_SHA", &head)
        .env("CI_MERGE_REQUEST_IID", "7")
        .env("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "feature")
        .env("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")
        .env("CI_MERGE_REQUEST_DIFF_BASE_SHA", &base)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let printed = String::from_utf8_lossy(&output.stdout);
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
