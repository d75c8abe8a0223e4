//! `POST /admin/tokens/create` and `/admin/tokens/revoke`: make and revoke tokens.

use super::{Answering, Sent};
use crate::{
    http::error::ApiError,
    operations::new_token::{NewToken, lifetime, token_name},
    routes::{parameters::Parameters, plain_page},
    state::AppState,
};
use app::{MadeTokenPage, links};
use axum::{
    extract::{Request, State},
    response::{Redirect, Response},
};
use domain::{OrgName, RepoName, Scope};
use std::str::FromStr;
use store::StoreError;

/// Answers with the new token, which no other answer contains.
pub(in crate::routes) async fn create(State(state): State<AppState>, request: Request) -> Response {
    let answering = Answering::of(&request);
    let theme = answering.theme;
    let made = create_of_form(&state, request).await;
    let made = made.map(|(sentence, token)| {
        let page = MadeTokenPage {
            theme,
            sentence: &sentence,
            token: &token,
        };
        let html = app::made_token_page(&state.site.assets, page);
        plain_page::with_page(&state, Response::default(), html)
    });
    answering.answer(&state, made, links::SETTINGS)
}

pub(in crate::routes) async fn revoke(State(state): State<AppState>, request: Request) -> Response {
    let answering = Answering::of(&request);
    let revoked = revoke_of_form(&state, request).await;
    answering.answer(&state, revoked, links::SETTINGS)
}

/// Returns what the token may do, and the token.
async fn create_of_form(state: &AppState, request: Request) -> Result<(String, String), ApiError> {
    let Sent { admin, form, .. } = Sent::read(state, request).await?;
    let new = new_token(form)?;
    if !admin.includes(&new.scope) {
        let own: Vec<_> = admin.scopes.iter().map(Scope::to_string).collect();
        return Err(ApiError::token_not_for_repository(format!(
            "You may make tokens for {} only; choose an org or a repository of it.",
            own.join(", ")
        )));
    }
    let made = new.make(&state.store, &admin.actor).await;
    let made = made.map_err(|error| match error {
        StoreError::NameTaken => {
            ApiError::parameter("name", "must not be the name of another token".to_owned())
        }
        error => error.into(),
    })?;
    let by = &admin.actor.name;
    tracing::info!(token = made.id, by, "a token was created");
    Ok((new.sentence(), made.token))
}

/// The name of an org that no org has, for a token of every repository.
const EVERY_ORG: &str = "*";

fn new_token(mut form: Parameters) -> Result<NewToken, ApiError> {
    let name = token_name(form.text("name").unwrap_or_default());
    let name = name.map_err(|why| form.refuse("name", why)).ok();
    let purpose = form.text("for").unwrap_or_default().parse();
    let purpose = purpose.map_err(|_| form.refuse("for", "must be upload, read or admin"));
    let is_for_every_org = form.text("org_name").map(str::trim) == Some(EVERY_ORG);
    let org: Option<OrgName> = match is_for_every_org {
        true => None,
        false => optional(&mut form, "org_name"),
    };
    // A blank field must not make a token for every repository.
    if form.text("org_name").is_none() {
        form.refuse("org_name", "must be an org, or * for every org");
    }
    let repo: Option<RepoName> = optional(&mut form, "repo_name");
    if repo.is_some() && is_for_every_org {
        form.refuse("repo_name", "needs an org");
    }
    let expires = form.text("expires").map(lifetime).transpose();
    let expires = expires.map_err(|why| form.refuse("expires", why)).ok();
    let new = name.zip(purpose.ok()).zip(expires);
    let scope = Scope::new(org, repo);
    let new = new.map(|((name, purpose), expires)| NewToken::new(name, purpose, scope, expires));
    form.check(new)
}

/// Reads a name that may be absent. A mistake is kept for the check.
fn optional<Name: FromStr<Err: ToString>>(
    form: &mut Parameters,
    field: &'static str,
) -> Option<Name> {
    let name = form.text(field)?.trim().parse();
    match name {
        Ok(name) => Some(name),
        Err(why) => {
            let why: Name::Err = why;
            form.refuse(field, why.to_string());
            None
        }
    }
}

async fn revoke_of_form(state: &AppState, request: Request) -> Result<Redirect, ApiError> {
    let Sent { admin, form, .. } = Sent::read(state, request).await?;
    let id = form.text("token").unwrap_or_default();
    // Tokens outside of the scopes count as missing.
    let missing = || ApiError::not_found(format!("There is no valid token {id}."));
    let operator = state.store.operator();
    let tokens = operator.tokens().await?;
    let is_meant = |token: &&store::Token| {
        token.id.to_string() == id && token.revoked_at.is_none() && admin.includes(&token.scope)
    };
    let token = tokens.iter().find(is_meant).ok_or_else(missing)?;
    if !operator.revoke_token(token.id, &admin.actor).await? {
        return Err(missing());
    }
    let by = &admin.actor.name;
    tracing::info!(token = token.id, by, "a token was revoked");
    Ok(Redirect::to(links::SETTINGS))
}
