//! `GET /coverages-api/repositories` and `GET /coverages-api/search`: what the palette finds.

use serde::{Deserialize, Serialize};

/// The names of all repositories, by org.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(as = RepositoryNames))]
pub struct RepositoriesAnswer {
    /// The orgs that have repositories, by name.
    pub orgs: Vec<OrgRepositories>,
    /// Whether the answer has all repositories. It has at most 20,000, the newest ones.
    pub is_whole: bool,
}

/// The repositories of an org, without the repositories of its groups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct OrgRepositories {
    /// The org.
    pub org_name: String,
    /// Its repositories, by name.
    pub repo_names: Vec<String>,
}

/// Branches, commits, pull requests, files, authors and owners that match a text, at most 10 of each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(as = SearchResults))]
pub struct SearchAnswer {
    /// Branches. Every word is in `org_name/repo_name@branch_name`, and at least one in `branch_name` alone, unless a word has
    /// an `@`.
    pub branches: Vec<BranchFound>,
    /// Commits whose hash starts with the text, as typed, in lower or in upper case, the newest first; empty if the text has
    /// fewer than 4 characters.
    pub commits: Vec<CommitFound>,
    /// Pull requests whose number is the only number in the text, perhaps after a `#`, and whose repository has the other words.
    #[serde(default)]
    pub pull_requests: Vec<PullRequestFound>,
    /// Files whose path has every word: of the repository named in the request, and of the repositories that were uploaded last.
    /// Empty if the text has fewer than 3 bytes.
    #[serde(default)]
    pub files: Vec<FileFound>,
    /// Authors whose name has every word, among the first 20,000 by name.
    pub authors: Vec<AuthorFound>,
    /// Owners of files whose name has every word, among the first 20,000 by name. Owners are as they were counted last.
    #[serde(default)]
    pub owners: Vec<OwnerFound>,
}

/// A branch of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct BranchFound {
    /// The org.
    pub org_name: String,
    /// The repository.
    pub repo_name: String,
    /// The branch.
    pub branch_name: String,
}

/// The newest record of a commit in a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct CommitFound {
    /// The org.
    pub org_name: String,
    /// The repository.
    pub repo_name: String,
    /// The branch of the record.
    pub branch_name: String,
    /// The commit.
    pub commit_hash: String,
    /// The id of the record.
    pub id: i64,
}

/// A pull request of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct PullRequestFound {
    /// The org.
    pub org_name: String,
    /// The repository.
    pub repo_name: String,
    /// Its number.
    pub pull_request: String,
}

/// A file in the current record of a main branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct FileFound {
    /// The org.
    pub org_name: String,
    /// The repository.
    pub repo_name: String,
    /// Its path.
    pub path: String,
    /// The id of the record.
    pub id: i64,
}

/// An owner of files in repositories of an org.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct OwnerFound {
    /// The org, without its groups.
    pub org_name: String,
    /// The owner, as in CODEOWNERS.
    pub owner: String,
}

/// An author of commits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct AuthorFound {
    /// The name, as CI jobs sent it.
    pub commit_author: String,
}
