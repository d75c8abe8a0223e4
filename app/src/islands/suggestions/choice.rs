//! What a field can suggest: fixed pages, the names of all orgs and repositories, and what the service found for a text.

use super::Scope;
use crate::{
    api::{
        AuthorFound, BranchFound, CommitFound, FileFound, OwnerFound, PullRequestFound,
        RepositoriesAnswer, SearchAnswer,
    },
    links,
};
use domain::{
    CommitAuthor, CommitHash, NameError, OrgName, PullRequest, RecordRef, Repository, Words, folded,
};
use std::collections::BTreeSet;

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
    PullRequest,
    File,
    Author,
    Owner,
}

#[cfg(feature = "hydrate")]
impl Kind {
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Page => "Page",
            Self::Overview => "Overview",
            Self::Org => "Org",
            Self::Repository => "Repository",
            Self::Branch => "Branch",
            Self::Commit => "Commit",
            Self::PullRequest => "Pull request",
            Self::File => "File",
            Self::Author => "Author",
            Self::Owner => "Owner",
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
    /// The text that replaces the input of a form field for records when a person chooses this suggestion.
    pub(super) value: String,
    /// Orders suggestions that match equally well: the length of the text, or the place that the service gave it.
    pub(super) place: usize,
}

impl Choice {
    pub(super) fn new(kind: Kind, text: String, href: String) -> Self {
        Self {
            kind,
            searched: folded(&text),
            place: text.len(),
            text,
            href,
            value: String::new(),
        }
    }

    pub(super) fn org(org: &OrgName) -> Self {
        Self::new(Kind::Org, org.to_string(), links::org(org))
    }

    /// A repository. In a form field for records, the text ends with `@`, so that the name of a branch can be typed next.
    pub(super) fn repository(repository: &Repository) -> Self {
        let (text, href) = (repository.to_string(), links::repository(repository));
        Self {
            value: format!("{repository}@"),
            ..Self::new(Kind::Repository, text, href)
        }
    }

    pub(super) fn pull_request(repository: &Repository, number: &PullRequest) -> Self {
        let text = format!("#{number} · {repository}");
        Self::new(
            Kind::PullRequest,
            text,
            links::pull_request(repository, number),
        )
    }

    /// Whether it is a file whose folders have the words, but not its own name.
    pub(super) fn is_found_by_folder(&self, words: &Words) -> bool {
        let name = self.searched.rsplit('/').next().unwrap_or_default();
        self.kind == Kind::File && !words.iter().any(|word| name.contains(word))
    }

    /// The page with this path below `/repos/`.
    #[cfg(feature = "hydrate")]
    pub(super) fn below_repositories(path: &str) -> Option<Self> {
        match links::PullRequestAddress::of(path) {
            Some(links::PullRequestAddress::One(of, number)) => {
                Some(Self::pull_request(&of, &number))
            }
            // Their list is no suggestion of its own.
            Some(links::PullRequestAddress::All(_)) => None,
            None => Some(Self::repository(&path.parse().ok()?)),
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

/// More than the length of other suggestions.
const BEHIND: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct Names {
    all: Vec<Named>,
    pub(super) is_whole: bool,
}

#[derive(Debug)]
pub(super) struct Named {
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) folded: String,
}

impl Named {
    fn new(kind: Kind, text: String) -> Self {
        let folded = folded(&text);
        Self { kind, text, folded }
    }

    /// The suggestion. `None` if this release does not accept the name: another release may have stored it in the browser.
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
            // A parent org has a page even if all its repositories are in its groups.
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

/// The suggestions of an answer. An invalid name is left out: another release wrote it.
pub(super) fn found(answer: SearchAnswer, scope: Scope) -> Vec<Choice> {
    let (records, authors) = (scope != Scope::Authors, scope != Scope::Records);
    let branches = answer.branches.into_iter().filter(|_| records);
    let commits = answer.commits.into_iter().filter(|_| records);
    let authors = answer.authors.into_iter().filter(|_| authors);
    let is_of_pages = scope == Scope::Pages;
    let requests = answer.pull_requests.into_iter().filter(|_| is_of_pages);
    let requests = requests.enumerate().map(pull_request);
    let files = answer.files.into_iter().filter(|_| is_of_pages);
    let files = files.enumerate().map(file);
    let branches = branches.map(branch);
    let commits = commits.map(commit);
    let authors = authors.map(author);
    let owners = answer.owners.into_iter();
    let owners = owners.filter(|_| is_of_pages).map(owner);
    let people = authors.chain(owners);
    let records = commits.chain(branches).chain(requests).chain(files);
    records.chain(people).flatten().collect()
}

fn branch(found: BranchFound) -> Result<Choice, NameError> {
    let repository = repository(found.org_name, found.repo_name)?;
    let branch = found.branch_name.parse()?;
    let href = links::branch(&repository, &branch);
    let text = RecordRef::CurrentOf(repository, branch).to_string();
    Ok(Choice {
        value: text.clone(),
        ..Choice::new(Kind::Branch, text, href)
    })
}

/// The whole hash is searched, and its first letters are shown.
fn commit(found: CommitFound) -> Result<Choice, NameError> {
    let commit: CommitHash = found.commit_hash.parse()?;
    let repository = repository(found.org_name, found.repo_name)?;
    let place = format!("{repository}@{}", found.branch_name);
    let text = format!("{} · {place}", commit.short());
    Ok(Choice {
        searched: folded(&format!("{commit} {place}")),
        value: found.id.to_string(),
        ..Choice::new(Kind::Commit, text, links::record(found.id))
    })
}

/// The first one may be of the repository of the page.
fn pull_request((place, found): (usize, PullRequestFound)) -> Result<Choice, NameError> {
    let repository = repository(found.org_name, found.repo_name)?;
    let number = found.pull_request.parse()?;
    Ok(Choice {
        place,
        ..Choice::pull_request(&repository, &number)
    })
}

/// A path is searched without its repository. It comes after other kinds that match as well.
fn file((place, found): (usize, FileFound)) -> Result<Choice, NameError> {
    let repository = repository(found.org_name, found.repo_name)?;
    let href = links::source(found.id, &found.path);
    let text = format!("{} · {repository}", found.path);
    Ok(Choice {
        searched: folded(&found.path),
        place: BEHIND + place,
        ..Choice::new(Kind::File, text, href)
    })
}

/// The name of the owner is searched, and its org is shown too.
fn owner(found: OwnerFound) -> Result<Choice, NameError> {
    let org: OrgName = found.org_name.parse()?;
    let href = links::owners(&org, Some(&found.owner));
    let text = format!("{} · {org}", found.owner);
    Ok(Choice {
        searched: folded(&found.owner),
        ..Choice::new(Kind::Owner, text, href)
    })
}

fn author(found: AuthorFound) -> Result<Choice, NameError> {
    Ok(Choice::author(&found.commit_author.parse()?))
}

fn repository(org: String, repo: String) -> Result<Repository, NameError> {
    Ok(Repository {
        org: org.try_into()?,
        repo: repo.try_into()?,
    })
}
