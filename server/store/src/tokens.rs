//! The tokens that this service created: their data, and only the hash of the secret.

mod page;
#[cfg(test)]
mod tests;

use super::{
    Operator, Scope, StoreError, Writer,
    audit::{self, AuditChange},
    time::now,
};
use crate::{actor::Actor, run::Run};
use domain::{AuditAction, OrgName, Purpose, RepoName, Timestamp};
use sqlx::FromRow;

/// A stored token.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Token {
    /// The id. Tokens in force never share an id.
    pub id: i64,
    /// The name given at its creation.
    pub name: String,
    /// The SHA-256 of the token, in hexadecimal.
    pub hash: String,
    /// The purpose.
    #[sqlx(try_from = "String")]
    pub purpose: Purpose,
    /// The repositories that it covers.
    #[sqlx(flatten)]
    pub scope: Scope,
    /// Its last characters, for recognition by people; empty for the oldest tokens.
    pub hint: String,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time when it expires, if it does.
    pub expires_at: Option<Timestamp>,
    /// The time of its last use.
    pub last_used_at: Option<Timestamp>,
    /// The time when it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
}

/// A token to store.
#[derive(Clone, Debug)]
pub struct NewToken<'a> {
    /// The name.
    pub name: &'a str,
    /// The SHA-256 of the token, in hexadecimal.
    pub hash: &'a str,
    /// The purpose.
    pub purpose: Purpose,
    /// The repositories that it covers.
    pub scope: &'a Scope,
    /// The last characters.
    pub hint: &'a str,
    /// The time when it expires, if it does.
    pub expires_at: Option<Timestamp>,
}

macro_rules! token_columns {
    () => {
        "select id, name, hash, purpose, org_name, repo_name, hint, created_at, expires_at, last_used_at, revoked_at "
    };
}

impl Writer<'_> {
    /// Returns the token with this hash, including expired and revoked ones.
    pub async fn token(self, hash: &str) -> Result<Option<Token>, StoreError> {
        const TOKEN: &str = concat!(token_columns!(), "from tokens where hash = $1");
        self.store.first(TOKEN, [hash]).await
    }
    /// Whether any token exists.
    pub async fn has_any_token(self) -> Result<bool, StoreError> {
        const ANY: &str = "select 1 from tokens limit 1";
        let any: Option<i64> = self.store.first_value(ANY, ()).await?;
        Ok(any.is_some())
    }

    /// Stores that a token was used now.
    pub async fn token_used(self, id: i64) -> Result<(), StoreError> {
        self.store.write(|pool| pool.run(USED, (now(), id))).await
    }
}

impl Operator<'_> {
    /// Returns all tokens, in the order of their creation.
    pub async fn tokens(self) -> Result<Vec<Token>, StoreError> {
        const TOKENS: &str = concat!(token_columns!(), "from tokens order by id");
        self.store.all(TOKENS, ()).await
    }

    /// Stores a new token and returns its id.
    ///
    /// # Errors
    ///
    /// [`StoreError::NameTaken`] if a token in force has that name.
    pub async fn add_token(self, token: NewToken<'_>, by: &Actor) -> Result<i64, StoreError> {
        const INSERT: &str = "
            insert into tokens (name, hash, purpose, org_name, repo_name, hint, created_at, expires_at)
            values ($1, $2, $3, $4, $5, $6, $7, $8)
            returning id";
        let mut transaction = self.store.begin().await?;
        let values = (
            token.name,
            token.hash,
            token.purpose.word(),
            token.scope.org().map(|org| org.as_str()),
            token.scope.repo().map(|repo| repo.as_str()),
            token.hint,
            now(),
            token.expires_at.map(|at| at.0),
        );
        let id = match transaction.value(INSERT, values).await {
            Err(StoreError::Database(sqlx::Error::Database(cause)))
                if cause.is_unique_violation() =>
            {
                return Err(StoreError::NameTaken);
            }
            id => id?,
        };
        let end = token
            .expires_at
            .map_or("until it is revoked".to_owned(), |at| {
                format!("until {}", at.machine())
            });
        let change = AuditChange::of_scope(
            AuditAction::TokenCreated,
            token.scope,
            format!("token {id}: {}", token.name),
        );
        let change = change.after(format!("{}, {}, {end}", token.purpose, token.scope));
        audit::write(&mut transaction, by, &change).await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// Revokes the token with this id. Returns false if no token in force has it.
    pub async fn revoke_token(self, id: i64, by: &Actor) -> Result<bool, StoreError> {
        const REVOKE: &str = "
            update tokens set revoked_at = $1 where id = $2 and revoked_at is null
            returning name, purpose, org_name, repo_name";
        let mut transaction = self.store.begin().await?;
        let revoked: Option<(String, String, Option<OrgName>, Option<RepoName>)> =
            transaction.first(REVOKE, (now().0, id)).await?;
        let Some((name, purpose, org, repo)) = revoked else {
            return transaction.unchanged(false).await;
        };
        let scope = Scope::new(org, repo);
        let change = AuditChange::of_scope(
            AuditAction::TokenRevoked,
            &scope,
            format!("token {id}: {name}"),
        );
        let change = change
            .before(format!("{purpose}, {scope}"))
            .after("revoked");
        audit::write(&mut transaction, by, &change).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

/// Stores the last use of a token, at most once per second: more writes would add no information.
pub(super) const USED: &str = "
    update tokens set last_used_at = $1
    where id = $2 and (last_used_at is null or last_used_at < $1 - 1000000)";
