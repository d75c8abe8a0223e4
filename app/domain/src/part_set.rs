//! The names of some parts of a commit.

use crate::{NameError, PartName};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, str::FromStr};
use thiserror::Error;

/// The names of some parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartSet(BTreeSet<PartName>);

/// Why a text is not a list of parts: a phrase that follows the parameter's name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PartSetError {
    /// A name is not valid for a part.
    #[error("each name in it {0}")]
    Name(#[from] NameError),
    /// There are more than [`PartSet::MAX`] names.
    #[error("must have at most {} names", PartSet::MAX)]
    TooMany,
}

impl PartSet {
    /// The most parts of a commit.
    pub const MAX: usize = 50;

    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &PartName> {
        self.0.iter()
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there are more than a commit may have.
    #[must_use]
    pub fn are_too_many(&self) -> bool {
        self.0.len() > Self::MAX
    }

    /// Adds names.
    pub fn extend<'a>(&mut self, names: impl IntoIterator<Item = &'a PartName>) {
        self.0.extend(names.into_iter().cloned());
    }

    /// Whether the set contains a name.
    #[must_use]
    pub fn contains(&self, name: &PartName) -> bool {
        self.0.contains(name)
    }

    /// The names that are not among `others`.
    #[must_use]
    pub fn without(&self, others: &Self) -> Self {
        Self(self.0.difference(&others.0).cloned().collect())
    }
}

impl FromIterator<PartName> for PartSet {
    fn from_iter<I: IntoIterator<Item = PartName>>(names: I) -> Self {
        Self(names.into_iter().collect())
    }
}

/// Names with commas between them; spaces around a name, and empty names, do not count.
impl FromStr for PartSet {
    type Err = PartSetError;

    fn from_str(text: &str) -> Result<Self, PartSetError> {
        let names = text.split(',').map(str::trim);
        let names = names
            .filter(|name| !name.is_empty())
            .map(PartName::from_str);
        let set: Self = names.collect::<Result<_, _>>()?;
        if set.are_too_many() {
            return Err(PartSetError::TooMany);
        }
        Ok(set)
    }
}

/// Names for people, such as `unit, web and e2e`.
impl std::fmt::Display for PartSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, name) in self.0.iter().enumerate() {
            let separator = match index {
                0 => "",
                _ if index + 1 == self.0.len() => " and ",
                _ => ", ",
            };
            write!(f, "{separator}{name}")?;
        }
        Ok(())
    }
}
