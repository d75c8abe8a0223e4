//! The page of the CI run, which the script sends.

use super::{Job, installed};

#[test]
fn every_ci_system_names_the_page_of_its_run() {
    let job = Job::new();
    job.write_coverage(&[(1, 1)]);
    let page = |variables: &[(&str, &str)]| {
        let pages = installed().into_iter().map(|shell| {
            let run = job.upload_to("http://127.0.0.1:9").shell(shell);
            let names = [
                "--dry-run",
                "--org=acme",
                "--repo=payments",
                "--branch=main",
            ];
            let printed = run.with(variables).arguments(&names).run().printed;
            let sent = printed.split_once(" run_url=");
            sent.map(|(_, rest)| {
                rest.split_whitespace()
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            })
        });
        let mut pages: Vec<_> = pages.collect();
        pages.dedup();
        let [page] = &pages[..] else {
            panic!("shells differ: {pages:?}");
        };
        page.clone().unwrap_or_default()
    };
    let github = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_SERVER_URL", "https://git.example.com"),
        ("GITHUB_REPOSITORY", "acme/payments"),
        ("GITHUB_RUN_ID", "17"),
    ];
    assert_eq!(
        page(&github),
        "https://git.example.com/acme/payments/actions/runs/17"
    );
    let azure = [
        ("TF_BUILD", "True"),
        ("SYSTEM_COLLECTIONURI", "https://azure.example.com/acme/"),
        ("SYSTEM_TEAMPROJECT", "shop"),
        ("BUILD_BUILDID", "17"),
    ];
    assert_eq!(
        page(&azure),
        "https://azure.example.com/acme/shop/_build/results?buildId=17"
    );
    let bitbucket = [
        ("BITBUCKET_BUILD_NUMBER", "17"),
        (
            "BITBUCKET_GIT_HTTP_ORIGIN",
            "https://git.example.com/acme/payments",
        ),
    ];
    assert_eq!(
        page(&bitbucket),
        "https://git.example.com/acme/payments/pipelines/results/17"
    );
    let url = "https://ci.example.com/run/17?a=b";
    for (system, variable) in [
        ("GITLAB_CI", "CI_JOB_URL"),
        ("JENKINS_URL", "BUILD_URL"),
        ("CIRCLECI", "CIRCLE_BUILD_URL"),
        ("BUILDKITE", "BUILDKITE_BUILD_URL"),
        ("DRONE", "DRONE_BUILD_LINK"),
        ("CI_PIPELINE_URL", "CI_PIPELINE_URL"),
        ("TRAVIS", "TRAVIS_BUILD_WEB_URL"),
        ("CODEBUILD_CI", "CODEBUILD_PUBLIC_BUILD_URL"),
    ] {
        assert_eq!(page(&[(system, "true"), (variable, url)]), url, "{system}");
    }
}

#[test]
fn a_page_that_the_service_would_refuse_is_not_sent() {
    let job = Job::new();
    job.write_coverage(&[(1, 1)]);
    for bad in [
        "",
        "javascript:alert(1)",
        "https://kim:s3cret@ci.example.com",
        "https://a b",
        "https://ü",
    ] {
        let run = job.upload_to("http://127.0.0.1:9");
        let names = [
            "--dry-run",
            "--org=acme",
            "--repo=payments",
            "--branch=main",
        ];
        let run = run.with(&[("JENKINS_URL", "x"), ("BUILD_URL", bad)]);
        let printed = run.arguments(&names).run().printed;
        assert!(printed.contains("would send"), "{printed}");
        assert!(!printed.contains("run_url"), "{bad}: {printed}");
    }
}
