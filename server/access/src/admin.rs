//! The proof that a request may administer: which repositories, and who it is for the audit log.

use domain::{Repository, Scope};
use std::{net::IpAddr, sync::Arc};
use store::{
    Token,
    actor::{Actor, ActorKind},
};

/// The proof that a request may administer. Only this crate creates it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Admin {
    /// The actor for the audit log.
    pub actor: Actor,
    /// The scope of the token, or the scopes of the groups of the person.
    pub scopes: Arc<[Scope]>,
    /// Whether the browser has a session, and so can be logged out.
    pub has_session: bool,
}

impl Admin {
    /// The holder of an admin token.
    pub(super) fn of_token(token: &Token, address: IpAddr) -> Self {
        Self {
            actor: Actor::client(ActorKind::Token, &token.name, address),
            scopes: [token.scope.clone()].into(),
            has_session: false,
        }
    }

    /// A person who may administer these scopes; `None` without a scope.
    pub(super) fn of_person(name: &str, scopes: Vec<Scope>, address: IpAddr) -> Option<Self> {
        let actor = || Actor::client(ActorKind::Person, name, address);
        (!scopes.is_empty()).then(|| Self {
            actor: actor(),
            scopes: scopes.into(),
            has_session: false,
        })
    }

    /// Whether it covers a repository.
    pub fn covers(&self, repository: &Repository) -> bool {
        self.scopes.iter().any(|scope| scope.covers(repository))
    }

    /// Whether it covers all repositories of a scope.
    pub fn includes(&self, other: &Scope) -> bool {
        self.scopes.iter().any(|scope| scope.includes(other))
    }
}
