//! The variables of each CI system: every row sets the variables of one system in a real repository.

use super::{Job, installed, newest};
use crate::harness::TestServer;

/// A CI system with the variables of a job. `HEAD` stands for the commit that is checked out.
struct Row {
    variables: &'static [(&'static str, &'static str)],
    org: &'static str,
    repo: &'static str,
    branch: &'static str,
    pull: &'static str,
    target: &'static str,
}

impl Row {
    const fn push(variables: &'static [(&'static str, &'static str)]) -> Self {
        Self {
            variables,
            org: "acme",
            repo: "payments",
            branch: "feature/x",
            pull: "",
            target: "",
        }
    }

    const fn pull(
        variables: &'static [(&'static str, &'static str)],
        target: &'static str,
    ) -> Self {
        Self {
            pull: "7",
            target,
            ..Self::push(variables)
        }
    }
}

const ROWS: &[Row] = &[
    Row::push(&[
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_REPOSITORY", "acme/payments"),
        ("GITHUB_SHA", "HEAD"),
        ("GITHUB_REF", "refs/heads/feature/x"),
        ("GITHUB_REF_NAME", "feature/x"),
    ]),
    Row::pull(
        &[
            ("GITHUB_ACTIONS", "true"),
            ("GITEA_ACTIONS", "true"),
            ("GITHUB_REPOSITORY", "acme/payments"),
            ("GITHUB_SHA", "HEAD"),
            ("GITHUB_REF", "refs/pull/7/head"),
            ("GITHUB_REF_NAME", "7/head"),
            ("GITHUB_HEAD_REF", "feature/x"),
            ("GITHUB_BASE_REF", "main"),
        ],
        "main",
    ),
    Row {
        branch: "refs/tags/v1",
        ..Row::push(&[
            ("FORGEJO_ACTIONS", "true"),
            ("GITHUB_REPOSITORY", "acme/payments"),
            ("GITHUB_SHA", "HEAD"),
            ("GITHUB_REF", "refs/tags/v1"),
            ("GITHUB_REF_NAME", "v1"),
        ])
    },
    Row {
        org: "acme/platform",
        ..Row::push(&[
            ("GITLAB_CI", "true"),
            ("CI", "true"),
            ("CI_PROJECT_PATH", "acme/platform/payments"),
            ("CI_COMMIT_SHA", "HEAD"),
            ("CI_COMMIT_BRANCH", "feature/x"),
        ])
    },
    Row::pull(
        &[
            ("GITLAB_CI", "true"),
            ("CI_PROJECT_PATH", "acme/payments"),
            ("CI_COMMIT_SHA", "HEAD"),
            ("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "feature/x"),
            ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"),
            ("CI_MERGE_REQUEST_IID", "7"),
            ("CI_MERGE_REQUEST_SOURCE_PROJECT_PATH", "acme/payments"),
            ("CI_MERGE_REQUEST_PROJECT_PATH", "acme/payments"),
        ],
        "main",
    ),
    Row {
        branch: "refs/tags/v1",
        ..Row::push(&[
            ("GITLAB_CI", "true"),
            ("CI_PROJECT_PATH", "acme/payments"),
            ("CI_COMMIT_SHA", "HEAD"),
            ("CI_COMMIT_TAG", "v1"),
        ])
    },
    Row::push(&[
        ("JENKINS_URL", "https://jenkins.example.com/"),
        (
            "GIT_URL",
            "https://kim:s3cret@git.example.com:8443/acme/payments.git",
        ),
        ("GIT_COMMIT", "HEAD"),
        ("GIT_BRANCH", "origin/feature/x"),
    ]),
    Row::pull(
        &[
            ("JENKINS_URL", "https://jenkins.example.com/"),
            ("GIT_URL", "ssh://git@git.example.com/acme/payments"),
            ("GIT_COMMIT", "HEAD"),
            ("BRANCH_NAME", "PR-7"),
            ("CHANGE_BRANCH", "feature/x"),
            ("CHANGE_ID", "7"),
            ("CHANGE_TARGET", "main"),
        ],
        "main",
    ),
    Row::pull(
        &[
            ("CIRCLECI", "true"),
            ("CIRCLE_PROJECT_USERNAME", "acme"),
            ("CIRCLE_PROJECT_REPONAME", "payments"),
            ("CIRCLE_SHA1", "HEAD"),
            ("CIRCLE_BRANCH", "feature/x"),
            (
                "CIRCLE_PULL_REQUEST",
                "https://git.example.com/acme/payments/pull/7",
            ),
        ],
        "",
    ),
    Row {
        branch: "pull/7",
        ..Row::pull(
            &[
                ("CIRCLECI", "true"),
                ("CIRCLE_PROJECT_USERNAME", "acme"),
                ("CIRCLE_PROJECT_REPONAME", "payments"),
                ("CIRCLE_SHA1", "HEAD"),
                ("CIRCLE_BRANCH", "main"),
                ("CIRCLE_PR_NUMBER", "7"),
            ],
            "",
        )
    },
    Row::push(&[
        ("TF_BUILD", "True"),
        ("BUILD_REPOSITORY_NAME", "acme/payments"),
        ("BUILD_SOURCEVERSION", "HEAD"),
        ("BUILD_SOURCEBRANCH", "refs/heads/feature/x"),
    ]),
    Row::pull(
        &[
            ("TF_BUILD", "True"),
            ("BUILD_REPOSITORY_NAME", "acme/payments"),
            (
                "BUILD_SOURCEVERSION",
                "0123456789abcdef0123456789abcdef01234567",
            ),
            ("BUILD_SOURCEBRANCH", "refs/pull/7/merge"),
            ("SYSTEM_PULLREQUEST_SOURCEBRANCH", "refs/heads/feature/x"),
            ("SYSTEM_PULLREQUEST_SOURCECOMMITID", "HEAD"),
            ("SYSTEM_PULLREQUEST_PULLREQUESTNUMBER", "7"),
            ("SYSTEM_PULLREQUEST_PULLREQUESTID", "99"),
            ("SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/main"),
        ],
        "main",
    ),
    Row::pull(
        &[
            ("BITBUCKET_BUILD_NUMBER", "12"),
            ("BITBUCKET_REPO_FULL_NAME", "acme/payments"),
            ("BITBUCKET_COMMIT", "HEAD"),
            ("BITBUCKET_BRANCH", "feature/x"),
            ("BITBUCKET_PR_ID", "7"),
            ("BITBUCKET_PR_DESTINATION_BRANCH", "main"),
        ],
        "main",
    ),
    Row::push(&[
        ("BUILDKITE", "true"),
        ("BUILDKITE_REPO", "git@git.example.com:acme/payments.git"),
        ("BUILDKITE_COMMIT", "HEAD"),
        ("BUILDKITE_BRANCH", "feature/x"),
        ("BUILDKITE_PULL_REQUEST", "false"),
        ("BUILDKITE_PULL_REQUEST_BASE_BRANCH", ""),
    ]),
    Row::pull(
        &[
            ("BUILDKITE", "true"),
            (
                "BUILDKITE_REPO",
                "https://git.example.com/acme/payments.git",
            ),
            ("BUILDKITE_COMMIT", "HEAD"),
            ("BUILDKITE_BRANCH", "feature/x"),
            ("BUILDKITE_PULL_REQUEST", "7"),
            ("BUILDKITE_PULL_REQUEST_BASE_BRANCH", "main"),
            (
                "BUILDKITE_PULL_REQUEST_REPO",
                "git://git.example.com/acme/payments.git",
            ),
        ],
        "main",
    ),
    Row {
        branch: "pull/7",
        ..Row::pull(
            &[
                ("DRONE", "true"),
                ("DRONE_REPO", "acme/payments"),
                ("DRONE_COMMIT_SHA", "HEAD"),
                ("DRONE_BRANCH", "main"),
                ("DRONE_SOURCE_BRANCH", "feature/x"),
                ("DRONE_TARGET_BRANCH", "main"),
                ("DRONE_PULL_REQUEST", "7"),
            ],
            "main",
        )
    },
    Row::push(&[
        ("HARNESS_BUILD_ID", "12"),
        ("CI_REPO", "acme/payments"),
        ("DRONE_COMMIT_SHA", "HEAD"),
        ("DRONE_COMMIT_BRANCH", "feature/x"),
    ]),
    Row {
        branch: "pull/7",
        ..Row::pull(
            &[
                ("CI", "woodpecker"),
                ("CI_REPO", "acme/payments"),
                ("CI_COMMIT_SHA", "HEAD"),
                ("CI_COMMIT_BRANCH", "main"),
                ("CI_COMMIT_SOURCE_BRANCH", "feature/x"),
                ("CI_COMMIT_TARGET_BRANCH", "main"),
                ("CI_COMMIT_PULL_REQUEST", "7"),
            ],
            "main",
        )
    },
    Row::push(&[
        ("TRAVIS", "true"),
        ("TRAVIS_REPO_SLUG", "acme/payments"),
        ("TRAVIS_COMMIT", "HEAD"),
        ("TRAVIS_BRANCH", "feature/x"),
        ("TRAVIS_PULL_REQUEST", "false"),
        ("TRAVIS_PULL_REQUEST_SHA", ""),
    ]),
    Row::pull(
        &[
            ("TRAVIS", "true"),
            ("TRAVIS_REPO_SLUG", "acme/payments"),
            ("TRAVIS_COMMIT", "0123456789abcdef0123456789abcdef01234567"),
            ("TRAVIS_BRANCH", "main"),
            ("TRAVIS_PULL_REQUEST", "7"),
            ("TRAVIS_PULL_REQUEST_BRANCH", "feature/x"),
            ("TRAVIS_PULL_REQUEST_SLUG", "acme/payments"),
            ("TRAVIS_PULL_REQUEST_SHA", "HEAD"),
        ],
        "main",
    ),
    Row::pull(
        &[
            ("APPVEYOR", "True"),
            ("APPVEYOR_REPO_NAME", "acme/payments"),
            (
                "APPVEYOR_REPO_COMMIT",
                "0123456789abcdef0123456789abcdef01234567",
            ),
            ("APPVEYOR_REPO_BRANCH", "main"),
            ("APPVEYOR_PULL_REQUEST_NUMBER", "7"),
            ("APPVEYOR_PULL_REQUEST_HEAD_COMMIT", "HEAD"),
            ("APPVEYOR_PULL_REQUEST_HEAD_REPO_BRANCH", "feature/x"),
            ("APPVEYOR_PULL_REQUEST_HEAD_REPO_NAME", "acme/payments"),
        ],
        "main",
    ),
    Row {
        branch: "pull/7",
        ..Row::pull(
            &[
                ("CIRRUS_CI", "true"),
                ("CIRRUS_REPO_FULL_NAME", "acme/payments"),
                ("CIRRUS_CHANGE_IN_REPO", "HEAD"),
                ("CIRRUS_BRANCH", "pull/7"),
                ("CIRRUS_BASE_BRANCH", "main"),
                ("CIRRUS_PR", "7"),
            ],
            "main",
        )
    },
    Row {
        branch: "pull/7",
        ..Row::pull(
            &[
                ("CODEBUILD_CI", "true"),
                (
                    "CODEBUILD_SOURCE_REPO_URL",
                    "https://git.example.com/acme/payments.git",
                ),
                ("CODEBUILD_RESOLVED_SOURCE_VERSION", "HEAD"),
                ("CODEBUILD_WEBHOOK_HEAD_REF", "refs/heads/feature/x"),
                ("CODEBUILD_WEBHOOK_BASE_REF", "refs/heads/main"),
                ("CODEBUILD_SOURCE_VERSION", "pr/7"),
            ],
            "main",
        )
    },
    Row::push(&[
        ("CODEBUILD_CI", "true"),
        (
            "CODEBUILD_SOURCE_REPO_URL",
            "https://git.example.com/acme/payments.git",
        ),
        ("CODEBUILD_RESOLVED_SOURCE_VERSION", "HEAD"),
        ("CODEBUILD_WEBHOOK_HEAD_REF", "refs/heads/feature/x"),
        ("CODEBUILD_SOURCE_VERSION", "release/2026"),
    ]),
    // The repository's remote has the name.
    Row::push(&[
        ("TEAMCITY_VERSION", "2026.1"),
        ("BUILD_VCS_NUMBER", "HEAD"),
        ("BRANCH_NAME", "refs/heads/feature/x"),
    ]),
    // An unknown system: everything is from git.
    Row::push(&[("CI", "true")]),
];

/// A repository whose branch `feature/x` has changed a file since `main`.
pub(super) fn job() -> Job {
    let job = Job::with_remote("git@git.example.com:acme/payments.git");
    job.has_cloned_main();
    job.git(&["checkout", "-q", "-b", "feature/x"]);
    job.write("src/fee.py", "one\nand\ntwo\n");
    job.commit("and");
    job.write_coverage(&[(1, 1), (2, 0), (3, 1)]);
    job
}

#[tokio::test(flavor = "multi_thread")]
async fn every_ci_system_names_repository_branch_commit_and_pull_request() {
    let job = job();
    let head = job.head();
    let main = job.git(&["rev-parse", "main"]);
    for row in ROWS {
        // The same commit again would keep its pull request.
        let server = TestServer::start().await;
        let name = row.variables[0].0;
        let variables: Vec<_> = row
            .variables
            .iter()
            .map(|(name, value)| (*name, if *value == "HEAD" { &head } else { *value }))
            .collect();
        let ran = job.upload(&server).with(&variables).run();
        assert_eq!(ran.code, 0, "{name}: {}", ran.printed);
        assert!(!ran.printed.contains("s3cret"), "{}", ran.printed);
        let summary = newest(&server).await;
        let record = &summary["record"];
        let names = ["org_name", "repo_name", "branch_name", "commit_hash"];
        let names = names.map(|name| record[name].as_str().unwrap());
        let expected = [row.org, row.repo, row.branch, &head];
        assert_eq!(names, expected, "{name}");
        let pull = summary["pull_request"].as_str().unwrap_or_default();
        assert_eq!(pull, row.pull, "{name}");
        let changed = &summary["changed_lines"];
        if row.pull.is_empty() {
            assert!(changed.is_null(), "{name}: {changed}");
        } else {
            assert_eq!(changed["coverable"], 1, "{name}: {}", ran.printed);
        }
        let dry = |shell| {
            let run = job.upload(&server).shell(shell).with(&variables);
            run.arguments(&["--dry-run"]).run().printed
        };
        for shell in installed() {
            let printed = dry(shell);
            for sent in [
                format!(" org_name={} ", row.org),
                format!(" branch_name={} ", row.branch),
                format!(" commit_hash={head} "),
            ] {
                assert!(printed.contains(&sent), "{name}, {shell:?}: {printed}");
            }
            let shown = |name: &str, value: &str| match value {
                "" => !printed.contains(&format!(" {name}=")),
                value => printed.contains(&format!(" {name}={value} ")),
            };
            assert!(shown("pull_request", row.pull), "{name}: {printed}");
            assert!(shown("target_branch", row.target), "{name}: {printed}");
            let base = if row.pull.is_empty() { "" } else { &main };
            assert!(shown("base_commit", base), "{name}: {printed}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn options_override_what_was_found() {
    let server = TestServer::start().await;
    let job = job();
    let github = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_REPOSITORY", "other/other"),
        ("GITHUB_SHA", "c0"),
        ("GITHUB_REF_NAME", "other"),
        ("GITHUB_ACTOR", "other"),
    ];
    let options = "--org acme --repo=payments --branch b --commit c1 --author Zoë --language rust --part unit --parts unit,e2e";
    let options: Vec<_> = options.split(' ').collect();
    let run = job.upload(&server).with(&github).arguments(&options);
    let ran = run.run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    let summary = newest(&server).await;
    let record = &summary["record"];
    for (name, value) in [
        ("org_name", "acme"),
        ("repo_name", "payments"),
        ("branch_name", "b"),
        ("commit_hash", "c1"),
        ("commit_author", "Zoë"),
        ("language", "rust"),
    ] {
        assert_eq!(record[name], value, "{name}");
    }
    assert_eq!(summary["parts"]["arrived"][0], "unit");
    assert_eq!(summary["parts"]["expected"].as_array().unwrap().len(), 2);
    assert!(ran.printed.contains("waiting for e2e"), "{}", ran.printed);
}

#[test]
fn options_name_the_pull_request_its_target_and_its_base() {
    let job = job();
    let (head, main) = (job.head(), job.git(&["rev-parse", "main"]));
    job.write("src/fee.py", "one\nand\ntwo\nthree\n");
    let newest = job.commit("three");
    let travis = [
        ("TRAVIS", "true"),
        ("TRAVIS_PULL_REQUEST", "9"),
        ("TRAVIS_BRANCH", "other"),
        ("TRAVIS_PULL_REQUEST_SLUG", "acme/payments"),
    ];
    let from = |base: &str| format!(" base_commit={base} ");
    let (pull, target) = (" pull_request=7 ", " target_branch=main ");
    for shell in installed() {
        for (variables, options, sent) in [
            (
                &[][..],
                "--pull-request 7 --target main",
                [pull, target, &from(&main)],
            ),
            (
                &travis,
                "--pull-request=7 --target=main",
                [pull, target, &from(&main)],
            ),
            (
                &travis,
                "--pull-request 7 --target main --base HEAD^",
                [pull, target, &from(&head)],
            ),
            (
                &[],
                "--target main",
                [target, &from(&main), " branch_name=feature/x "],
            ),
            (
                &[],
                "--pull-request 7",
                [pull, &from(&main), " branch_name=feature/x "],
            ),
            (
                &[],
                "--base feature/x",
                [&from(&newest), " branch_name=feature/x ", ""],
            ),
        ] {
            let run = job.upload_to("http://127.0.0.1:9").shell(shell);
            let options: Vec<_> = options.split(' ').chain(["--dry-run"]).collect();
            let ran = run.with(variables).arguments(&options).run();
            for sent in sent {
                assert!(
                    ran.printed.contains(sent),
                    "{shell:?}, {sent}: {}",
                    ran.printed
                );
            }
        }
        let run = |options| {
            let run = job.upload_to("http://127.0.0.1:9").shell(shell);
            run.arguments(options).run()
        };
        let ran = run(&["--dry-run", "--base", "gone"]);
        let notice = "the changed lines are unknown: --base gone is no commit of this clone";
        assert!(ran.printed.contains(notice), "{shell:?}: {}", ran.printed);
        assert!(!ran.printed.contains(" base_commit="), "{}", ran.printed);
        let ran = run(&["--pull-request", "x"]);
        let is_refused = ran.printed.contains("--pull-request is a number");
        assert!(is_refused && ran.code == 1, "{shell:?}: {}", ran.printed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_on_azure_is_named_by_its_remote() {
    let server = TestServer::start().await;
    let job = Job::with_remote("https://acme@dev.azure.com/acme/shop/_git/payments");
    job.write_coverage(&[(1, 1)]);
    let azure = [("TF_BUILD", "True"), ("BUILD_SOURCEBRANCH", "refs/heads/x")];
    let ran = job.upload(&server).with(&azure).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    let summary = newest(&server).await;
    assert_eq!(summary["record"]["org_name"], "acme/shop");
    assert_eq!(summary["record"]["repo_name"], "payments");
}

#[test]
fn no_commit_is_called_head() {
    let job = job();
    let head = format!(" commit_hash={} ", job.head());
    let buildkite = [("BUILDKITE", "true"), ("BUILDKITE_COMMIT", "HEAD")];
    for option in [&["--dry-run"][..], &["--dry-run", "--commit=HEAD"]] {
        let run = job.upload_to("http://127.0.0.1:9").with(&buildkite);
        let printed = run.arguments(option).run().printed;
        assert!(printed.contains(&head), "{printed}");
    }
    let job = Job::without_git();
    job.write_coverage(&[(1, 1)]);
    let run = job.upload_to("http://127.0.0.1:9").with(&buildkite);
    let ran = run.arguments(&["--org=acme", "--repo=payments"]).run();
    assert!(ran.printed.contains("--commit COMMIT"), "{}", ran.printed);
    assert_eq!(ran.code, 1);
}
