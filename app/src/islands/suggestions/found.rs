//! What the service found: branches, commits and authors.

use super::choice::{Choice, Kind};
use crate::{
    api::{AuthorFound, BranchFound, CommitFound, SearchAnswer},
    components::suggest::Scope,
    links,
};
use domain::{CommitHash, NameError, RecordRef, Repository, folded};

/// The suggestions of an answer. An invalid name is left out: another release wrote it.
pub(super) fn found(answer: SearchAnswer, scope: Scope) -> Vec<Choice> {
    let (records, authors) = (scope != Scope::Authors, scope != Scope::Records);
    let branches = answer.branches.into_iter().filter(|_| records);
    let commits = answer.commits.into_iter().filter(|_| records);
    let authors = answer.authors.into_iter().filter(|_| authors);
    let branches = branches.map(branch);
    let commits = commits.map(commit);
    let authors = authors.map(author);
    commits.chain(branches).chain(authors).flatten().collect()
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

fn author(found: AuthorFound) -> Result<Choice, NameError> {
    Ok(Choice::author(&found.commit_author.parse()?))
}

fn repository(org: String, repo: String) -> Result<Repository, NameError> {
    Ok(Repository {
        org: org.try_into()?,
        repo: repo.try_into()?,
    })
}
