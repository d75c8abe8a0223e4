//! Checks whether the database itself is intact.

use crate::{Operator, StoreError, engine::Engine, run::Run};

/// <https://www.sqlite.org/pragma.html#pragma_integrity_check>: one row `ok`, or at most a hundred rows with errors.
const INTEGRITY: &str = "select integrity_check from pragma_integrity_check";

/// <https://www.sqlite.org/pragma.html#pragma_foreign_key_check>
const FOREIGN_KEYS: &str = "
    select 'row ' || coalesce(\"rowid\", 0) || ' of ' || \"table\" || ' points to a row of ' || \"parent\" || ' that is not there'
    from pragma_foreign_key_check limit 1000";

impl Operator<'_> {
    /// Returns the damage of its file that SQLite reports, one sentence each. PostgreSQL checks its files itself.
    pub async fn damage(self) -> Result<Vec<String>, StoreError> {
        if self.store.engine != Engine::Sqlite {
            return Ok(Vec::new());
        }
        let found: Vec<String> = self.store.values(INTEGRITY, ()).await?;
        Ok(found.into_iter().filter(|row| row != "ok").collect())
    }

    /// Returns rows that point to a missing row, one sentence each. PostgreSQL enforces its foreign keys.
    pub async fn broken_foreign_keys(self) -> Result<Vec<String>, StoreError> {
        if self.store.engine != Engine::Sqlite {
            return Ok(Vec::new());
        }
        self.store.values(FOREIGN_KEYS, ()).await
    }
}
