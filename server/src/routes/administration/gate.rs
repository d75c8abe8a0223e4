//! `POST /admin/gate/set` and `/admin/gate/clear`: set and remove rules of the gate of a repository, or of its org
//! with `for=org`.

use super::{Answering, Sent};
use crate::{http::error::ApiError, routes::parameters::Parameters, state::AppState};
use app::links;
use axum::{
    extract::{Request, State},
    response::{Redirect, Response},
};
use domain::{GateRules, OrgName, RepoName, Repository, Scope};
use store::Named;

pub(in crate::routes) async fn set(State(state): State<AppState>, request: Request) -> Response {
    let answering = Answering::of(&request);
    let set = set_of_form(&state, request).await;
    answering.answer(&state, set, links::SETTINGS)
}

pub(in crate::routes) async fn clear(State(state): State<AppState>, request: Request) -> Response {
    let answering = Answering::of(&request);
    let cleared = clear_of_form(&state, request).await;
    answering.answer(&state, cleared, links::SETTINGS)
}

async fn set_of_form(state: &AppState, request: Request) -> Result<Redirect, ApiError> {
    let sent = Sent::read(state, request).await?;
    let repository = repository_of(&sent).await?;
    let rules = GateRules::of_fields(|name| sent.form.text(name).map(str::to_owned));
    let rules = rules.map_err(ApiError::parameters)?;
    if rules.is_empty() {
        let detail = "must be set, or another rule";
        return Err(ApiError::parameter("changed", detail.to_owned()));
    }
    let of = scope_of(&sent, &repository)?;
    let by = &sent.admin.actor;
    state.store.operator().set_gate(&of, &rules, by).await?;
    tracing::info!(%of, by = by.name, "rules of a gate were set");
    Ok(Redirect::to(&links::gate(&repository)))
}

async fn clear_of_form(state: &AppState, request: Request) -> Result<Redirect, ApiError> {
    let sent = Sent::read(state, request).await?;
    let repository = repository_of(&sent).await?;
    let of = scope_of(&sent, &repository)?;
    let by = &sent.admin.actor;
    if state.store.operator().clear_gate(&of, by).await?.is_some() {
        tracing::info!(%of, by = by.name, "the rules of a gate were removed");
    }
    Ok(Redirect::to(&links::gate(&repository)))
}

/// Returns the repository of a form in its first spelling, if the administrator may read and administer it.
async fn repository_of(sent: &Sent) -> Result<Repository, ApiError> {
    let name = named(&sent.form);
    let stored = match &name {
        Some(name) if sent.admin.covers(name) => sent.reader.stored_repository(name).await?,
        _ => None,
    };
    stored.ok_or_else(|| {
        let text = |field| sent.form.text(field).unwrap_or_default();
        let name = format!("{}/{}", text("org_name"), text("repo_name"));
        ApiError::not_found(format!("Nothing was ever uploaded to {name}."))
    })
}

/// What the rules are for: the repository, or its org if the administrator may administer the whole org.
fn scope_of(sent: &Sent, repository: &Repository) -> Result<Named, ApiError> {
    match sent.form.text("for") {
        None => Ok(Named::Repository(repository.clone())),
        Some("org") if sent.admin.includes(&Scope::Org(repository.org.clone())) => {
            Ok(Named::Org(repository.org.clone()))
        }
        Some("org") => Err(ApiError::parameter(
            "for",
            format!(
                "must be left out: you do not administer all repositories of {}",
                repository.org
            ),
        )),
        Some(_) => Err(ApiError::parameter(
            "for",
            "must be org, or left out".to_owned(),
        )),
    }
}

fn named(form: &Parameters) -> Option<Repository> {
    let org: OrgName = form.text("org_name")?.parse().ok()?;
    let repo: RepoName = form.text("repo_name")?.parse().ok()?;
    Some(Repository { org, repo })
}
