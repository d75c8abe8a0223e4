//! `GET /coverages-api/search`: branches, commits, pull requests, files, authors and owners that match a text, which the palette
//! fetches.

use super::readable::Readable;
use crate::{
    http::error::ApiError,
    routes::{
        openapi::{
            names::{self, Named, text},
            refusals::{NotForStrangers, Unexpected, WrongParameters},
        },
        parameters::{AtMost, Query, Required, parameters},
    },
};
use app::api::{
    AuthorFound, BranchFound, CommitFound, FileFound, OwnerFound, PullRequestFound, SearchAnswer,
};
use axum::Json;
use domain::{OrgName, RepoName, Repository};
use std::str::FromStr;
use store::{Found, FoundBranch, FoundCommit, FoundFile, FoundPullRequest};
use utoipa::openapi::{RefOr, Schema};

parameters! {
    struct SearchParameters {
        q: Required<SearchText>,
        // The org of `repo_name`; ignored without it.
        #[schema(names::optional::<names::OrgName>())]
        org_name: Option<OrgName>,
        // Branches, commits, pull requests and files of this repository come first, if `org_name` is given too.
        #[schema(names::optional::<names::RepoName>())]
        repo_name: Option<RepoName>,
    }
}

const MAX_BYTES: usize = 200;

struct SearchText(AtMost<MAX_BYTES>);

impl FromStr for SearchText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("must not be blank".to_owned());
        }
        text.parse().map(Self)
    }
}

impl Named for SearchText {
    fn schema() -> RefOr<Schema> {
        text("Words in any order and case, of at most 200 bytes. If nothing has them as they are typed, typing errors are forgiven.")
            .min_length(Some(1))
            .max_length(Some(MAX_BYTES))
            .pattern(Some(r"\S"))
            .examples(["payments main"])
            .into()
    }
}

/// Search branches, commits, pull requests, files, authors and owners
///
/// At most 10 of each, the best first. A commit is found by the first characters of its hash, at least 4.
#[utoipa::path(
    get,
    path = "/coverages-api/search",
    operation_id = "search",
    tag = "records",
    params(SearchParameters),
    responses(
        (status = 200, description = "The matches.", body = SearchAnswer),
        WrongParameters,
        NotForStrangers,
        Unexpected
    )
)]
pub(super) async fn read(
    Readable { reader, .. }: Readable,
    Query(parameters): Query<SearchParameters>,
) -> Result<Json<SearchAnswer>, ApiError> {
    let names = parameters.org_name.zip(parameters.repo_name);
    let first = names.map(|(org, repo)| Repository { org, repo });
    let found = reader.search(&parameters.q.0.0.0, first.as_ref()).await?;
    Ok(Json(answer(found)))
}

fn answer(found: Found) -> SearchAnswer {
    let branches = found.branches.into_iter().map(branch);
    let commits = found.commits.into_iter().map(commit);
    let authors = found.authors.into_iter().map(|author| AuthorFound {
        commit_author: author.into(),
    });
    let owners = found.owners.into_iter().map(|found| OwnerFound {
        org_name: found.org.into(),
        owner: found.owner,
    });
    SearchAnswer {
        owners: owners.collect(),
        branches: branches.collect(),
        commits: commits.collect(),
        authors: authors.collect(),
        pull_requests: found.pull_requests.into_iter().map(pull_request).collect(),
        files: found.files.into_iter().map(file).collect(),
    }
}

fn branch(found: FoundBranch) -> BranchFound {
    BranchFound {
        org_name: found.repository.org.into(),
        repo_name: found.repository.repo.into(),
        branch_name: found.branch.into(),
    }
}

fn commit(found: FoundCommit) -> CommitFound {
    CommitFound {
        org_name: found.repository.org.into(),
        repo_name: found.repository.repo.into(),
        branch_name: found.branch.into(),
        commit_hash: found.commit.into(),
        id: found.record_id,
    }
}

fn pull_request(found: FoundPullRequest) -> PullRequestFound {
    PullRequestFound {
        org_name: found.repository.org.into(),
        repo_name: found.repository.repo.into(),
        pull_request: found.number.into(),
    }
}

fn file(found: FoundFile) -> FileFound {
    FileFound {
        org_name: found.repository.org.into(),
        repo_name: found.repository.repo.into(),
        path: found.path,
        id: found.record_id,
    }
}
