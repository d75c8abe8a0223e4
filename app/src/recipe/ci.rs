//! The CI systems with their recipes.

use super::{PLACEHOLDER, Upload};

/// The line for any shell.
const SHELL: &str = include_str!("templates/line/shell.sh");

/// How a job authenticates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// An identity token from its CI system (OpenID Connect), without any secret.
    Identity,
    /// A token of this service, from the CI's secrets.
    Token,
    /// A token of GitHub, GitLab or Gitea, or a token of this service.
    ForgeToken,
}

/// A CI system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CiSystem {
    /// The key in an address.
    pub key: &'static str,
    /// The name.
    pub name: &'static str,
    /// The file for the recipe.
    pub file: &'static str,
    /// Its recipes, the recommended one first.
    pub recipes: &'static [Recipe],
}

/// One way to upload from a CI system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// How the job authenticates.
    pub proof: Proof,
    /// What to set up before, in a sentence.
    pub before: &'static str,
    /// A note; may be empty.
    pub note: &'static str,
    line: &'static str,
    curl: &'static str,
}

impl Recipe {
    /// The recipe with the uploader, which finds everything but the service. A plain shell may not know the repository.
    pub fn text(&self, upload: &Upload<'_>) -> String {
        let line = self.line.replace(PLACEHOLDER.public_url, upload.public_url);
        let Upload { org, repo, .. } = upload;
        let is_chosen = (*org, *repo) != (PLACEHOLDER.org, PLACEHOLDER.repo);
        if self.line == SHELL && is_chosen {
            return line.replace("| sh\n", &format!("| sh -s -- --org={org} --repo={repo}\n"));
        }
        line
    }

    /// The recipe with curl alone, which states all parameters; `None` for a system that only the uploader knows.
    pub fn with_curl(&self, upload: &Upload<'_>) -> Option<String> {
        (!self.curl.is_empty()).then(|| upload.fill(self.curl))
    }
}

/// All CI systems, the most widely used first.
pub const CI_SYSTEMS: &[CiSystem] = &[
    CiSystem {
        key: "github",
        name: "GitHub Actions",
        file: ".github/workflows/….yml, after the step that runs the tests",
        recipes: &[
            Recipe {
                proof: Proof::Identity,
                before: "The operator lists GitHub's issuer in OIDC_ISSUERS. GitHub stores no secret: the job requests an identity token, which names its repository, branch and commit.",
                note: "The lines go into the job that runs the tests: permissions beside its steps. For commit statuses, add statuses: write, and pass GITHUB_TOKEN to the step. GitHub issues no identity tokens to pull requests from forks.",
                line: include_str!("templates/line/github_identity.yml"),
                curl: include_str!("templates/github_identity.yml"),
            },
            Recipe {
                proof: Proof::Token,
                before: "Store a token of this service as COVERAGE_TOKEN in the repository's or the org's secrets.",
                note: "GitHub passes no secrets to pull requests from forks. For a commit status and a comment, add GITHUB_TOKEN: ${{ github.token }} to env.",
                line: include_str!("templates/line/github_token.yml"),
                curl: include_str!("templates/github_token.yml"),
            },
        ],
    },
    CiSystem {
        key: "gitlab",
        name: "GitLab CI",
        file: ".gitlab-ci.yml, with the lines of script added to the job that runs the tests",
        recipes: &[
            Recipe {
                proof: Proof::Identity,
                before: "The operator lists the GitLab server in OIDC_ISSUERS. GitLab stores no secret: id_tokens gives the job an identity token, which names its project, branch and commit.",
                note: "",
                line: include_str!("templates/line/gitlab_identity.yml"),
                curl: include_str!("templates/gitlab_identity.yml"),
            },
            Recipe {
                proof: Proof::Token,
                before: "Store a token of this service as the masked variable COVERAGE_TOKEN of the project or the group.",
                note: "A protected variable is empty in jobs of branches that are not protected.",
                line: include_str!("templates/line/gitlab_token.yml"),
                curl: include_str!("templates/gitlab_token.yml"),
            },
        ],
    },
    CiSystem {
        key: "gitea",
        name: "Gitea and Forgejo Actions",
        file: ".gitea/workflows/….yml or .forgejo/workflows/….yml, after the step that runs the tests",
        recipes: &[Recipe {
            proof: Proof::ForgeToken,
            before: "The operator lists the API in VCS_API_URLS. Store an access token with write:repository as COVERAGE_TOKEN in the secrets; its commits then get a status.",
            note: "For a token of this service, call the variable COVERAGE_TOKEN instead.",
            line: include_str!("templates/line/gitea.yml"),
            curl: include_str!("templates/gitea.yml"),
        }],
    },
    CiSystem {
        key: "jenkins",
        name: "Jenkins",
        file: "Jenkinsfile, in the steps of the stage that runs the tests",
        recipes: &[Recipe {
            proof: Proof::Token,
            before: "Create a credential of the kind Secret text called coverage-token, with a token of this service.",
            note: "Jenkins sets BRANCH_NAME in multibranch pipelines; in other jobs, name the branch with sh -s -- --branch.",
            line: include_str!("templates/line/jenkins.groovy"),
            curl: include_str!("templates/jenkins.groovy"),
        }],
    },
    CiSystem {
        key: "circleci",
        name: "CircleCI",
        file: ".circleci/config.yml, among the steps of the job that runs the tests",
        recipes: &[Recipe {
            proof: Proof::Token,
            before: "Store a token of this service as the environment variable COVERAGE_TOKEN of the project or of a context.",
            note: "",
            line: include_str!("templates/line/circleci.yml"),
            curl: include_str!("templates/circleci.yml"),
        }],
    },
    CiSystem {
        key: "azure",
        name: "Azure Pipelines",
        file: "azure-pipelines.yml, among the steps after the tests",
        recipes: &[Recipe {
            proof: Proof::Token,
            before: "Store a token of this service as the secret variable COVERAGE_TOKEN of the pipeline.",
            note: "Names with spaces are not allowed here: name org and repository with sh -s -- --org acme --repo payments.",
            line: include_str!("templates/line/azure.yml"),
            curl: include_str!("templates/azure.yml"),
        }],
    },
    CiSystem {
        key: "bitbucket",
        name: "Bitbucket Pipelines",
        file: "bitbucket-pipelines.yml; or add the lines of script to the step that runs the tests",
        recipes: &[Recipe {
            proof: Proof::Token,
            before: "Store a token of this service as the secured variable COVERAGE_TOKEN of the repository or the workspace.",
            note: "If the tests run in a separate step, pass the HTML report and the coverage file on as artifacts.",
            line: include_str!("templates/line/bitbucket.yml"),
            curl: include_str!("templates/bitbucket.yml"),
        }],
    },
    CiSystem {
        key: "buildkite",
        name: "Buildkite",
        file: ".buildkite/pipeline.yml, after the step that runs the tests",
        recipes: &[Recipe {
            proof: Proof::Token,
            before: "Give the agents a token of this service in the variable COVERAGE_TOKEN.",
            note: "If the tests run in a separate step, pass the HTML report and the coverage file on as artifacts.",
            line: include_str!("templates/line/buildkite.yml"),
            curl: "",
        }],
    },
    CiSystem {
        key: "woodpecker",
        name: "Woodpecker",
        file: ".woodpecker.yml, after the step that runs the tests",
        recipes: &[Recipe {
            proof: Proof::Token,
            before: "Store a token of this service as the secret coverage_token of the repository or the org.",
            note: "The image needs curl, tar and git.",
            line: include_str!("templates/line/woodpecker.yml"),
            curl: "",
        }],
    },
    CiSystem {
        key: "shell",
        name: "Any shell",
        file: "any shell",
        recipes: &[Recipe {
            proof: Proof::Token,
            before: "Run export COVERAGE_TOKEN=… with a token of this service, and then this line in the folder of the project.",
            note: "Org and repository come from the git remote origin. Without this remote, end the line with: | sh -s -- --org ORG --repo REPO",
            line: SHELL,
            curl: include_str!("templates/shell.sh"),
        }],
    },
];

impl CiSystem {
    /// Returns the CI system with this key.
    pub fn find(key: &str) -> Option<&'static Self> {
        CI_SYSTEMS.iter().find(|system| system.key == key)
    }
}
