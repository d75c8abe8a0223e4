//! The audit log: one row for each administrative change, written in the transaction of the change.

mod page;
mod reading;
#[cfg(test)]
mod tests;

pub(super) use page::push_scopes;
pub use reading::{AuditFilter, AuditReading};

use super::{Scope, StoreError, run::Run, text::storable, time::now};
use crate::actor::Actor;
use domain::{AuditAction, Repository};
use sqlx::AnyConnection;

/// The maximum length of a stored text, in bytes. It has room for a list of branches.
const TEXT_BYTES: usize = 2_000;

#[derive(Clone, Debug)]
pub(super) struct AuditChange {
    action: AuditAction,
    org: Option<String>,
    repo: Option<String>,
    subject: String,
    old: Option<String>,
    new: Option<String>,
}

impl AuditChange {
    pub(super) fn of_all(action: AuditAction, subject: impl Into<String>) -> Self {
        Self::of_scope(action, &Scope::All, subject)
    }

    pub(super) fn of(
        action: AuditAction,
        repository: &Repository,
        subject: impl Into<String>,
    ) -> Self {
        Self::of_scope(action, &Scope::Repository(repository.clone()), subject)
    }

    pub(super) fn of_scope(action: AuditAction, scope: &Scope, subject: impl Into<String>) -> Self {
        Self {
            action,
            org: scope.org().map(ToString::to_string),
            repo: scope.repo().map(ToString::to_string),
            subject: subject.into(),
            old: None,
            new: None,
        }
    }

    pub(super) fn before(mut self, old: impl Into<String>) -> Self {
        self.old = Some(old.into());
        self
    }

    pub(super) fn after(mut self, new: impl Into<String>) -> Self {
        self.new = Some(new.into());
        self
    }
}

/// Writes the row of a change, on the connection of the transaction that makes the change. The caller must not commit the change
/// if this fails.
pub(super) async fn write(
    connection: &mut AnyConnection,
    by: &Actor,
    change: &AuditChange,
) -> Result<(), StoreError> {
    const INSERT: &str = "
        insert into audit (
            at, actor_kind, actor, source, action, org_name, repo_name, subject, old_value, new_value
        ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let values = (
        now(),
        by.kind.word(),
        kept(&by.name),
        kept(&by.source),
        change.action.word(),
        change.org.as_deref(),
        change.repo.as_deref(),
        kept(&change.subject),
        change.old.as_deref().map(kept),
        change.new.as_deref().map(kept),
    );
    connection.run(INSERT, values).await
}

fn kept(text: &str) -> String {
    storable(&text[..text.floor_char_boundary(TEXT_BYTES)])
}

macro_rules! audit_columns {
    () => {
        "a.id, a.at, a.actor_kind, a.actor, a.source, a.action, a.org_name, a.repo_name, a.subject, a.old_value, a.new_value"
    };
}

use audit_columns;
