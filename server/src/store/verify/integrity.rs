//! Whether the database itself is whole.

use crate::store::{Store, StoreError, engine::Engine};

/// <https://www.sqlite.org/pragma.html#pragma_integrity_check>: one row that says `ok`, or what is wrong, a hundred rows at most.
const INTEGRITY: &str = "select integrity_check from pragma_integrity_check";

/// <https://www.sqlite.org/pragma.html#pragma_foreign_key_check>
const FOREIGN_KEYS: &str = "
    select 'row ' || coalesce(\"rowid\", 0) || ' of ' || \"table\" || ' points to a row of ' || \"parent\" || ' that is not there'
    from pragma_foreign_key_check limit 1000";

impl Store {
    /// What SQLite says is wrong with its file, a sentence each. PostgreSQL looks after its files itself.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn damage(&self) -> Result<Vec<String>, StoreError> {
        if self.engine != Engine::Sqlite {
            return Ok(Vec::new());
        }
        let said: Vec<String> = sqlx::query_scalar(INTEGRITY)
            .fetch_all(&self.readers)
            .await?;
        Ok(said.into_iter().filter(|said| said != "ok").collect())
    }

    /// Rows that point to one that is not there, a sentence each. PostgreSQL never lets go of a row that is pointed to.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn broken_foreign_keys(&self) -> Result<Vec<String>, StoreError> {
        if self.engine != Engine::Sqlite {
            return Ok(Vec::new());
        }
        Ok(sqlx::query_scalar(FOREIGN_KEYS)
            .fetch_all(&self.readers)
            .await?)
    }
}
