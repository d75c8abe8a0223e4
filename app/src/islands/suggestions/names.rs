//! The names of all orgs and repositories, ready to be searched.

use super::choice::{Choice, Kind};
use crate::api::RepositoriesAnswer;
use domain::{OrgName, folded};
use std::collections::BTreeSet;

/// The names of all orgs and repositories.
#[derive(Debug, Default)]
pub(super) struct Names {
    all: Vec<Named>,
    /// Whether the list is complete.
    pub(super) is_whole: bool,
}

#[derive(Debug)]
pub(super) struct Named {
    pub(super) kind: Kind,
    pub(super) text: String,
    /// The text in lower case.
    pub(super) folded: String,
}

impl Named {
    fn new(kind: Kind, text: String) -> Self {
        let folded = folded(&text);
        Self { kind, text, folded }
    }

    /// The suggestion; `None` if the name is not valid, because another release wrote it.
    pub(super) fn choice(&self) -> Option<Choice> {
        match self.kind {
            Kind::Org => Some(Choice::org(&self.text.parse().ok()?)),
            _ => Some(Choice::repository(&self.text.parse().ok()?)),
        }
    }
}

impl Names {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Named> {
        self.all.iter()
    }

    /// Whether the choice may exist. Only a complete list can exclude an org or a repository.
    pub(super) fn may_have(&self, choice: &Choice) -> bool {
        let is_listed = matches!(choice.kind, Kind::Org | Kind::Repository);
        let mut all = self.all.iter();
        !is_listed
            || !self.is_whole
            || all.any(|named| named.kind == choice.kind && named.text == choice.text)
    }
}

impl From<RepositoriesAnswer> for Names {
    fn from(answer: RepositoriesAnswer) -> Self {
        let mut orgs = BTreeSet::new();
        let mut repositories = Vec::new();
        for org in answer.orgs {
            for name in &org.repo_names {
                let text = format!("{}/{name}", org.org_name);
                repositories.push(Named::new(Kind::Repository, text));
            }
            // An org that has only groups has a page too.
            let mut next = org.org_name.parse::<OrgName>().ok();
            while let Some(name) = next {
                next = name.parent();
                orgs.insert(name.to_string());
            }
        }
        let orgs = orgs.into_iter().map(|name| Named::new(Kind::Org, name));
        Self {
            all: orgs.chain(repositories).collect(),
            is_whole: answer.is_whole,
        }
    }
}
