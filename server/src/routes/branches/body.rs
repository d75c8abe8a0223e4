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
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use std::{collections::HashSet, fmt};
use utoipa::ToSchema;

/// Reads the body, if it is JSON.
///
/// # Errors
///
/// 400, 408, 413 or 415.
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

/// The known members. Of the branches, only the type is checked; they are parsed after authorization.
#[derive(Default, Deserialize, ToSchema)]
#[schema(as = ActiveBranches, description = "Which branches a repository still has.")]
pub(super) struct Members {
    #[serde(default)]
    #[schema(value_type = names::OrgName, required)]
    org_name: Member,
    #[serde(default)]
    #[schema(value_type = names::RepoName, required)]
    repo_name: Member,
    /// The API that can check the token, if it is a token of a forge.
    #[serde(default)]
    #[schema(value_type = Option<names::VcsApiUrl>)]
    vcs_api_url: Member,
    /// Another name for `vcs_api_url`, which takes precedence.
    #[serde(default)]
    #[schema(value_type = Option<names::VcsApiUrl>)]
    github_api_url: Member,
    /// The commit that the job runs on. The token is checked for it.
    #[serde(default)]
    #[schema(value_type = names::CommitHash, required)]
    commit_hash: Member,
    /// The names of all existing branches, at least one of which has a record. A main branch that the operator has
    /// configured always stays current.
    #[serde(default)]
    #[schema(value_type = Vec<String>, required, min_items = 1)]
    active_branches: Member,
}

#[derive(Default)]
enum Member {
    #[default]
    Absent,
    Text(String),
    Texts,
    /// An empty array.
    Nothing,
    Other,
}

impl Members {
    /// Parses a body, which must be a JSON object.
    pub(super) fn of(body: &[u8]) -> Result<Self, ApiError> {
        // The derived parser also accepts an array.
        let is_object = body.trim_ascii_start().starts_with(b"{");
        match serde_json::from_slice(body) {
            Ok(members) if is_object => Ok(members),
            _ => Err(ApiError::malformed(
                "The body is not a JSON object; send one as UTF-8.",
            )),
        }
    }

    fn named(&self) -> [(&'static str, &Member); 5] {
        [
            ("org_name", &self.org_name),
            ("repo_name", &self.repo_name),
            ("vcs_api_url", &self.vcs_api_url),
            ("github_api_url", &self.github_api_url),
            ("commit_hash", &self.commit_hash),
        ]
    }

    /// Returns the members that are texts, by name.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.named()
            .into_iter()
            .filter_map(|(name, member)| match member {
                Member::Text(text) => Some((name, text.as_str())),
                _ => None,
            })
    }

    /// Returns the members of a wrong type, with the rule.
    pub(super) fn mistakes(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let texts = self.named().into_iter().filter_map(|(name, member)| {
            matches!(member, Member::Texts | Member::Nothing | Member::Other)
                .then_some((name, "must be a text"))
        });
        const RULE: &str = "must be an array of the names of all branches";
        let branches = match self.active_branches {
            Member::Texts => None,
            Member::Nothing => Some(("active_branches", "must name at least one branch")),
            _ => Some(("active_branches", RULE)),
        };
        texts.chain(branches)
    }
}

/// Parses the names of the branches. An invalid name does no harm, such as the `->` in the output of `git branch --all`.
pub(super) fn active_branches(body: &[u8]) -> Result<HashSet<String>, ApiError> {
    #[derive(Deserialize)]
    struct Branches {
        active_branches: HashSet<String>,
    }
    let branches: Result<Branches, _> = serde_json::from_slice(body);
    match branches {
        Ok(branches) => Ok(branches.active_branches),
        Err(_) => Err(ApiError::malformed(
            "The list of branches cannot be read; send active_branches as an array of texts.",
        )),
    }
}

impl<'de> Deserialize<'de> for Member {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MemberVisitor)
    }
}

struct MemberVisitor;

impl<'de> Visitor<'de> for MemberVisitor {
    type Value = Member;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Member, E> {
        Ok(Member::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Member, E> {
        Ok(Member::Absent)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Member, E> {
        Ok(Member::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Member, E> {
        Ok(Member::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Member, E> {
        Ok(Member::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Member, E> {
        Ok(Member::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Member, A::Error> {
        let (mut are_texts, mut is_empty) = (true, true);
        while let Some(item) = items.next_element::<Member>()? {
            are_texts &= matches!(item, Member::Text(_));
            is_empty = false;
        }
        Ok(if is_empty {
            Member::Nothing
        } else if are_texts {
            Member::Texts
        } else {
            Member::Other
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Member, A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Member::Other)
    }
}
