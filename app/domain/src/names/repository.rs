//! The full name of a repository.

use super::{NameError, OrgName, RepoName};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A repository's full name, `org/repo`; the last segment is the repository's own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct Repository {
    /// The org it belongs to.
    #[cfg_attr(feature = "sql", sqlx(rename = "org_name"))]
    pub org: OrgName,
    /// Its name within the org.
    #[cfg_attr(feature = "sql", sqlx(rename = "repo_name"))]
    pub repo: RepoName,
}

impl Repository {
    /// The key for comparisons: names that differ only in ASCII case are the same.
    pub fn key(&self) -> String {
        self.to_string().to_ascii_lowercase()
    }

    /// Whether both names are the same, ignoring ASCII case.
    pub fn has_name_of(&self, other: &Self) -> bool {
        let is_same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
        is_same(self.org.as_str(), other.org.as_str())
            && is_same(self.repo.as_str(), other.repo.as_str())
    }
}

impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.org, self.repo)
    }
}

impl FromStr for Repository {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let (org, repo) = text
            .rsplit_once('/')
            .ok_or(NameError("must have the form org/repo"))?;
        Ok(Self {
            org: org.parse()?,
            repo: repo.parse()?,
        })
    }
}
