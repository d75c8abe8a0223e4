//! The CI systems that there are recipes for.

use super::Upload;

/// What a job shows to be let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// An identity that its CI system issues (OpenID Connect): no secret at all.
    Identity,
    /// A token of this service, from the CI's secrets.
    Token,
    /// A token of GitHub, GitLab or Gitea, or one of this service.
    ForgeToken,
}

/// A CI system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CiSystem {
    /// What it is called in an address.
    pub key: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// The file that the recipe goes into.
    pub file: &'static str,
    /// Its recipes, the best first.
    pub recipes: &'static [Recipe],
}

/// One way to upload from a CI system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// What the job shows.
    pub proof: Proof,
    /// What has to be set up before, in a sentence.
    pub before: &'static str,
    /// What else is worth knowing; may be empty.
    pub note: &'static str,
    template: &'static str,
}

impl Recipe {
    /// The recipe for an upload.
    pub fn text(&self, upload: &Upload<'_>) -> String {
        upload.fill(self.template)
    }
}

/// All of them, the most widely used first.
pub const CI_SYSTEMS: &[CiSystem] = &[
    CiSystem {
        key: "github",
        name: "GitHub Actions",
        file: ".github/workflows/….yml, after the step that runs the tests",
        recipes: &[
            Recipe {
                proof: Proof::Identity,
                before: "The operator lists GitHub's issuer in OIDC_ISSUERS. Nothing is kept in GitHub: the job asks for an identity, which names its repository, branch and commit.",
                note: "permissions belong to the job, beside steps. Pull requests from forks get no identities from GitHub.",
                template: include_str!("templates/github_identity.yml"),
            },
            Recipe {
                proof: Proof::Token,
                before: "Keep a token of this service in the repository's or the organisation's secrets, as COVERAGE_TOKEN.",
                note: "Pull requests from forks get no secrets from GitHub.",
                template: include_str!("templates/github_token.yml"),
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
                before: "The operator lists the GitLab server in OIDC_ISSUERS. Nothing is kept in GitLab: id_tokens gives the job an identity, which names its project, branch and commit.",
                note: "",
                template: include_str!("templates/gitlab_identity.yml"),
            },
            Recipe {
                proof: Proof::Token,
                before: "Keep a token of this service as a masked variable of the project or the group, called COVERAGE_TOKEN.",
                note: "A protected variable is empty in jobs of branches that are not protected.",
                template: include_str!("templates/gitlab_token.yml"),
            },
        ],
    },
    CiSystem {
        key: "gitea",
        name: "Gitea and Forgejo Actions",
        file: ".gitea/workflows/….yml or .forgejo/workflows/….yml, after the step that runs the tests",
        recipes: &[Recipe {
            proof: Proof::ForgeToken,
            before: "Keep an access token with write:repository in the secrets, as COVERAGE_TOKEN; its commits then get a status. The operator lists the API in VCS_API_URLS.",
            note: "With a token of this service instead, leave the line with vcs_api_url out.",
            template: include_str!("templates/gitea.yml"),
        }],
    },
    CiSystem {
        key: "jenkins",
        name: "Jenkins",
        file: "Jenkinsfile, in the steps of the stage that runs the tests",
        recipes: &[Recipe {
            proof: Proof::Token,
            before: "Make a credential of the kind Secret text called coverage-token, which holds a token of this service.",
            note: "BRANCH_NAME is set in multibranch pipelines; elsewhere name the branch yourself.",
            template: include_str!("templates/jenkins.groovy"),
        }],
    },
    CiSystem {
        key: "circleci",
        name: "CircleCI",
        file: ".circleci/config.yml, among the steps of the job that runs the tests",
        recipes: &[Recipe {
            proof: Proof::Token,
            before: "Keep a token of this service as an environment variable of the project or of a context, called COVERAGE_TOKEN.",
            note: "",
            template: include_str!("templates/circleci.yml"),
        }],
    },
    CiSystem {
        key: "azure",
        name: "Azure Pipelines",
        file: "azure-pipelines.yml, among the steps after the tests",
        recipes: &[Recipe {
            proof: Proof::Token,
            before: "Keep a token of this service as a secret variable of the pipeline, called COVERAGE_TOKEN.",
            note: "A project may have spaces in its name, so say what the organisation and the repository are to be called here.",
            template: include_str!("templates/azure.yml"),
        }],
    },
    CiSystem {
        key: "bitbucket",
        name: "Bitbucket Pipelines",
        file: "bitbucket-pipelines.yml; or add the lines of script to the step that runs the tests",
        recipes: &[Recipe {
            proof: Proof::Token,
            before: "Keep a token of this service as a secured variable of the repository or the workspace, called COVERAGE_TOKEN.",
            note: "Where the tests run in a step of their own, pass their report on as artifacts.",
            template: include_str!("templates/bitbucket.yml"),
        }],
    },
    CiSystem {
        key: "shell",
        name: "Any shell",
        file: "wherever commands run",
        recipes: &[Recipe {
            proof: Proof::Token,
            before: "Set COVERAGE_TOKEN to a token of this service, and BRANCH, COMMIT and AUTHOR to what was measured.",
            note: "",
            template: include_str!("templates/shell.sh"),
        }],
    },
];

impl CiSystem {
    /// The one that is called `key` in an address.
    pub fn find(key: &str) -> Option<&'static Self> {
        CI_SYSTEMS.iter().find(|system| system.key == key)
    }
}
