//! What Codecov's browser extension reads: the lines of a file, the changed lines of a pull request, and the names to filter by.
//!
//! The guard admits readers as for the service's own interface: without an own rule every address here needs a reader.

mod compare;
mod lists;
mod report;

use crate::{
    http::{
        error::ApiError,
        surround::{run, surround},
    },
    routes::{heavy, parameters::Parameters, peer::peer, record_json::number},
    state::AppState,
};
use axum::{
    Router,
    extract::{FromRequestParts, Path, Request},
    http::request::Parts,
    response::Response,
    routing::{Route, get},
};
use domain::{BranchName, Percentage, Repository};
use lines::State;
use serde::Serialize;
use serde_json::value::RawValue;
use std::{collections::HashMap, fmt::Display, str::FromStr};
use store::{Reader, StoreError};

/// The most lines of an answer: a browser shows no longer file or change.
const MOST_LINES: usize = 100_000;

/// The extension drops the path of the service's address, so these are at its root.
pub(super) fn router(state: &AppState) -> Router<AppState> {
    let reads = Router::new()
        .route(
            "/api/v2/{provider}/{owner}/repos/{repo}/report",
            get(report::read),
        )
        .route(
            "/api/v2/{provider}/{owner}/repos/{repo}/compare",
            get(compare::read),
        )
        .route(
            "/api/v2/{provider}/{owner}/repos/{repo}/flags",
            get(lists::flags),
        )
        .route(
            "/api/v2/{provider}/{owner}/repos/{repo}/components",
            get(lists::components),
        );
    surround(reads, state.clone(), counted)
        .route("/api/v2/{provider}/", get(lists::known))
        // The extension writes a final `/`, which its library removes.
        .route("/api/v2/{provider}", get(lists::known))
}

/// All of them read the lines or the files of records.
async fn counted(state: AppState, request: Request, route: Route) -> Response {
    let (peer, headers) = (peer(&request), request.headers().clone());
    let answering = async move { run(route, request).await };
    heavy::counted(&state.budget, peer, &headers, answering).await
}

/// The repository in an address. The provider says nothing about the forge: the extension sends one of two words.
struct Named(Repository);

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = Path::<HashMap<String, String>>::from_request_parts(parts, state).await;
        let named = path.ok().and_then(|Path(names)| {
            // Codecov writes nested groups with colons.
            let org = names.get("owner")?.replace(':', "/");
            format!("{org}/{}", names.get("repo")?).parse().ok()
        });
        named.map(Self).ok_or_else(nothing_uploaded)
    }
}

fn nothing_uploaded() -> ApiError {
    ApiError::not_found(
        "No coverage was uploaded for this repository, branch, commit or pull request.",
    )
}

/// Reads a parameter. An invalid one is refused by its name.
fn parameter<T: FromStr<Err: Display>>(
    parameters: &mut Parameters,
    name: &'static str,
) -> Result<Option<T>, ApiError> {
    let text = parameters.text(name);
    let value = text.map(str::parse).transpose();
    value.map_err(|error: T::Err| ApiError::parameter(name, error.to_string()))
}

/// The state of a line, as Codecov numbers it.
fn number_of(state: State) -> u8 {
    match state {
        State::Hit => 0,
        State::Missed => 1,
        State::Partial => 2,
    }
}

async fn main_branch(
    reader: &Reader,
    repository: &Repository,
) -> Result<Option<BranchName>, StoreError> {
    let main = reader.main_branch(repository).await?;
    Ok(main.and_then(|main| main.branch))
}

/// A percentage; `null` if it is not known.
#[derive(Serialize)]
struct Coverage {
    coverage: Option<Box<RawValue>>,
}

impl From<Option<Percentage>> for Coverage {
    /// The extension reads 0 as unknown.
    fn from(percentage: Option<Percentage>) -> Self {
        let coverage = percentage.and_then(|percentage| match percentage.basis_points() {
            0 => RawValue::from_string("0.0001".to_owned()).ok(),
            _ => number(percentage),
        });
        Self { coverage }
    }
}
