//! Access for a reader of some repositories: for such a reader, the others do not exist.
//!
//! A [`Reader`] cannot run any query by itself. It returns its store only for a repository, an org or a record that it may see
//! ([`Reader::sees`], [`Reader::sees_org`], [`Reader::sees_record`]), and it runs only queries that mark where the condition on
//! repositories belongs ([`ScopedSql`]). A query without both does not compile; [`Reader::within_found`] is the one exception.

use crate::{
    ReadScope, Store, StoreError, names,
    run::{Row, answered},
    sql::{Rows, ScopedSql},
};
use domain::{OrgName, RepoName, Repository};

/// The database for a reader. Only [`Store::reader`] creates one.
#[derive(Clone, Debug)]
pub struct Reader {
    store: Store,
    scope: ReadScope,
}

impl Store {
    /// Returns the database for a reader who sees only the repositories in `scope`.
    pub fn reader(&self, scope: ReadScope) -> Reader {
        Reader {
            store: self.clone(),
            scope,
        }
    }

    /// Returns the database for the service itself, which sees all repositories.
    pub fn everything(&self) -> Reader {
        self.reader(ReadScope::ALL)
    }
}

impl Reader {
    /// The repositories that the reader sees.
    pub fn scope(&self) -> &ReadScope {
        &self.scope
    }

    /// Whether a record exists and the reader sees it.
    pub async fn shows_record(&self, id: i64) -> Result<bool, StoreError> {
        Ok(self.sees_record(id).await?.is_some())
    }

    /// Returns a repository in its first spelling; `None` if it does not exist.
    pub async fn stored_repository(
        &self,
        repository: &Repository,
    ) -> Result<Option<Repository>, StoreError> {
        let Some(store) = self.sees(repository) else {
            return Ok(None);
        };
        let mut connection = store.read_pool.acquire().await?;
        names::stored_repository(&mut connection, repository).await
    }

    /// Returns an org in its first spelling, or as given if it does not exist.
    pub async fn stored_org(&self, org: &OrgName) -> Result<OrgName, StoreError> {
        let Some(store) = self.sees_org(org) else {
            return Ok(org.clone());
        };
        let mut connection = store.read_pool.acquire().await?;
        let stored = names::stored_org(&mut connection, org.as_str()).await?;
        Ok(stored.map_or_else(|| Ok(org.clone()), OrgName::try_from)?)
    }

    /// Returns the names of an org, or of a repository in it, in their first spelling, or as given if they do not exist.
    pub(crate) async fn stored_names(
        &self,
        org: OrgName,
        repo: Option<RepoName>,
    ) -> Result<(OrgName, Option<RepoName>), StoreError> {
        let Some(repo) = repo else {
            return Ok((self.stored_org(&org).await?, None));
        };
        let requested = Repository { org, repo };
        let stored = self.stored_repository(&requested).await?;
        let Repository { org, repo } = stored.unwrap_or(requested);
        Ok((org, Some(repo)))
    }

    /// The store, if the reader may see a repository.
    pub(crate) fn sees(&self, repository: &Repository) -> Option<&Store> {
        self.scope.covers(repository).then_some(&self.store)
    }

    /// The store, if the reader may see parts of an org.
    pub(crate) fn sees_org(&self, org: &OrgName) -> Option<&Store> {
        self.scope.touches(org).then_some(&self.store)
    }

    /// The store, if the reader may see all repositories.
    pub(crate) fn sees_everything(&self) -> Option<&Store> {
        self.scope.is_all().then_some(&self.store)
    }

    /// The store, if the reader may see a record.
    pub(crate) async fn sees_record(&self, id: i64) -> Result<Option<&Store>, StoreError> {
        if self.scope.is_all() {
            return Ok(Some(&self.store));
        }
        let mut connection = self.store.read_pool.acquire().await?;
        let repository = names::of_record(&mut connection, id).await?;
        Ok(repository.and_then(|repository| self.sees(&repository)))
    }

    /// The store for queries whose results contain no data of a repository: how far a list reaches, or details of rows that a
    /// restricted query has found.
    pub(crate) fn within_found(&self) -> &Store {
        &self.store
    }

    pub(crate) async fn all<T: Row>(&self, sql: ScopedSql) -> Result<Vec<T>, StoreError> {
        let query = self.query(sql)?;
        Ok(answered(query.fetch_all(&self.store.read_pool)).await?)
    }

    pub(crate) async fn one<T: Row>(&self, sql: ScopedSql) -> Result<T, StoreError> {
        let query = self.query(sql)?;
        Ok(answered(query.fetch_one(&self.store.read_pool)).await?)
    }

    pub(crate) async fn first<T: Row>(&self, sql: ScopedSql) -> Result<Option<T>, StoreError> {
        let query = self.query(sql)?;
        Ok(answered(query.fetch_optional(&self.store.read_pool)).await?)
    }

    pub(crate) fn query<T: Row>(&self, sql: ScopedSql) -> Result<Rows<T>, StoreError> {
        sql.restricted(&self.scope).rows()
    }
}
