//! Extractors for handlers: what the reader of a request may see.

use crate::{
    http::error::{ApiError, Code},
    state::{AppState, ReadFrom, Service},
};
use access::read_scope_of;
use axum::{extract::FromRequestParts, http::request::Parts};
use std::{convert::Infallible, ops::Deref};
use store::{ReadScope, Reader, Scope};

/// The records as the reader of a request may see them, and the service.
#[derive(Clone)]
pub(super) struct Readable {
    pub(super) reader: Reader,
    service: AppState,
}

impl Deref for Readable {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

/// The proof that the reader may see the whole service.
pub(super) struct WholeService;

impl FromRequestParts<AppState> for Readable {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let scope = read_scope_of(&parts.extensions, state.readers.is_some());
        Ok(Self {
            reader: ReadFrom::reader(&parts.extensions, &state.store, scope),
            service: state.clone(),
        })
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

fn listed(scope: &ReadScope) -> String {
    let scopes = scope.scopes().unwrap_or_default();
    let names: Vec<_> = scopes.iter().map(Scope::to_string).collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        names => format!("only {}", names.join(", ")),
    }
}
