//! Updates tokens whose scope names a renamed or merged repository or org.

use super::{HowNamesChange, Moved, NameChangeError, NamesChanged};
use crate::{
    StoreError,
    names::{stored_org, stored_repository},
    run::Run,
};
use domain::{OrgName, Repository};
use sqlx::{AnyConnection, FromRow};

/// The old and the new name of a repository or an org.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scoped<'a> {
    Repository {
        from: &'a Repository,
        to: &'a Repository,
    },
    Org {
        from: &'a OrgName,
        to: &'a OrgName,
    },
}

#[derive(FromRow)]
struct TokenRow {
    id: i64,
    name: String,
    org_name: String,
    repo_name: Option<String>,
}

/// Returns the changes, with the affected tokens. Updates a renamed scope in its tokens, but not a merged scope: the right to
/// upload to one repository does not include the repository that it became a part of.
pub(super) async fn changed(
    connection: &mut AnyConnection,
    repositories: Vec<Moved>,
    scoped: Scoped<'_>,
    how: HowNamesChange,
) -> Result<NamesChanged, NameChangeError> {
    const TOKENS: &str = "
        select id, name, org_name, repo_name from tokens
        where org_name is not null and revoked_at is null
        order by id";
    let tokens: Vec<TokenRow> = connection.all(TOKENS, ()).await?;
    // If it still exists, only tokens with exactly the renamed spelling are updated.
    let is_exact = scoped.still_exists(connection).await?;
    let mut changed = NamesChanged {
        repositories,
        ..NamesChanged::default()
    };
    for token in tokens {
        let Some((org, repo)) = scoped.new_scope(&token, is_exact) else {
            continue;
        };
        match how {
            HowNamesChange::Rename => {
                set_scope(connection, token.id, &org, repo.as_deref()).await?;
                changed.tokens_moved.push(token.name);
            }
            HowNamesChange::Merge if !token.is_for(&org, repo.as_deref()) => {
                changed.tokens_left.push(token.name);
            }
            HowNamesChange::Merge => {}
        }
    }
    Ok(changed)
}

async fn set_scope(
    connection: &mut AnyConnection,
    id: i64,
    org: &str,
    repo: Option<&str>,
) -> Result<(), StoreError> {
    const MOVE: &str = "update tokens set org_name = $2, repo_name = $3 where id = $1";
    connection.run(MOVE, (id, org, repo)).await
}

impl TokenRow {
    fn is_for(&self, org: &str, repo: Option<&str>) -> bool {
        let is_same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
        is_same(&self.org_name, org)
            && match (self.repo_name.as_deref(), repo) {
                (Some(own), Some(repo)) => is_same(own, repo),
                (None, None) => true,
                _ => false,
            }
    }
}

impl Scoped<'_> {
    /// Whether the old name still exists in another case.
    pub(super) async fn still_exists(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<bool, StoreError> {
        Ok(match self {
            Self::Repository { from, .. } => stored_repository(connection, from).await?.is_some(),
            Self::Org { from, .. } => stored_org(connection, from.as_str()).await?.is_some(),
        })
    }

    /// The scope of the token under the new name; `None` if the token is not affected.
    fn new_scope(&self, token: &TokenRow, is_exact: bool) -> Option<(String, Option<String>)> {
        match self {
            Self::Repository { from, to } => {
                let own: Repository = Repository {
                    org: token.org_name.parse().ok()?,
                    repo: token.repo_name.as_deref()?.parse().ok()?,
                };
                let is_meant = if is_exact {
                    own == **from
                } else {
                    own.has_name_of(from)
                };
                is_meant.then(|| (to.org.to_string(), Some(to.repo.to_string())))
            }
            Self::Org { from, to } => {
                let own: OrgName = token.org_name.parse().ok()?;
                let is_meant = if is_exact {
                    own.as_str().starts_with(from.as_str()) && from.contains(&own)
                } else {
                    from.contains(&own)
                };
                let below = own.as_str().get(from.as_str().len()..)?;
                // The new name may be too long, and thus invalid.
                let org: OrgName = format!("{to}{below}").parse().ok()?;
                is_meant.then(|| (org.to_string(), token.repo_name.clone()))
            }
        }
    }
}
