//! Which repositories a reader may see. To a store for a reader, the others do not exist: [`Store::for_reader`].
//!
//! Queries of lists mark where the condition belongs: [`readable!`](crate::sql::readable) for a table with the names of repositories,
//! [`readable_record!`](crate::sql::readable_record) for records. Queries by a name or a number ask [`Store::shows`] or [`Store::shows_record`] first.

use super::{Scope, Store, StoreError, names};
use domain::{OrgName, Repository};
use std::{collections::BTreeSet, sync::Arc};

/// The repositories that a reader may see: all, or those of some scopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReadScope(Option<Arc<[Scope]>>);

impl ReadScope {
    /// All repositories.
    pub const ALL: Self = Self(None);

    /// The repositories of any of these scopes; none without a scope.
    pub fn of(scopes: impl IntoIterator<Item = Scope>) -> Self {
        let scopes: BTreeSet<Scope> = scopes.into_iter().collect();
        if scopes.contains(&Scope::All) {
            Self::ALL
        } else {
            Self(Some(scopes.into_iter().collect()))
        }
    }

    /// No repository.
    pub fn nothing() -> Self {
        Self::of([])
    }

    /// Its size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        let scopes = self.0.as_deref().unwrap_or_default();
        scopes.iter().map(|scope| scope.to_string().len()).sum()
    }

    /// Whether it is all repositories, also those that are uploaded later.
    pub fn is_all(&self) -> bool {
        self.0.is_none()
    }

    /// Whether it is no repository at all.
    pub fn is_nothing(&self) -> bool {
        self.0.as_ref().is_some_and(|scopes| scopes.is_empty())
    }

    /// The scopes; none if it is all repositories.
    pub fn scopes(&self) -> Option<&[Scope]> {
        self.0.as_deref()
    }

    /// Whether it contains a repository; names are compared without ASCII case.
    pub fn covers(&self, repository: &Repository) -> bool {
        match &self.0 {
            None => true,
            Some(scopes) => scopes.iter().any(|scope| scope.covers(repository)),
        }
    }

    /// Whether it contains all repositories of an org and of its groups.
    pub(super) fn covers_org(&self, org: &OrgName) -> bool {
        let covers = |scope: &Scope| match scope {
            Scope::All => true,
            Scope::Org(of) => of.contains(org),
            Scope::Repository(_) => false,
        };
        self.0
            .as_ref()
            .is_none_or(|scopes| scopes.iter().any(covers))
    }

    /// Whether it may contain repositories of an org or of its groups.
    fn touches(&self, org: &OrgName) -> bool {
        let touches = |scope: &Scope| match scope {
            Scope::All => true,
            Scope::Org(of) => of.contains(org) || org.contains(of),
            Scope::Repository(only) => org.contains(&only.org),
        };
        self.0
            .as_ref()
            .is_none_or(|scopes| scopes.iter().any(touches))
    }
}

impl Store {
    /// Returns the same database for a reader who sees only the repositories in `scope`.
    pub fn for_reader(&self, scope: ReadScope) -> Self {
        Self {
            scope,
            ..self.clone()
        }
    }

    /// What queries of this store see.
    pub fn scope(&self) -> &ReadScope {
        &self.scope
    }

    /// Whether a reader of this store may see a repository, if it exists.
    pub(super) fn shows(&self, repository: &Repository) -> bool {
        self.scope.covers(repository)
    }

    /// Whether a reader of this store may see parts of an org, if it exists.
    pub(super) fn shows_org(&self, org: &OrgName) -> bool {
        self.scope.touches(org)
    }

    /// Whether a reader of this store may see a record, if it exists.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn shows_record(&self, id: i64) -> Result<bool, StoreError> {
        if self.scope.is_all() {
            return Ok(true);
        }
        let mut connection = self.readers.acquire().await?;
        let repository = names::of_record(&mut connection, id).await?;
        Ok(repository.is_some_and(|repository| self.shows(&repository)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(names: &[&str]) -> ReadScope {
        let org = |name: &&str| Scope::Org(name.parse().expect("an org"));
        ReadScope::of(names.iter().map(org))
    }

    #[test]
    fn a_reader_of_a_group_sees_parts_of_the_org_around_it() {
        let group = scope(&["acme/platform"]);
        let touches = |org: &str| group.touches(&org.parse().expect("an org"));
        assert!(touches("acme") && touches("ACME/Platform") && touches("acme/platform/tools"));
        assert!(!touches("acme/other") && !touches("acme2") && !touches("platform"));
        let covers = |name: &str| group.covers(&name.parse().expect("a repository"));
        assert!(covers("acme/platform/x") && covers("acme/platform/tools/x"));
        assert!(!covers("acme/x") && !covers("acme/platform"));
    }
}
