//! Which forge may vouch for which repository.
//!
//! Names are unique within one service only. So a repository belongs to the first one that vouched for it, as long as that
//! is listed, and what tokens of this service have filled belongs to nobody that could be meant by mistake. An org that the
//! operator has bound to a service is that one's, whatever was before.

use super::Subject;
use crate::{
    config::access::{Access, OrgBinding, UploadOrgs},
    http::error::{ApiError, other_identity},
    store::{ClaimedBy, ForgeClaim, Store, StoreError},
};
use domain::{BranchName, Repository};
use std::{collections::HashSet, sync::Arc};

/// The services that may vouch, and what for.
#[derive(Clone, Debug)]
pub(super) struct OrgBindings {
    /// The hosts of all that are listed.
    listed: Arc<HashSet<String>>,
    orgs: UploadOrgs,
    store: Store,
}

impl OrgBindings {
    pub(super) fn new(access: &Access, store: Store) -> Self {
        Self {
            listed: Arc::new(access.identity_providers()),
            orgs: access.upload_orgs.clone(),
            store,
        }
    }

    /// Whether the operator lets the service `forge` vouch for the org of a repository. This tells nothing of what is stored.
    ///
    /// # Errors
    ///
    /// 403 `token_not_for_repository`.
    pub(super) fn binding(
        &self,
        forge: &str,
        repository: &Repository,
    ) -> Result<OrgBinding, ApiError> {
        self.orgs.binding(forge, &repository.org).ok_or_else(|| {
            ApiError::token_not_for_repository(format!(
                "The operator does not let {forge} vouch for the org of {repository}; ask for it to be added to UPLOAD_ORGS."
            ))
        })
    }

    /// Whether the service `forge` may vouch for a repository, by a token or an identity. Whatever is written has to hold on to the answer, which a
    /// race may make void. Only for those who have proven who they are: it tells whether there is such a repository here.
    ///
    /// # Errors
    ///
    /// 403 `token_not_for_repository`; 503 when the database fails.
    pub(super) async fn check(
        &self,
        forge: &str,
        repository: &Repository,
        by: ClaimedBy,
    ) -> Result<ForgeClaim, ApiError> {
        let refuse = |detail| Err(ApiError::token_not_for_repository(detail));
        let binding = self.binding(forge, repository)?;
        let ownership = self.store.ownership(repository).await?;
        let org = &repository.org;
        match &ownership.forge {
            _ if binding == OrgBinding::ToThis => {}
            Some(first) if first != forge && self.listed.contains(first) => {
                return refuse(format!(
                    "{repository} is a repository of {first} here, so that {forge} cannot vouch for it; if it has moved, ask the operator to put {forge}:{org} into UPLOAD_ORGS."
                ));
            }
            None if ownership.has_records && self.listed.len() > 1 => {
                return refuse(format!(
                    "{repository} was filled by tokens of this service, and several services could mean it; ask the operator to put {forge}:{org} into UPLOAD_ORGS."
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

    /// Whether the branch of an upload is the main one, or may become it with this upload.
    ///
    /// # Errors
    ///
    /// 503 when the database fails.
    pub(super) async fn may_become_main(
        &self,
        repository: &Repository,
        branch: &BranchName,
    ) -> Result<bool, ApiError> {
        Ok(self.store.may_become_main(repository, branch).await?)
    }

    /// Whether a job of `branch` may say which branches a repository still has.
    ///
    /// # Errors
    ///
    /// 403 `token_not_for_repository`; 503 when the database fails.
    pub(super) async fn check_speaks_for_all(
        &self,
        repository: &Repository,
        branch: &BranchName,
    ) -> Result<(), ApiError> {
        let main = self.store.main_branch(repository).await?;
        match main.is_none_or(|main| main.speaks_for_all(branch)) {
            true => Ok(()),
            false => Err(StoreError::NotMainBranch(branch.clone()).into()),
        }
    }

    /// Whether the branch that a pull request comes from may be written to as such: the main branch may not, since a
    /// fork's is called the same.
    ///
    /// # Errors
    ///
    /// 403 `token_not_for_repository`; 503 when the database fails.
    pub(super) async fn check_head(&self, subject: Subject<'_>) -> Result<(), ApiError> {
        let main = self.store.main_branch(subject.repository).await?;
        match subject.branch {
            Some(branch) if main.is_some_and(|main| main.is(branch)) => {
                Err(ApiError::token_not_for_repository(format!(
                    "A pull request cannot upload to {branch}, the main branch, nor can a child pipeline on a branch that is not protected: that may be a fork's branch of this name; upload when it is pushed."
                )))
            }
            _ => Ok(()),
        }
    }
}
