//! Columns that many queries select, as types of the domain.

use domain::{
    BranchName, CommitAuthor, CommitHash, Count, Language, NameError, OrgName, PartName,
    PullRequest, RepoName, Repository,
};
use sqlx::{
    Any, Decode, FromRow, Type,
    any::{AnyTypeInfo, AnyValueRef},
    error::BoxDynError,
};

/// A name. `try_from = "String"` on the field would also work, but then sqlx drops the reason why a text is not a name.
pub(super) struct Name<T>(T);

impl<T> Type<Any> for Name<T> {
    fn type_info() -> AnyTypeInfo {
        <String as Type<Any>>::type_info()
    }
}

impl<'row, T: TryFrom<String, Error = NameError>> Decode<'row, Any> for Name<T> {
    fn decode(value: AnyValueRef<'row>) -> Result<Self, BoxDynError> {
        let text = <String as Decode<Any>>::decode(value)?;
        Ok(Self(T::try_from(text)?))
    }
}

macro_rules! names {
    ($($name:ident)*) => {
        $(impl From<Name<$name>> for $name {
            fn from(name: Name<Self>) -> Self {
                name.0
            }
        })*
    };
}

names!(OrgName RepoName BranchName CommitHash CommitAuthor Language PartName PullRequest);

#[derive(FromRow)]
pub(super) struct RepositoryColumns {
    #[sqlx(try_from = "Name<OrgName>")]
    org_name: OrgName,
    #[sqlx(try_from = "Name<RepoName>")]
    repo_name: RepoName,
}

impl From<RepositoryColumns> for Repository {
    fn from(columns: RepositoryColumns) -> Self {
        Self {
            org: columns.org_name,
            repo: columns.repo_name,
        }
    }
}

/// `lines_covered` and `lines_total`; both are null if the coverage file does not count lines.
#[derive(FromRow)]
pub(super) struct LineColumns {
    lines_covered: Option<i64>,
    lines_total: Option<i64>,
}

impl From<LineColumns> for Option<Count> {
    fn from(columns: LineColumns) -> Self {
        count(columns.lines_covered, columns.lines_total)
    }
}

pub(super) fn count(covered: Option<i64>, total: Option<i64>) -> Option<Count> {
    Some(Count {
        covered: u64::try_from(covered?).ok()?,
        total: u64::try_from(total?).ok()?,
    })
}

/// A boolean, read from a number in SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag(pub bool);

impl From<i64> for Flag {
    fn from(number: i64) -> Self {
        Self(number != 0)
    }
}

pub(crate) fn covered(count: Option<Count>) -> Option<i64> {
    count.map(|count| i64::try_from(count.covered).unwrap_or(i64::MAX))
}

pub(crate) fn total(count: Option<Count>) -> Option<i64> {
    count.map(|count| i64::try_from(count.total).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StoreError, testing::TestStore};

    #[derive(FromRow)]
    struct Named {
        #[sqlx(flatten, try_from = "RepositoryColumns")]
        repository: Repository,
    }

    async fn named(sql: &'static str) -> Result<Repository, StoreError> {
        let store = TestStore::new().await;
        let named: Named = sqlx::query_as(sql).fetch_one(&store.read_pool).await?;
        Ok(named.repository)
    }

    #[tokio::test]
    async fn a_stored_name_that_is_not_valid_is_reported_as_such() {
        let valid = named("select 'acme/sub' as org_name, 'one' as repo_name").await;
        assert_eq!(valid.expect("a repository").to_string(), "acme/sub/one");
        let not_valid = named("select 'acme' as org_name, 'a b' as repo_name").await;
        assert!(
            matches!(not_valid, Err(StoreError::Name(_))),
            "{not_valid:?}"
        );
        let missing = named("select 'acme' as org_name").await;
        assert!(
            matches!(missing, Err(StoreError::Database(_))),
            "{missing:?}"
        );
    }
}
