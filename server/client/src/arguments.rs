//! The arguments that the commands for laptops and jobs share: the service that they call, and the repository.

use crate::{
    environment::variable,
    error::ClientError,
    git::Git,
    service::{Found, Service},
};
use clap::Args;
use config::Secret;
use domain::{Language, OrgName, RepoName, Repository};
use reqwest::Url;

/// The service, and the repository whose records are meant.
#[derive(Clone, Debug, Args)]
pub struct ClientArguments {
    /// The address of the dashboard.
    #[arg(long, env = "COVERAGE_URL")]
    pub url: Option<Url>,

    /// A token for reading, if reading is protected.
    #[arg(long, env = "COVERAGE_TOKEN")]
    pub token: Option<Secret>,

    /// The org [default: the org of the merge request's target, else of the git remote origin].
    #[arg(long)]
    pub org: Option<OrgName>,

    /// The repository [default: the merge request's target, else the repository of the git remote origin].
    #[arg(long)]
    pub repo: Option<RepoName>,

    /// The language [default: all].
    #[arg(long)]
    pub language: Option<Language>,
}

impl ClientArguments {
    pub(super) fn service(&self) -> Result<Service, ClientError> {
        let url = self.url.clone().ok_or(ClientError::NoUrl)?;
        Service::new(url, self.token.clone())
    }

    /// The named repository, else the target of the merge request, else the repository of the remote `origin`.
    pub(super) fn repository(&self, git: &Git) -> Result<Repository, ClientError> {
        if let (Some(org), Some(repo)) = (self.org.clone(), self.repo.clone()) {
            return Ok(Repository { org, repo });
        }
        let origin = merge_request_target().or_else(|| git.origin());
        let origin = origin.ok_or(ClientError::NoRepository)?;
        Ok(Repository {
            org: self.org.clone().unwrap_or(origin.org),
            repo: self.repo.clone().unwrap_or(origin.repo),
        })
    }

    /// Returns the records of HEAD, or of its nearest ancestor that has one.
    pub(super) async fn of_ancestor(
        &self,
        git: &Git,
        service: &Service,
        repository: &Repository,
    ) -> Result<Vec<Found>, ClientError> {
        let commits = git.ancestors()?;
        let language = self.language.as_ref();
        let records = service.of_nearest(repository, &commits, language).await?;
        match records.is_empty() {
            true => Err(no_record(
                repository,
                "any commit of HEAD".to_owned(),
                language,
            )),
            false => Ok(records),
        }
    }
}

/// The error if a repository has no record of `what` in this language, or in any.
pub(super) fn no_record(
    repository: &Repository,
    what: String,
    language: Option<&Language>,
) -> ClientError {
    ClientError::NoRecord {
        repository: repository.clone(),
        what: match language {
            Some(language) => format!("{what} in {language}"),
            None => what,
        },
    }
}

/// The project that a merge request of GitLab goes to. In a job of a fork, the remote `origin` is the fork, which has no records.
fn merge_request_target() -> Option<Repository> {
    variable("CI_MERGE_REQUEST_PROJECT_PATH")?.parse().ok()
}
