//! The stored spelling of the names of repositories and orgs.

use crate::{
    Reader, StoreError,
    names::{stored_org, stored_repository},
};
use domain::{OrgName, Repository};

impl Reader {
    /// Returns a repository in its first spelling; `None` if it does not exist.
    pub async fn stored_repository(
        &self,
        repository: &Repository,
    ) -> Result<Option<Repository>, StoreError> {
        let Some(store) = self.sees(repository) else {
            return Ok(None);
        };
        let mut connection = store.read_pool.acquire().await?;
        stored_repository(&mut connection, repository).await
    }

    /// Returns an org in its first spelling, or as given if it does not exist.
    pub async fn stored_org(&self, org: &OrgName) -> Result<OrgName, StoreError> {
        let Some(store) = self.sees_org(org) else {
            return Ok(org.clone());
        };
        let mut connection = store.read_pool.acquire().await?;
        let stored = stored_org(&mut connection, org.as_str()).await?;
        Ok(stored.map_or_else(|| Ok(org.clone()), OrgName::try_from)?)
    }
}
