//! What the reader of a request may see: extractors for the handlers of routes that read.

use crate::{
    http::error::{ApiError, Code},
    state::AppState,
};
use access::read_scope_of;
use axum::{extract::FromRequestParts, http::request::Parts};
use std::convert::Infallible;
use store::{ReadScope, Scope, Store};

/// The store, or the state with the store, to which other repositories do not exist.
pub(super) struct Readable<T>(pub(super) T);

/// The proof that the reader may see the whole service.
pub(super) struct WholeService;

impl FromRequestParts<AppState> for Readable<Store> {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let scope = read_scope_of(&parts.extensions, state.readers.is_some());
        Ok(Self(state.store.for_reader(scope)))
    }
}

impl FromRequestParts<AppState> for Readable<AppState> {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let Readable(store) = Readable::<Store>::from_request_parts(parts, state).await?;
        Ok(Self(state.with_store(store)))
    }
}

impl<S: Sync> FromRequestParts<S> for WholeService {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        // The address for monitoring serves metrics without a reader, also if reading is protected.
        let scope = read_scope_of(&parts.extensions, false);
        if scope.is_all() {
            return Ok(Self);
        }
        Err(ApiError::new(
            Code::WholeService,
            format!(
                "This is about all orgs of the service, and you may read {}; ask the operator for a token without an org.",
                listed(&scope)
            ),
        ))
    }
}

/// The scopes in words.
fn listed(scope: &ReadScope) -> String {
    let scopes = scope.scopes().unwrap_or_default();
    let names: Vec<_> = scopes.iter().map(Scope::to_string).collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        names => format!("only {}", names.join(", ")),
    }
}
