//! Merge queues: the branch, the commit and the base that the script sends.

use super::{Job, job::in_shells};
use crate::harness::TestServer;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_of_a_queue_names_its_branch_its_commit_and_the_entry_before() {
    let server = TestServer::start().await;
    let job = Job::new();
    job.git(&["checkout", "-q", "-b", "feature"]);
    job.write("src/fee.py", "one\ntwo\nthree\n");
    let feature = job.commit("three");
    job.git(&["checkout", "-q", "--detach", "main"]);
    job.write("src/other.py", "x\n");
    let before = job.commit("the entry before");
    job.git(&["merge", "-q", "--no-ff", "-m", "entry", "feature"]);
    let head = job.head();
    job.write_coverage(&[(1, 1), (2, 1), (3, 0)]);
    let queue = format!("gh-readonly-queue/release/1.0/pr-7-{before}");
    let full_name = format!("refs/heads/{queue}");
    let github = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_EVENT_NAME", "merge_group"),
        ("GITHUB_REPOSITORY", "acme/payments"),
        ("GITHUB_SHA", &head),
        ("GITHUB_REF", &full_name),
        ("GITHUB_REF_NAME", &queue),
    ];
    // An event states the commit too.
    let other = format!("gh-readonly-queue/release/1.0/pr-7-{feature}");
    let event = json!({"action": "checks_requested", "merge_group": {"head_sha": head, "base_sha": before}});
    job.replace("event.json", &event.to_string());
    let (other_name, event) = (format!("refs/heads/{other}"), job.bin().join("event.json"));
    let of_event = [
        ("GITHUB_REF", other_name.as_str()),
        ("GITHUB_REF_NAME", &other),
        ("GITHUB_EVENT_PATH", event.to_str().unwrap()),
    ];
    let of_event = [&github[..], &of_event].concat();
    let gitlab = [
        ("GITLAB_CI", "true"),
        ("CI_PROJECT_PATH", "acme/payments"),
        ("CI_COMMIT_SHA", &head),
        ("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", &feature),
        ("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "feature"),
        ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"),
        ("CI_MERGE_REQUEST_IID", "7"),
        ("CI_MERGE_REQUEST_EVENT_TYPE", "merge_train"),
        ("CI_MERGE_REQUEST_REF_PATH", "refs/merge-requests/7/train"),
        ("CI_MERGE_REQUEST_SOURCE_PROJECT_PATH", "fork/payments"),
        ("CI_MERGE_REQUEST_PROJECT_PATH", "acme/payments"),
    ];
    let train = "refs/merge-requests/7/train";
    let variants = [
        (&github[..], queue.as_str(), "release/1.0"),
        (&of_event, &other, "release/1.0"),
        (&gitlab[..], train, "main"),
    ];
    for (shell, (variables, branch, target)) in in_shells(&variants) {
        let run = job.upload(&server).shell(shell).with(variables);
        let printed = run.arguments(&["--dry-run"]).run().printed;
        for sent in [
            format!(" branch_name={branch} "),
            format!(" commit_hash={head} "),
            format!(" target_branch={target} "),
            format!(" base_commit={before} "),
        ] {
            assert!(printed.contains(&sent), "{shell:?}, {sent}: {printed}");
        }
    }
}
