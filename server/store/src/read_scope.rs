//! The repositories that a reader may see.

use super::Scope;
use domain::{OrgName, Repository};
use std::{collections::BTreeSet, sync::Arc};

/// The repositories that a reader may see: all, or the repositories of some scopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReadScope(Option<Arc<[Scope]>>);

impl ReadScope {
    /// All repositories.
    pub const ALL: Self = Self(None);

    /// The repositories of any of these scopes; no repository without a scope.
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

    /// The size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        let scopes = self.0.as_deref().unwrap_or_default();
        scopes.iter().map(|scope| scope.to_string().len()).sum()
    }

    /// Whether the scope is all repositories, including future ones.
    pub fn is_all(&self) -> bool {
        self.0.is_none()
    }

    /// Whether the scope consists of whole orgs.
    pub(super) fn is_of_orgs(&self) -> bool {
        self.scopes().is_none_or(|scopes| {
            let is_org = |scope: &Scope| !matches!(scope, Scope::Repository(_));
            scopes.iter().all(is_org)
        })
    }

    /// Whether the scope contains no repository.
    pub fn is_nothing(&self) -> bool {
        self.0.as_ref().is_some_and(|scopes| scopes.is_empty())
    }

    /// The scopes; `None` if the scope is all repositories.
    pub fn scopes(&self) -> Option<&[Scope]> {
        self.0.as_deref()
    }

    /// Whether the scope contains a repository. Compares names without ASCII case.
    pub fn covers(&self, repository: &Repository) -> bool {
        self.has(|scope| scope.covers(repository))
    }

    /// Whether the scope contains all repositories of an org and of its groups.
    pub(super) fn covers_org(&self, org: &OrgName) -> bool {
        let covers = |scope: &Scope| match scope {
            Scope::All => true,
            Scope::Org(of) => of.contains(org),
            Scope::Repository(_) => false,
        };
        self.has(covers)
    }

    /// Whether the scope may contain repositories of an org or of its groups.
    pub(super) fn touches(&self, org: &OrgName) -> bool {
        let touches = |scope: &Scope| match scope {
            Scope::All => true,
            Scope::Org(of) => of.contains(org) || org.contains(of),
            Scope::Repository(only) => org.contains(&only.org),
        };
        self.has(touches)
    }

    fn has(&self, is_wanted: impl Fn(&Scope) -> bool) -> bool {
        self.scopes()
            .is_none_or(|scopes| scopes.iter().any(is_wanted))
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
