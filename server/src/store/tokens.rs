//! The hashes of upload tokens.

use super::{Store, StoreError, time::now};

impl Store {
    /// The name of the token with this hash, if there is one.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn token_name(&self, hash: &str) -> Result<Option<String>, StoreError> {
        Ok(
            sqlx::query_scalar("select name from tokens where hash = $1")
                .bind(hash)
                .fetch_optional(&self.readers)
                .await?,
        )
    }

    /// Whether any token exists.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn has_any_token(&self) -> Result<bool, StoreError> {
        Ok(sqlx::query("select 1 from tokens limit 1")
            .fetch_optional(&self.readers)
            .await?
            .is_some())
    }

    /// Keeps the hash of a new token.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn add_token(&self, name: &str, hash: &str) -> Result<(), StoreError> {
        sqlx::query("insert into tokens (name, hash, created_at) values ($1, $2, $3)")
            .bind(name)
            .bind(hash)
            .bind(now().0)
            .execute(&self.writer)
            .await?;
        Ok(())
    }
}
