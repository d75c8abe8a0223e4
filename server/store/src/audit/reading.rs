//! Reads the audit log for exports: in chunks, oldest row first, so that memory does not grow with the log.

use super::{audit_columns, page::push_scopes};
use crate::{Operator, Store, StoreError, run::answered, sql::Sql};
use domain::{AuditAction, AuditEntry, Scope, Timestamp};
use std::slice;

const CHUNK: i64 = 1_000;

/// Selects the rows to read.
#[derive(Clone, Debug)]
pub struct AuditFilter {
    /// Only rows at or after this time.
    pub since: Option<Timestamp>,
    /// Only rows about these repositories.
    pub scope: Scope,
    /// Only this action.
    pub action: Option<AuditAction>,
}

/// A position in the audit log, for reading it in chunks.
#[derive(Debug)]
pub struct AuditReading<'a> {
    store: &'a Store,
    filter: AuditFilter,
    after: i64,
}

impl<'a> Operator<'a> {
    /// Starts to read the rows of the audit log that match `filter`.
    pub fn read_audit(self, filter: AuditFilter) -> AuditReading<'a> {
        AuditReading {
            store: self.store,
            filter,
            after: 0,
        }
    }
}

impl AuditReading<'_> {
    /// Returns the next rows; empty at the end.
    pub async fn next(&mut self) -> Result<Vec<AuditEntry>, StoreError> {
        let mut sql = Sql::new(concat!(
            "select ",
            audit_columns!(),
            " from audit a where a.id > "
        ));
        sql.push_bind(self.after);
        if let Some(since) = self.filter.since {
            sql.push(" and a.at >= ").push_bind(since.0);
        }
        push_scopes(&mut sql, slice::from_ref(&self.filter.scope));
        if let Some(action) = self.filter.action {
            sql.push(" and a.action = ")
                .push_bind(action.word().to_owned());
        }
        sql.push(" order by a.id limit ").push_bind(CHUNK);
        let rows: Vec<AuditEntry> = answered(sql.rows()?.fetch_all(&self.store.read_pool)).await?;
        if let Some(last) = rows.last() {
            self.after = last.id;
        }
        Ok(rows)
    }
}
