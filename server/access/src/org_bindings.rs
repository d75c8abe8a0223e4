//! Org bindings: which forge or issuer may upload for which repository.
//!
//! Names are unique only within one forge. So a repository belongs to the first forge that uploaded for it, as long as that forge
//! is listed. If several forges are listed, no forge may claim a repository that has records without a forge. If the
//! operator binds an org to a forge (UPLOAD_ORGS), these rules do not apply to the org.

use super::Subject;
use crate::error::AccessError;
use config::access::{Access, OrgBinding, UploadOrgs};
use domain::{BranchName, Repository};
use std::{collections::HashSet, sync::Arc};
use store::{ClaimedBy, ForgeClaim, Store};

#[derive(Clone, Debug)]
pub(super) struct OrgBindings {
    /// The hosts of all listed forges and issuers.
    listed: Arc<HashSet<String>>,
    orgs: UploadOrgs,
    pub(super) store: Store,
}

impl OrgBindings {
    pub(super) fn new(access: &Access, store: Store) -> Self {
        Self {
            listed: Arc::new(access.identity_providers()),
            orgs: access.upload_orgs.clone(),
            store,
        }
    }

    /// Returns the binding of the repository's org to `forge`. The answer reveals nothing about stored data.
    pub(super) fn binding(
        &self,
        forge: &str,
        repository: &Repository,
    ) -> Result<OrgBinding, AccessError> {
        self.orgs.binding(forge, &repository.org).ok_or_else(|| {
            AccessError::not_for_repository(format!(
                "The operator does not let {forge} upload for the org of {repository}; ask the operator to add it to UPLOAD_ORGS."
            ))
        })
    }

    /// Checks that `forge` may upload for a repository, by a token or an identity. Pass the returned claim to the write,
    /// which checks it again, because another upload may claim the repository in between. Call this only for authenticated clients:
    /// the result reveals whether the repository exists.
    pub(super) async fn check(
        &self,
        forge: &str,
        repository: &Repository,
        by: ClaimedBy,
    ) -> Result<ForgeClaim, AccessError> {
        let refuse = |detail| Err(AccessError::not_for_repository(detail));
        let binding = self.binding(forge, repository)?;
        let ownership = self.store.writer().ownership(repository).await?;
        let org = &repository.org;
        match &ownership.forge {
            _ if binding == OrgBinding::ToThis => {}
            Some(first) if first != forge && self.listed.contains(first) => {
                return refuse(format!(
                    "{repository} belongs to {first} here, so {forge} cannot upload for it; if it has moved, ask the operator to add {forge}:{org} to UPLOAD_ORGS."
                ));
            }
            None if ownership.has_records && self.listed.len() > 1 => {
                return refuse(format!(
                    "{repository} has records without a forge, and several forges may have a repository of this name; ask the operator to add {forge}:{org} to UPLOAD_ORGS."
                ));
            }
            _ => {}
        }
        if !ownership.is_meant(forge, &by) {
            return refuse(other_identity(&repository.to_string()));
        }
        Ok(ForgeClaim {
            forge: forge.to_owned(),
            seen: ownership.forge,
            by,
        })
    }

    /// Checks that a job of `branch` may send the list of active branches.
    pub(super) async fn check_speaks_for_all(
        &self,
        repository: &Repository,
        branch: &BranchName,
    ) -> Result<(), AccessError> {
        let main = self.store.everything().main_branch(repository).await?;
        if main.is_none_or(|main| main.speaks_for_all(branch)) {
            Ok(())
        } else {
            Err(AccessError::not_for_repository(not_main_branch(branch)))
        }
    }

    /// Checks that a pull request may upload to its source branch. It may not if the source branch has the name of the main branch,
    /// since a fork may have such a branch, nor if the commit is in the main branch and is not the commit of the job.
    pub(super) async fn check_head(
        &self,
        subject: Subject<'_>,
        is_own_commit: bool,
    ) -> Result<(), AccessError> {
        let (repository, commit) = (subject.repository, subject.commit);
        let store = self.store.writer();
        if !is_own_commit && store.is_commit_of_main(repository, commit).await? {
            return Err(AccessError::not_for_repository(format!(
                "A pull request cannot upload for commit {commit}, which is one of the main branch; upload for the head of the pull request."
            )));
        }
        let main = self.store.everything().main_branch(repository).await?;
        match subject.branch {
            Some(branch) if main.is_some_and(|main| main.is(branch)) => {
                Err(AccessError::not_for_repository(format!(
                    "A pull request, or a child pipeline on an unprotected branch, cannot upload to the main branch {branch}, since it may run on a fork's branch of this name; upload from a push to {branch}."
                )))
            }
            _ => Ok(()),
        }
    }
}

/// Returns why an identity is refused whose ids differ from the ids of the first upload, and the command that allows it.
pub fn other_identity(repository: &str) -> String {
    format!(
        "The first upload under this name came from a repository with other ids than this identity has, so the name may now belong to another repository; if the repository has moved, ask the operator to run `coverage-dashboard unpin-identity {repository}`."
    )
}

/// Returns why a job of this branch may not send the list of active branches.
pub fn not_main_branch(branch: &BranchName) -> String {
    format!(
        "Only a job of the main branch may send the list of active branches, and {branch} is not the main branch."
    )
}
