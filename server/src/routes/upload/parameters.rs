//! The parameters of an upload.

use crate::{
    http::error::ApiError,
    routes::{
        openapi::names::{self, Named},
        parameters::{Described, Flag, Parameters, Required, parameters},
    },
};
use domain::{
    BranchName, CommitAuthor, CommitHash, Language, OrgName, PartList, PartName, PullRequest,
    RepoName, RunUrl, TreeHash,
};
use ingest::CoverageFileName;
use std::str::FromStr;

parameters! {
    /// The names in an upload.
    pub(super) struct UploadParameters {
        /// The org.
        org_name: Required<OrgName>,
        /// The repository.
        repo_name: Required<RepoName>,
        /// The branch.
        branch_name: Required<BranchName>,
        /// The commit. Another upload of the same commit replaces its record, so that a job can be retried. If a forge
        /// checks the token, this must be the full identifier.
        commit_hash: Required<CommitHash>,
        /// Who made the commit.
        commit_author: Required<CommitAuthor>,
        /// The language.
        language: Required<Language>,
        /// The name of the coverage file in the archive. If several match, the one with the fewest folders is used, then
        /// the first in byte order. Only a request without an archive may leave it out.
        coverage_xml_file_name: Option<CoverageFileName>,
        /// The part of the commit's tests in this upload. A commit has at most 50 parts.
        part: Option<PartName>,
        /// The parts that the commit will have. The parts of several uploads are united. The record is current when all have
        /// arrived, in any language, or after `PARTS_TIMEOUT`. `web:typescript` is a part of the TypeScript record only, and has
        /// to arrive in that language.
        parts: Option<PartList>,
        /// Whether no further part will come. The form field `file` may be missing then.
        finish: Flag,
        /// A part that will not come; it counts as arrived. The form field `file` may be missing then.
        skip: Option<PartName>,
        /// Why the part `skip` will not come.
        reason: Option<PlainText<255>>,
        /// The pull request of the commit: its number, on GitLab its `iid`.
        pull_request: Option<PullRequest>,
        /// The branch that the pull request goes to.
        #[schema(<names::TargetBranch as Named>::schema())]
        target_branch: Option<BranchName>,
        /// The commit that the form field `changes` starts from.
        #[schema(<names::BaseCommit as Named>::schema())]
        base_commit: Option<CommitHash>,
        /// The tree of `base_commit`.
        base_tree: Option<TreeHash>,
        /// The tree that was measured: what `git rev-parse HEAD^{tree}` prints.
        tree_hash: Option<TreeHash>,
        /// The page of the CI run, which pages link to. An identity that names its run takes precedence.
        run_url: Option<RunUrl>,
        /// The top of the checkout as the job sees it: what `git rev-parse --show-toplevel` prints there, also in a container. With
        /// the form field `paths`, it maps the paths of the coverage file to files. It is not stored.
        root: Option<PlainText<4096>>,
        /// The folder of the coverage file within the repository. If several folders have a file of the same path, it decides
        /// which file is meant. It is not stored.
        report_folder: Option<PlainText<4096>>,
        /// Whether the answer has a third member `summary`, as `GET /coverages-api/records/{id}` returns it.
        summary: Flag,
    }
}

parameters! {
    /// The forge that can check the token.
    pub(in crate::routes) struct ForgeParameters {
        /// The API that can check the token, if it is a token of a forge.
        #[schema(<names::VcsApiUrl as Named>::schema())]
        vcs_api_url: Option<String>,
        /// Another name for `vcs_api_url`, which takes precedence.
        #[schema(<names::VcsApiUrl as Named>::schema())]
        github_api_url: Option<String>,
    }
}

/// A text of at most `MOST` bytes, such as a folder of a job.
pub(in crate::routes) struct PlainText<const MOST: usize>(pub(in crate::routes) String);

impl<const MOST: usize> FromStr for PlainText<MOST> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.len() > MOST || text.chars().any(char::is_control) {
            return Err(format!(
                "must be 1 to {MOST} bytes without control characters"
            ));
        }
        Ok(Self(text.to_owned()))
    }
}

/// Reads the parameters of an upload. Some need each other.
pub(super) fn read(mut parameters: Parameters) -> Result<UploadParameters, ApiError> {
    let read = UploadParameters::read(&mut parameters);
    let is_skipping = parameters.text("skip").is_some();
    let is_finishing = matches!(parameters.read("finish"), Some(Flag(true)));
    let is_missing = |name| parameters.text(name).is_none();
    let lacks_file = is_missing("coverage_xml_file_name") && !is_skipping && !is_finishing;
    let lacks_reason = is_missing("reason") && is_skipping;
    if lacks_file {
        parameters.refuse("coverage_xml_file_name", "is missing");
    }
    if lacks_reason {
        parameters.refuse("reason", "is missing; state why the part will not come");
    }
    parameters.check(read)
}

/// Reads `vcs_api_url`. Its name in the CI steps of the replaced system is `github_api_url`.
pub(in crate::routes) fn vcs_api_url(parameters: &mut Parameters) -> Option<String> {
    let forge = ForgeParameters::read(parameters)?;
    let url = forge.vcs_api_url.or(forge.github_api_url)?;
    if !is_web_address(&url) {
        parameters.refuse(
            "vcs_api_url",
            "must be an http or https URL of at most 2048 bytes",
        );
    }
    Some(url)
}

fn is_web_address(url: &str) -> bool {
    let scheme = url
        .split_once("://")
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    url.len() <= 2_048
        && matches!(scheme.as_deref(), Some("http" | "https"))
        && url.parse::<axum::http::Uri>().is_ok()
}
