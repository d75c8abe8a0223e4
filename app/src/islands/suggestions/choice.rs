//! What a field suggests.

use crate::links;
use domain::{CommitAuthor, OrgName, Repository, folded};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Page,
    /// The overview with a filter.
    #[cfg(feature = "hydrate")]
    Overview,
    Org,
    Repository,
    Branch,
    Commit,
    Author,
}

#[cfg(feature = "hydrate")]
impl Kind {
    /// Its name for people.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Page => "Page",
            Self::Overview => "Overview",
            Self::Org => "Org",
            Self::Repository => "Repository",
            Self::Branch => "Branch",
            Self::Commit => "Commit",
            Self::Author => "Author",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) kind: Kind,
    pub(super) text: String,
    /// The text in which words are searched, in lower case.
    pub(super) searched: String,
    pub(super) href: String,
    /// The text for a field that names a record.
    pub(super) value: String,
}

impl Choice {
    pub(super) fn new(kind: Kind, text: String, href: String) -> Self {
        Self {
            kind,
            searched: folded(&text),
            text,
            href,
            value: String::new(),
        }
    }

    pub(super) fn org(org: &OrgName) -> Self {
        Self::new(Kind::Org, org.to_string(), links::org(org))
    }

    /// A repository. In a field that names a record, the name of a branch follows.
    pub(super) fn repository(repository: &Repository) -> Self {
        let (text, href) = (repository.to_string(), links::repository(repository));
        Self {
            value: format!("{repository}@"),
            ..Self::new(Kind::Repository, text, href)
        }
    }

    pub(super) fn author(author: &CommitAuthor) -> Self {
        Self::new(Kind::Author, author.to_string(), links::author(author))
    }
}

/// The pages that belong to no org and no repository.
pub(super) fn pages() -> impl Iterator<Item = Choice> {
    let pages = [
        ("Overview", links::HOME),
        ("Compare two records", links::COMPARE),
        ("Authors", links::AUTHORS),
        ("Orgs", links::ORGS),
        ("Uploads", links::UPLOADS),
        ("Set up uploads", links::SETUP),
        ("Storage", links::STORAGE),
        ("Audit log", links::AUDIT),
        ("Settings and tokens", links::SETTINGS),
    ];
    let pages = pages.into_iter();
    pages.map(|(text, href)| Choice::new(Kind::Page, text.to_owned(), href.to_owned()))
}
