//! The recipes with the uploader, run as each CI system would run them.

use crate::harness::{COMMIT, Reachable, TOKEN, TestServer};
use app::recipe::{CI_SYSTEMS, CiSystem, PLACEHOLDER, Proof, Upload};
use std::process::Command;

/// A recipe of the setup page, with the uploader.
pub(super) fn with_the_uploader(system: &str, proof: Proof, upload: &Upload<'_>) -> String {
    let recipes = &CiSystem::find(system).unwrap().recipes;
    let recipe = recipes.iter().find(|recipe| recipe.proof == proof);
    recipe.unwrap().text(upload)
}

/// The variables of a job of each CI system.
const VARIABLES: [(&str, &[(&str, &str)]); 10] = [
    (
        "github",
        &[
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_REPOSITORY", "acme/payments"),
            ("GITHUB_SHA", COMMIT),
            ("GITHUB_REF_NAME", "feature/x"),
        ],
    ),
    (
        "gitlab",
        &[
            ("GITLAB_CI", "true"),
            ("CI_PROJECT_PATH", "acme/payments"),
            ("CI_COMMIT_SHA", COMMIT),
            ("CI_COMMIT_BRANCH", "feature/x"),
        ],
    ),
    (
        "gitea",
        &[
            ("GITEA_ACTIONS", "true"),
            ("GITHUB_REPOSITORY", "acme/payments"),
            ("GITHUB_SHA", COMMIT),
            ("GITHUB_REF_NAME", "feature/x"),
        ],
    ),
    (
        "jenkins",
        &[
            ("JENKINS_URL", "https://jenkins.example.com/"),
            ("GIT_URL", "git@git.example.com:acme/payments.git"),
            ("GIT_COMMIT", COMMIT),
            ("BRANCH_NAME", "feature/x"),
        ],
    ),
    (
        "circleci",
        &[
            ("CIRCLECI", "true"),
            ("CIRCLE_PROJECT_USERNAME", "acme"),
            ("CIRCLE_PROJECT_REPONAME", "payments"),
            ("CIRCLE_SHA1", COMMIT),
            ("CIRCLE_BRANCH", "feature/x"),
        ],
    ),
    (
        "azure",
        &[
            ("TF_BUILD", "True"),
            ("BUILD_REPOSITORY_NAME", "acme/payments"),
            ("BUILD_SOURCEVERSION", COMMIT),
            ("BUILD_SOURCEBRANCH", "refs/heads/feature/x"),
        ],
    ),
    (
        "bitbucket",
        &[
            ("BITBUCKET_BUILD_NUMBER", "1"),
            ("BITBUCKET_REPO_FULL_NAME", "acme/payments"),
            ("BITBUCKET_COMMIT", COMMIT),
            ("BITBUCKET_BRANCH", "feature/x"),
        ],
    ),
    (
        "buildkite",
        &[
            ("BUILDKITE", "true"),
            ("BUILDKITE_REPO", "git@git.example.com:acme/payments.git"),
            ("BUILDKITE_COMMIT", COMMIT),
            ("BUILDKITE_BRANCH", "feature/x"),
            ("BUILDKITE_PULL_REQUEST", "false"),
        ],
    ),
    (
        "woodpecker",
        &[
            ("CI", "woodpecker"),
            ("CI_REPO", "acme/payments"),
            ("CI_COMMIT_SHA", COMMIT),
            ("CI_COMMIT_BRANCH", "feature/x"),
        ],
    ),
    ("shell", &[]),
];

/// The shell command in a recipe.
fn command(recipe: &str) -> &str {
    let line = recipe.lines().find(|line| line.contains("curl ")).unwrap();
    let command = &line[line.find("curl ").unwrap()..];
    command.trim_end_matches('\'')
}

#[tokio::test(flavor = "multi_thread")]
async fn the_line_for_every_ci_system_uploads_as_written() {
    for system in CI_SYSTEMS.iter() {
        let variables = VARIABLES.iter().find(|(key, _)| *key == system.key);
        let (name, (_, variables)) = (&system.name, variables.unwrap());
        for recipe in &system.recipes {
            let server = TestServer::start().await;
            let url = server.url("");
            let upload = Upload {
                public_url: &url,
                ..PLACEHOLDER
            };
            let text = recipe.text(&upload);
            let job = super::job_of_a_commit();
            let folder = job.path();
            let xml = "<coverage><packages><package><classes><class filename=\"a.py\"><lines><line number=\"1\" hits=\"1\"/></lines></class></classes></package></packages></coverage>";
            std::fs::write(folder.join("coverage.xml"), xml).unwrap();
            let git = "git checkout -q -b feature/x && git remote add origin git@git.example.com:acme/payments.git";
            // An identity and a token of a forge arrive in the same variables; the service accepts its own token there too.
            let token = match text.contains("GITEA_TOKEN") {
                true => "GITEA_TOKEN",
                false => "COVERAGE_TOKEN",
            };
            let output = Command::new("bash")
                .args([
                    "-eo",
                    "pipefail",
                    "-c",
                    &format!("{git}\n{}", command(&text)),
                ])
                .current_dir(folder)
                .env_clear()
                .env("PATH", std::env::var_os("PATH").unwrap())
                .env("NO_PROXY", "127.0.0.1")
                .env(token, TOKEN)
                .envs(variables.iter().copied())
                .output()
                .unwrap();
            let printed = String::from_utf8_lossy(&output.stdout);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name}: {printed}{errors}");
            let record = &server.records().await[0];
            let names = ["org_name", "repo_name", "branch_name", "language"];
            let names = names.map(|name| record[name].as_str().unwrap());
            let expected = ["acme", "payments", "feature/x", "python"];
            assert_eq!(names, expected, "{name}: {printed}");
            let is_known = record["commit_hash"] == COMMIT || system.key == "shell";
            assert!(is_known, "{name}: {printed}");
        }
    }
}
