//! The CI systems with their recipes: complete files for a pipeline. `ci.json` has their texts.

use super::{PLACEHOLDER, Upload};
use serde::Deserialize;
use std::sync::LazyLock;

const SHELL: &str = "shell.sh";

/// The options of the script in the files.
const OPTIONS: &str = "--fail-on gate";

/// A step of GitHub, Gitea and Forgejo that runs the uploader.
const ACTION: &str = include_str!("templates/action.yml");

/// Declares the texts of templates, by the names of their files: first of the systems that have a recipe with curl alone, then
/// of the systems that only the uploader knows.
macro_rules! templates {
    ($($name:literal)+; $($only:literal)+) => {
        /// The files for a pipeline.
        const FILES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("templates/file/", $name))),)+
            $(($only, include_str!(concat!("templates/file/", $only))),)+
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
    /// The file with the tests and the uploader, which finds everything but the service. A plain shell may not know the repository.
    pub fn text(&self, upload: &Upload<'_>) -> String {
        let file = self.of(FILES).unwrap_or_default();
        let Upload { org, repo, .. } = upload;
        let is_chosen = (*org, *repo) != (PLACEHOLDER.org, PLACEHOLDER.repo);
        if self.template == SHELL && is_chosen {
            let line = file.replace("| sh\n", &format!("| sh -s -- --org={org} --repo={repo}\n"));
            return line.replace(PLACEHOLDER.public_url, upload.public_url);
        }
        // Buildkite replaces variables before the job, unless the dollar sign is doubled.
        let tests = match &self.template[..] {
            "buildkite.yml" => upload.tests.replace('$', "$$"),
            _ => upload.tests.to_owned(),
        };
        let mut text = String::new();
        for line in file.lines() {
            let marked = line.trim_start();
            let inserted = match marked {
                "@setup@" => upload.setup,
                "@prepare@" => upload.prepare,
                "@tests@" => &tests,
                _ => marked,
            };
            let indent = &line[..line.len() - marked.len()];
            text.extend(inserted.lines().map(|line| format!("{indent}{line}\n")));
        }
        let options = format!("{OPTIONS} {}", upload.files);
        text.replace(OPTIONS, options.trim_end())
            .replace("@image@", upload.image)
            .replace(PLACEHOLDER.public_url, upload.public_url)
    }

    /// The step with the Action instead of the script, for the systems that run Actions; `acme` has a copy of this repository.
    pub fn as_action(&self, upload: &Upload<'_>) -> Option<String> {
        let own = match self.proof {
            Proof::Identity => "",
            Proof::Token => "    token: ${{ secrets.COVERAGE_TOKEN }}\n",
            Proof::ForgeToken => "    github-token: ${{ secrets.COVERAGE_TOKEN }}\n",
        };
        let is_action = self.template.starts_with("github") || self.template == "gitea.yml";
        let text = ACTION.replace("    token: ${{ secrets.COVERAGE_TOKEN }}\n", own);
        is_action.then(|| text.replace(PLACEHOLDER.public_url, upload.public_url))
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

    /// Whether a recipe is a file, which contains the tests; a shell has only a line.
    pub fn has_file(&self) -> bool {
        self.recipes.iter().all(|recipe| recipe.template != SHELL)
    }
}
