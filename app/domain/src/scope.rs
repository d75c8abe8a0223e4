//! Sets of repositories: all, the repositories of an org, or one.

use crate::{NameError, OrgName, RepoName, Repository};
use std::{fmt, str::FromStr};

/// All repositories, the repositories of an org and its subgroups, or one repository.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// All repositories.
    All,
    /// The repositories of an org and its subgroups.
    Org(OrgName),
    /// One repository.
    Repository(Repository),
}

impl Scope {
    /// Creates a scope from an org, if any, and a repository in the org, if any. Ignores a repository without an org.
    pub fn new(org: Option<OrgName>, repo: Option<RepoName>) -> Self {
        match (org, repo) {
            (None, _) => Self::All,
            (Some(org), None) => Self::Org(org),
            (Some(org), Some(repo)) => Self::Repository(Repository { org, repo }),
        }
    }

    /// Whether the scope contains a repository. Compares names without ASCII case.
    pub fn covers(&self, repository: &Repository) -> bool {
        match self {
            Self::All => true,
            Self::Org(org) => org.contains(&repository.org),
            Self::Repository(only) => only.has_name_of(repository),
        }
    }

    /// Whether the scope contains all repositories of `other`.
    pub fn includes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::All, _) => true,
            (Self::Org(org), Self::Org(other)) => org.contains(other),
            (_, Self::Repository(repository)) => self.covers(repository),
            (Self::Org(_), Self::All) | (Self::Repository(_), Self::All | Self::Org(_)) => false,
        }
    }

    /// The limit as text: `acme/…` or `acme/payments`; `None` for all repositories.
    pub fn limit(&self) -> Option<String> {
        (*self != Self::All).then(|| self.to_string())
    }

    /// The org, or the org of the repository.
    pub fn org(&self) -> Option<&OrgName> {
        match self {
            Self::All => None,
            Self::Org(org) | Self::Repository(Repository { org, .. }) => Some(org),
        }
    }

    /// The name of the repository.
    pub fn repo(&self) -> Option<&RepoName> {
        match self {
            Self::Repository(Repository { repo, .. }) => Some(repo),
            _ => None,
        }
    }
}

/// The text for people: `every repository`, `acme/…`, `acme/payments`.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.pad("every repository"),
            Self::Org(org) => f.pad(&format!("{org}/…")),
            Self::Repository(repository) => f.pad(&repository.to_string()),
        }
    }
}

/// What a name refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// All repositories of an org and of its subgroups.
    Org(OrgName),
    /// One repository.
    Repository(Repository),
}

impl Named {
    /// Parses a name: an org if `is_org` or without `/`, else a repository.
    ///
    /// # Errors
    ///
    /// When the name is not valid.
    pub fn read(text: &str, is_org: bool) -> Result<Self, NameError> {
        Ok(if is_org || !text.contains('/') {
            Self::Org(OrgName::from_str(text)?)
        } else {
            Self::Repository(Repository::from_str(text)?)
        })
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Org(org) => write!(f, "{org}/…"),
            Self::Repository(repository) => repository.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_includes_only_what_it_covers_as_a_whole() {
        let org = |name: &str| Scope::Org(name.parse().expect("an org"));
        let one = |name: &str| Scope::Repository(name.parse().expect("a repository"));
        assert!(Scope::All.includes(&Scope::All) && Scope::All.includes(&org("acme")));
        assert!(org("acme").includes(&org("ACME/tools")) && org("acme").includes(&one("acme/x")));
        assert!(one("acme/x").includes(&one("Acme/X")));
        for (narrow, wide) in [
            (org("acme"), Scope::All),
            (org("acme/tools"), org("acme")),
            (org("acme"), one("acme2/x")),
            (one("acme/x"), org("acme")),
            (one("acme/x"), one("acme/y")),
        ] {
            assert!(!narrow.includes(&wide), "{narrow} {wide}");
        }
    }

    #[test]
    fn a_scope_covers_an_org_with_its_nested_groups_or_one_repository() {
        let covers = |scope: &Scope, name: &str| scope.covers(&name.parse().expect("a repository"));
        let org = Scope::Org("acme".parse().expect("an org"));
        assert!(covers(&org, "acme/payments") && covers(&org, "acme/platform/tools/x"));
        assert!(!covers(&org, "acme2/payments") && !covers(&org, "other/acme"));
        let one = Scope::Repository("acme/payments".parse().expect("a repository"));
        assert!(covers(&one, "acme/payments"));
        assert!(!covers(&one, "acme/payments2") && !covers(&one, "acme/x/payments"));
        assert!(covers(&Scope::All, "any/thing"));
        for name in ["ACME/Payments", "Acme/payments"] {
            assert!(covers(&org, name) && covers(&one, name), "{name}");
        }
    }
}
