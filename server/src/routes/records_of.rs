//! `GET /coverages-api/records`: the records of a commit or of a pull request.

use super::readable::Readable;
use super::{
    etag::json,
    listing::Page,
    openapi::{
        names::{Named, text},
        refusals::{IfNoneMatch, Read, WrongParameters},
    },
    parameters::{Described, Parameters, Required, parameters},
    record_json::RecordJson,
};
use crate::http::error::ApiError;
use axum::{extract::RawQuery, http::HeaderMap, response::Response};
use domain::{OrgName, PullRequest, RepoName, Repository};
use serde::Serialize;
use std::str::FromStr;
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

parameters! {
    /// The parameters of `recordsOf`: one of the last two is required.
    struct RecordsOfParameters {
        org_name: Required<OrgName>,
        repo_name: Required<RepoName>,
        commit_hash: Option<CommitStart>,
        pull_request: Option<PullRequest>,
        /// A page past the end is empty.
        p: Option<Page>,
    }
}

/// The first digits of a commit, or all of them.
pub(super) struct CommitStart(pub(super) String);

impl CommitStart {
    const SHORTEST: usize = 7;
    const LONGEST: usize = 64;
}

impl Named for CommitStart {
    fn schema() -> RefOr<Schema> {
        text("The commit, or the first digits of it: 7 or more. Needed without `pull_request`.")
            .pattern(Some("^[0-9A-Fa-f]{7,64}$"))
            .examples(["9be01d2f"])
            .into()
    }
}

impl FromStr for CommitStart {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_hash = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hash && (Self::SHORTEST..=Self::LONGEST).contains(&text.len()) {
            Ok(Self(text.to_owned()))
        } else {
            let (shortest, longest) = (Self::SHORTEST, Self::LONGEST);
            Err(format!(
                "must be {shortest} to {longest} hexadecimal digits"
            ))
        }
    }
}

/// Records of a commit or of a pull request.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordsOf)]
struct Answer<'a> {
    /// Whether there is another page.
    has_next: bool,
    /// At most 100 records, the newest first.
    #[schema(max_items = 100)]
    records: Vec<RecordJson<'a>>,
}

/// The records of a commit or of a pull request
///
/// Of all branches and languages of a repository, the newest first. If both are named, the commit counts.
#[utoipa::path(
    get,
    path = "/coverages-api/records",
    operation_id = "recordsOf",
    tag = "records",
    params(RecordsOfParameters, IfNoneMatch),
    responses((status = 200, description = "The records.", body = Answer), Read<WrongParameters>)
)]
pub(super) async fn list(
    Readable { reader, .. }: Readable,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let mut parameters = Parameters::of(query.as_deref())?;
    let read = RecordsOfParameters::read(&mut parameters);
    let is_named = ["commit_hash", "pull_request"]
        .iter()
        .any(|name| parameters.text(name).is_some());
    if !is_named {
        parameters.refuse("commit_hash", "is required, or pull_request");
    }
    let asked = parameters.check(read)?;
    let (Required(org), Required(repo)) = (asked.org_name, asked.repo_name);
    let repository = Repository { org, repo };
    let page = asked.p.unwrap_or_default().0;
    let found = match (asked.commit_hash, asked.pull_request) {
        (Some(CommitStart(start)), _) => {
            reader.records_of_commit(&repository, &start, page).await?
        }
        (None, Some(number)) => {
            let found = reader.records_of_pull_request(&repository, &number, page);
            found.await?
        }
        (None, None) => store::Page::default(),
    };
    let answer = Answer {
        has_next: found.has_next,
        records: found.records.iter().map(RecordJson::from).collect(),
    };
    json(&headers, &answer)
}
