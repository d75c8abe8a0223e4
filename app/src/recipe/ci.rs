//! The CI systems with their recipes. `ci.json` has their texts.

use super::{PLACEHOLDER, Upload};
use serde::Deserialize;
use std::sync::LazyLock;

const SHELL: &str = "shell.sh";

/// Declares the texts of templates, by the names of their files: first of the systems that have a recipe with curl alone, then
/// of the systems that only the uploader knows.
macro_rules! templates {
    ($($name:literal)+; $($only:literal)+) => {
        /// The lines for a pipeline.
        const LINES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("templates/line/", $name))),)+
            $(($only, include_str!(concat!("templates/line/", $only))),)+
        ];

        /// The recipes with curl alone.
        const WITH_CURL: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("templates/", $name))),)+
        ];
    };
}

templates!(
    "github_identity.yml"
    "github_token.yml"
    "gitlab_identity.yml"
    "gitlab_token.yml"
    "gitea.yml"
    "jenkins.groovy"
    "circleci.yml"
    "azure.yml"
    "bitbucket.yml"
    "shell.sh";
    "buildkite.yml"
    "woodpecker.yml"
);

/// How a job authenticates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Proof {
    /// An identity token from its CI system (OpenID Connect), without any secret.
    Identity,
    /// A token of this service, from the CI's secrets.
    Token,
    /// A token of GitHub, GitLab or Gitea, or a token of this service.
    ForgeToken,
}

/// A CI system.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CiSystem {
    /// The key in an address.
    pub key: String,
    /// The name.
    pub name: String,
    /// The file for the recipe.
    pub file: String,
    /// Its recipes, the recommended one first.
    pub recipes: Vec<Recipe>,
}

/// One way to upload from a CI system.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Recipe {
    /// How the job authenticates.
    pub proof: Proof,
    /// What to set up before, in a sentence.
    pub before: String,
    /// A note; may be empty.
    #[serde(default)]
    pub note: String,
    template: String,
}

impl Recipe {
    /// The recipe with the uploader, which finds everything but the service. A plain shell may not know the repository.
    pub fn text(&self, upload: &Upload<'_>) -> String {
        let line = self.of(LINES).unwrap_or_default();
        let line = line.replace(PLACEHOLDER.public_url, upload.public_url);
        let Upload { org, repo, .. } = upload;
        let is_chosen = (*org, *repo) != (PLACEHOLDER.org, PLACEHOLDER.repo);
        if self.template == SHELL && is_chosen {
            return line.replace("| sh\n", &format!("| sh -s -- --org={org} --repo={repo}\n"));
        }
        line
    }

    /// The recipe with curl alone, which states all parameters; `None` for a system that only the uploader knows.
    pub fn with_curl(&self, upload: &Upload<'_>) -> Option<String> {
        Some(upload.fill(self.of(WITH_CURL)?))
    }

    fn of(&self, templates: &[(&str, &'static str)]) -> Option<&'static str> {
        let mut templates = templates.iter();
        let (_, text) = templates.find(|(name, _)| *name == self.template)?;
        Some(text)
    }
}

/// All CI systems, the most widely used first.
pub static CI_SYSTEMS: LazyLock<Vec<CiSystem>> =
    LazyLock::new(|| serde_json::from_str(include_str!("ci.json")).expect("ci.json"));

impl CiSystem {
    /// Returns the CI system with this key.
    pub fn find(key: &str) -> Option<&'static Self> {
        CI_SYSTEMS.iter().find(|system| system.key == key)
    }
}
