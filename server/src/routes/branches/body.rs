//! The body of `PUT /coverages-api`: a JSON object, read within limits and checked without more memory than the body.

use crate::{
    http::error::ApiError,
    routes::{
        form::{is_json, read_within, unread},
        openapi::names,
    },
    state::AppState,
};
use axum::{
    body::{Body, Bytes},
    http::HeaderMap,
};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::collections::HashSet;
use utoipa::ToSchema;

/// Reads the body, if it is JSON.
pub(super) async fn read(
    state: &AppState,
    headers: &HeaderMap,
    body: Body,
) -> Result<Bytes, ApiError> {
    if is_json(headers) == Some(false) {
        return Err(ApiError::unsupported(
            "Send the list of active branches as application/json.",
        ));
    }
    let (limit, seconds) = (state.max_branches_bytes, state.limits.request_head_seconds);
    let read = read_within(seconds, "list of branches", body, limit).await?;
    let too_large = format!(
        "The list of branches is larger than {limit} bytes; send only the branches that still exist."
    );
    read.map_err(|error| unread(error, too_large))
}

/// The known members, as they were sent. Of the branches, only the type is checked; they are parsed after authorization.
#[derive(Deserialize, ToSchema)]
#[schema(as = ActiveBranches, description = "Which branches a repository still has.")]
pub(super) struct Members<'a> {
    #[serde(borrow)]
    #[schema(value_type = names::OrgName, required)]
    org_name: Option<&'a RawValue>,
    #[serde(borrow)]
    #[schema(value_type = names::RepoName, required)]
    repo_name: Option<&'a RawValue>,
    /// The API that can check the token, if it is a token of a forge.
    #[serde(borrow)]
    #[schema(value_type = Option<names::VcsApiUrl>)]
    vcs_api_url: Option<&'a RawValue>,
    /// Another name for `vcs_api_url`, which takes precedence.
    #[serde(borrow)]
    #[schema(value_type = Option<names::VcsApiUrl>)]
    github_api_url: Option<&'a RawValue>,
    /// The commit that the job runs on. The token is checked for it.
    #[serde(borrow)]
    #[schema(value_type = names::CommitHash, required)]
    commit_hash: Option<&'a RawValue>,
    /// The names of all existing branches, at least one of which has a record. A main branch that the operator has
    /// configured always stays current.
    #[serde(borrow)]
    #[schema(value_type = Vec<String>, required, min_items = 1)]
    active_branches: Option<&'a RawValue>,
}

impl<'a> Members<'a> {
    /// Parses a body, which must be a JSON object.
    pub(super) fn of(body: &'a [u8]) -> Result<Self, ApiError> {
        // The derived parser also accepts an array.
        let is_object = body.trim_ascii_start().starts_with(b"{");
        match serde_json::from_slice(body) {
            Ok(members) if is_object => Ok(members),
            _ => Err(ApiError::malformed(
                "The body is not a JSON object; send one as UTF-8.",
            )),
        }
    }

    fn named(&self) -> impl Iterator<Item = (&'static str, Option<String>)> {
        let members = [
            ("org_name", self.org_name),
            ("repo_name", self.repo_name),
            ("vcs_api_url", self.vcs_api_url),
            ("github_api_url", self.github_api_url),
            ("commit_hash", self.commit_hash),
        ];
        let text = |member: &RawValue| serde_json::from_str(member.get()).ok();
        let members = members.into_iter();
        members.filter_map(move |(name, member)| Some((name, text(member?))))
    }

    /// Returns the members that are texts, by name.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.named().filter_map(|(name, text)| Some((name, text?)))
    }

    /// Returns the members of a wrong type, with the rule.
    pub(super) fn mistakes(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let texts = self.named().filter(|(_, text)| text.is_none());
        let texts = texts.map(|(name, _)| (name, "must be a text"));
        let branches = self.active_branches.map(RawValue::get);
        let rule = match branches.map(serde_json::from_str::<Vec<AnyText>>) {
            Some(Ok(branches)) if branches.is_empty() => Some("must name at least one branch"),
            Some(Ok(_)) => None,
            _ => Some("must be an array of the names of all branches"),
        };
        texts.chain(rule.map(|rule| ("active_branches", rule)))
    }
}

/// Parses the names of the branches. An invalid name does no harm, such as the `->` in the output of `git branch --all`.
pub(super) fn active_branches(body: &[u8]) -> Result<HashSet<String>, ApiError> {
    let branches = Members::of(body)?.active_branches.map(RawValue::get);
    match branches.map(serde_json::from_str) {
        Some(Ok(branches)) => Ok(branches),
        _ => Err(ApiError::malformed(
            "The list of branches cannot be read; send active_branches as an array of texts.",
        )),
    }
}

/// A text that is not kept, so that a list of them takes no memory.
struct AnyText;

impl<'de> Deserialize<'de> for AnyText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|_| Self)
    }
}
