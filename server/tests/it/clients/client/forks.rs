//! The recipes of the manual for pull requests of forks, run as each CI system clones and names its variables. The service is only
//! read, and the job has no secret.

use crate::{
    clients::recipes::{block, script},
    clients::uploader::Job,
    harness::{BINARY, Reachable, TestServer},
};
use std::{path::Path, process::Command};

const PAGE: &str = include_str!("../../../../../docs/src/upload/forks.md");

/// The address of the service in the manual.
const MANUAL: &str = "https://coverage.example.com";

/// How a CI system clones a pull request, as arguments of git, and its variables.
struct System {
    heading: &'static str,
    git: &'static [&'static [&'static str]],
    variables: &'static [(&'static str, &'static str)],
}

/// The newest commit of the pull request alone.
const HEAD_ALONE: &[&[&str]] = &[
    &["fetch", "-q", "--depth=1", "origin", "refs/pull/7/head"],
    &["checkout", "-q", "--detach", "FETCH_HEAD"],
];

/// The merge of the pull request into its target alone.
const MERGE_ALONE: &[&[&str]] = &[
    &["fetch", "-q", "--depth=1", "origin", "refs/pull/7/merge"],
    &["checkout", "-q", "--detach", "FETCH_HEAD"],
];

/// All branches, and the pull request.
const ALL: &[&[&str]] = &[
    &["fetch", "-q", "origin"],
    &["fetch", "-q", "origin", "refs/pull/7/head"],
    &["checkout", "-q", "--detach", "FETCH_HEAD"],
];

const SYSTEMS: [System; 9] = [
    System {
        heading: "## GitHub Actions",
        git: MERGE_ALONE,
        variables: &[
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_REF", "refs/pull/7/merge"),
            ("GITHUB_BASE_REF", "main"),
        ],
    },
    System {
        heading: "## Gitea and Forgejo Actions",
        git: HEAD_ALONE,
        variables: &[
            ("GITHUB_ACTIONS", "true"),
            ("GITEA_ACTIONS", "true"),
            ("GITHUB_REF", "refs/pull/7/head"),
            ("GITHUB_BASE_REF", "main"),
        ],
    },
    System {
        heading: "## GitLab CI",
        git: HEAD_ALONE,
        variables: &[
            ("GITLAB_CI", "true"),
            ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"),
            ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "BASE"),
        ],
    },
    System {
        heading: "## Jenkins",
        git: &[
            &[
                "fetch",
                "-q",
                "origin",
                "+refs/heads/main:refs/remotes/origin/main",
            ],
            &["fetch", "-q", "origin", "refs/pull/7/head"],
            &["checkout", "-q", "--detach", "FETCH_HEAD"],
        ],
        variables: &[("CHANGE_ID", "7"), ("CHANGE_TARGET", "main")],
    },
    System {
        heading: "## Azure Pipelines",
        git: MERGE_ALONE,
        variables: &[
            ("TF_BUILD", "True"),
            ("BUILD_SOURCEBRANCH", "refs/pull/7/merge"),
            ("SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/main"),
        ],
    },
    System {
        heading: "## Bitbucket Pipelines",
        git: &[
            &[
                "fetch",
                "-q",
                "--depth=50",
                "origin",
                "+refs/heads/fix:refs/remotes/origin/fix",
            ],
            &["checkout", "-q", "-B", "fix", "origin/fix"],
        ],
        variables: &[
            ("BITBUCKET_PR_ID", "7"),
            ("BITBUCKET_PR_DESTINATION_BRANCH", "main"),
        ],
    },
    System {
        heading: "## CircleCI",
        git: ALL,
        variables: &[("CIRCLECI", "true"), ("CIRCLE_PR_NUMBER", "7")],
    },
    System {
        heading: "## Buildkite",
        git: ALL,
        variables: &[
            ("BUILDKITE", "true"),
            ("BUILDKITE_PULL_REQUEST_BASE_BRANCH", "main"),
        ],
    },
    System {
        heading: "## Woodpecker",
        git: HEAD_ALONE,
        variables: &[("CI", "woodpecker"), ("CI_COMMIT_TARGET_BRANCH", "main")],
    },
];

/// A repository with a pull request, whose target has moved on since.
fn forge() -> (Job, String) {
    let forge = Job::new();
    forge.write(
        "coverage-dashboard.toml",
        "[gate]\nchanged = 80\nchanged_min = 1\n",
    );
    let base = forge.commit("rules");
    forge.git(&["checkout", "-q", "-b", "fix"]);
    forge.write("src/fee.py", "one\ntwo\nthree\nfour\n");
    let head = forge.commit("three, four");
    forge.git(&["update-ref", "refs/pull/7/head", &head]);
    forge.git(&["checkout", "-q", "main"]);
    forge.write("src/tax.py", "one\n");
    forge.commit("another file");
    forge.git(&["checkout", "-q", "--detach"]);
    forge.git(&["merge", "-q", "--no-ff", "-m", "merge", "fix"]);
    forge.git(&["update-ref", "refs/pull/7/merge", "HEAD"]);
    forge.git(&["checkout", "-q", "main"]);
    (forge, base)
}

/// The clone of a job whose tests have run all lines of the change but the last, with a program from the service.
fn clone(system: &System, forge: &Path) -> Job {
    let job = Job::without_git();
    job.git(&["init", "-q", "-b", "main"]);
    let address = format!("file://{}", forge.display());
    job.git(&["remote", "add", "origin", &address]);
    for arguments in system.git {
        job.git(arguments);
    }
    job.write_coverage(&[(1, 1), (2, 1), (3, 1), (4, 0)]);
    job.replace("pytest", "#!/bin/sh\nexit 0\n");
    let get = format!(
        "#!/bin/sh\n[ \"$1 $2 $4\" = '-fsS -o {MANUAL}/download/x86_64-linux' ] && ln -s '{BINARY}' \"$3\"\n"
    );
    job.replace("curl", &get);
    job
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_gets_its_verdict_in_every_ci_system_as_the_manual_says() {
    let server = TestServer::start().await;
    let headings = PAGE.lines().filter(|line| line.starts_with("## "));
    let tested = SYSTEMS.iter().map(|system| system.heading);
    assert!(headings.eq(tested), "each recipe of the manual has a test");
    let (forge, base) = forge();
    for system in &SYSTEMS {
        let job = clone(system, &forge.root());
        let recipe = block(PAGE, system.heading);
        assert!(recipe.contains("COVERAGE_URL"), "{}", system.heading);
        let path = format!("{}:{}", job.bin().display(), std::env::var("PATH").unwrap());
        let variables = system.variables.iter().map(|(name, value)| match *value {
            "BASE" => (*name, base.as_str()),
            value => (*name, value),
        });
        let output = Command::new("bash")
            .args(["-eo", "pipefail", "-c", &script(recipe)])
            .current_dir(job.root())
            .env_clear()
            .env("PATH", path)
            .env("HOME", job.bin())
            .env("COVERAGE_URL", server.url(""))
            .env("NO_PROXY", "127.0.0.1")
            .envs(variables)
            .output()
            .unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        let notes = String::from_utf8(output.stderr).unwrap();
        let verdict = "coverage: 75.00 %, 1 of 2 changed lines, lost: unknown\n\
             coverage: gate: failed\n\
             coverage:   1 of 2 changed lines are covered, 80 % needs 2: src/fee.py 4\n";
        assert!(out.starts_with(verdict), "{}: {out}{notes}", system.heading);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{}: {out}{notes}",
            system.heading
        );
    }
    let mut database = server.database().await;
    let attempts: i64 = sqlx::query_scalar("select count(*) from uploads")
        .fetch_one(&mut database)
        .await
        .unwrap();
    assert_eq!(attempts, 0, "the service was only read");
}
