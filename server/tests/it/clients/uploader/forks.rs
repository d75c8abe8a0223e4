//! Jobs about commits of other repositories: a branch of a fork may have the name of the main branch.

use super::ci::job;

type Variable = (&'static str, &'static str);

/// Systems that state the repository of a pull request's branch, with a branch `main` of another repository.
const FORKS: [(&str, &str, [Variable; 3]); 3] = [
    (
        "TRAVIS_PULL_REQUEST_SLUG",
        "kim/payments",
        [
            ("TRAVIS", "true"),
            ("TRAVIS_PULL_REQUEST", "7"),
            ("TRAVIS_PULL_REQUEST_BRANCH", "main"),
        ],
    ),
    (
        "APPVEYOR_PULL_REQUEST_HEAD_REPO_NAME",
        "kim/payments",
        [
            ("APPVEYOR", "True"),
            ("APPVEYOR_PULL_REQUEST_NUMBER", "7"),
            ("APPVEYOR_PULL_REQUEST_HEAD_REPO_BRANCH", "main"),
        ],
    ),
    (
        "BUILDKITE_PULL_REQUEST_REPO",
        "https://git.example.com/kim/payments.git",
        [
            ("BUILDKITE", "true"),
            ("BUILDKITE_PULL_REQUEST", "7"),
            ("BUILDKITE_BRANCH", "main"),
        ],
    ),
];

#[test]
fn the_branch_main_of_a_fork_is_never_uploaded_as_the_main_branch() {
    let job = job();
    let sent = |variables: &[(&str, &str)]| {
        let run = job.upload_to("http://127.0.0.1:9").with(variables);
        let ran = run.arguments(&["--dry-run"]).run();
        let sent = ran.printed.split_once(" branch_name=").unwrap().1;
        sent.split(' ').next().unwrap().to_owned()
    };
    for (variable, fork, others) in FORKS {
        // The target is another branch.
        let mut variables = others.to_vec();
        assert_eq!(sent(&variables), "pull/7", "{variable} is not set");
        variables.push((variable, fork));
        assert_eq!(sent(&variables), "pull/7", "{variable}");
        variables.last_mut().unwrap().1 = "acme/payments";
        assert_eq!(sent(&variables), "main", "{variable}");
    }
    let event = job.bin().join("event.json");
    let deleted = r#"{"pull_request":{"number":7,"head":{"sha":"c1","ref":"main","repo":null},"base":{"sha":"c0"}}}"#;
    std::fs::write(&event, deleted).unwrap();
    let event = event.display().to_string();
    let github = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_REPOSITORY", "acme/payments"),
        ("GITHUB_HEAD_REF", "main"),
        ("GITHUB_BASE_REF", "release"),
        ("GITHUB_EVENT_PATH", &event),
    ];
    assert_eq!(sent(&github), "pull/7", "the fork was deleted");
    let without = [&github[..], &[("COVERAGE_NO_PULL", "1")]].concat();
    assert_eq!(sent(&without), "pull/7", "the pull request is not named");
}

#[test]
fn a_job_after_a_workflow_uploads_for_the_branch_of_that_workflow() {
    let job = job();
    let event = job.bin().join("event.json");
    let sent = |branch: &str, from: &str, pulls: &str| {
        let owner = from.split('/').next().unwrap();
        let run = format!(
            r#"{{"workflow_run":{{"head_sha":"{}","head_branch":"{branch}","head_repository":{{"full_name":"{from}","owner":{{"login":"{owner}"}}}},"pull_requests":[{pulls}]}},"repository":{{"default_branch":"main"}}}}"#,
            job.head()
        );
        std::fs::write(&event, run).unwrap();
        let run = job.upload_to("http://127.0.0.1:9").with(&[
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_EVENT_NAME", "workflow_run"),
            ("GITHUB_EVENT_PATH", event.to_str().unwrap()),
            ("GITHUB_REPOSITORY", "acme/payments"),
            ("GITHUB_REF_NAME", "main"),
            ("GITHUB_SHA", "0123456789abcdef0123456789abcdef01234567"),
        ]);
        let printed = run.arguments(&["--dry-run"]).run().printed;
        assert!(
            printed.contains(&format!(" commit_hash={} ", job.head())),
            "{printed}"
        );
        let pull = printed.split_once(" pull_request=").map(|(_, rest)| rest);
        let pull = pull.map(|rest| rest.split(' ').next().unwrap().to_owned());
        let (_, rest) = printed.split_once(" branch_name=").unwrap();
        (rest.split(' ').next().unwrap().to_owned(), pull)
    };
    let own = |branch: &str| (branch.to_owned(), None);
    assert_eq!(sent("feature/x", "acme/payments", ""), own("feature/x"));
    assert_eq!(sent("main", "acme/payments", ""), own("main"));
    assert_eq!(sent("main", "kim/payments", ""), own("kim:main"));
    let pull = r#"{"number":7,"base":{"ref":"main"}}"#;
    let of_pull = ("feature/x".to_owned(), Some("7".to_owned()));
    assert_eq!(sent("feature/x", "acme/payments", pull), of_pull);
}
