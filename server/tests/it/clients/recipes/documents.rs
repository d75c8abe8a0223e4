//! The recipes as the README and the manual show them.

use super::{lines::with_the_uploader, recipe};
use app::recipe::{CI_SYSTEMS, CiSystem, PLACEHOLDER, Proof};

const README: &str = include_str!("../../../../../README.md");
const SHELL: &str = include_str!("../../../../../docs/src/upload.md");
const GITHUB_PAGE: &str = include_str!("../../../../../docs/src/upload/github.md");
const GITLAB_PAGE: &str = include_str!("../../../../../docs/src/upload/gitlab.md");
const GITEA_PAGE: &str = include_str!("../../../../../docs/src/upload/gitea.md");
const JENKINS_PAGE: &str = include_str!("../../../../../docs/src/upload/jenkins.md");
const OTHERS_PAGE: &str = include_str!("../../../../../docs/src/upload/others.md");
const CURL_PAGE: &str = include_str!("../../../../../docs/src/upload/curl.md");
pub(super) const BRANCHES_PAGE: &str = include_str!("../../../../../docs/src/upload/branches.md");

/// The first block under a heading of a document.
pub(crate) fn block(document: &'static str, heading: &str) -> &'static str {
    let document = document.strip_prefix(heading).unwrap_or_else(|| {
        let heading = format!("\n{heading}\n");
        document.split_once(&heading).expect(&heading).1
    });
    let (_, fenced) = document.split_once("```").unwrap();
    fenced
        .split_once("```")
        .unwrap()
        .0
        .split_once('\n')
        .unwrap()
        .1
}

/// Where the documents show each recipe: document, heading, CI system, proof.
const SHOWN: [(&str, &str, &str, Proof); 13] = [
    (README, "## Upload from CI", "shell", Proof::Token),
    (SHELL, "# Upload from CI", "shell", Proof::Token),
    (
        GITHUB_PAGE,
        "## GitHub Actions with a token",
        "github",
        Proof::Token,
    ),
    (
        GITHUB_PAGE,
        "## GitHub Actions without a secret",
        "github",
        Proof::Identity,
    ),
    (
        GITLAB_PAGE,
        "## With an identity",
        "gitlab",
        Proof::Identity,
    ),
    (GITLAB_PAGE, "## With a token", "gitlab", Proof::Token),
    (
        GITEA_PAGE,
        "# Gitea and Forgejo Actions",
        "gitea",
        Proof::ForgeToken,
    ),
    (JENKINS_PAGE, "# Jenkins", "jenkins", Proof::Token),
    (OTHERS_PAGE, "## CircleCI", "circleci", Proof::Token),
    (OTHERS_PAGE, "## Azure Pipelines", "azure", Proof::Token),
    (
        OTHERS_PAGE,
        "## Bitbucket Pipelines",
        "bitbucket",
        Proof::Token,
    ),
    (OTHERS_PAGE, "## Buildkite", "buildkite", Proof::Token),
    (OTHERS_PAGE, "## Woodpecker", "woodpecker", Proof::Token),
];

/// The same for the recipes with curl alone: heading, CI system, proof.
const WITH_CURL: [(&str, &str, Proof); 10] = [
    ("## Any shell", "shell", Proof::Token),
    ("## GitHub Actions with a token", "github", Proof::Token),
    (
        "## GitHub Actions without a secret",
        "github",
        Proof::Identity,
    ),
    ("## GitLab CI with an identity", "gitlab", Proof::Identity),
    ("## GitLab CI with a token", "gitlab", Proof::Token),
    ("## Gitea and Forgejo Actions", "gitea", Proof::ForgeToken),
    ("## Jenkins", "jenkins", Proof::Token),
    ("## CircleCI", "circleci", Proof::Token),
    ("## Azure Pipelines", "azure", Proof::Token),
    ("## Bitbucket Pipelines", "bitbucket", Proof::Token),
];

#[test]
fn the_manual_and_the_setup_page_have_the_same_recipes() {
    for (document, heading, system, proof) in SHOWN {
        let expected = with_the_uploader(system, proof, &PLACEHOLDER);
        assert_eq!(block(document, heading), expected, "{heading}");
    }
    for (heading, system, proof) in WITH_CURL {
        let expected = recipe(system, proof, &PLACEHOLDER);
        assert_eq!(block(CURL_PAGE, heading), expected, "{heading}");
    }
    let github = CiSystem::find("github").unwrap().recipes.iter();
    let mut with_a_token = github.filter(|recipe| recipe.proof == Proof::Token);
    let action = with_a_token.next().unwrap().as_action(&PLACEHOLDER);
    assert_eq!(
        Some(block(GITHUB_PAGE, "## As an Action")),
        action.as_deref()
    );
    for system in CI_SYSTEMS.iter() {
        for recipe in &system.recipes {
            let (name, proof) = (&system.name, recipe.proof);
            let is_this = |key: &str, of: Proof| key == system.key && of == proof;
            let shown = SHOWN.iter().any(|(_, _, key, of)| is_this(key, *of));
            assert!(shown, "{name} {proof:?}");
            let shown = WITH_CURL.iter().any(|(_, key, of)| is_this(key, *of));
            let has_curl = recipe.with_curl(&PLACEHOLDER).is_some();
            assert_eq!(shown, has_curl, "{name} {proof:?}");
        }
    }
}
