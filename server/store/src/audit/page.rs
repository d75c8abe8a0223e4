//! Reads the audit log for its page: filtered, within a scope, starting at any row.

use super::audit_columns;
use crate::{Operator, StoreError, run::Run, sql::Sql, text::containing, time::now};
use domain::{AuditEntry, AuditPage, AuditQuery, AuditScope, Repository};

pub(crate) const PAGE_SIZE: usize = 50;

/// The maximum number of rows that one page searches. The next page continues after them.
const LOOKED_THROUGH: i64 = 10_000;

/// The last row that a page with a filter searches, and the row after it.
const WINDOW_END: &str = "select id from audit where id < $1 order by id desc limit 2 offset $2";

impl Operator<'_> {
    /// Returns one page of the audit log, limited to the rows in `scope`.
    pub async fn audit_page(
        self,
        query: &AuditQuery,
        scope: &AuditScope,
    ) -> Result<AuditPage, StoreError> {
        let before = query.before.unwrap_or(i64::MAX);
        let is_part = query.has_filter() || *scope != AuditScope::All;
        let window_end = if is_part {
            self.audit_window_end(before).await?
        } else {
            None
        };
        let mut sql = Sql::new(concat!(
            "select ",
            audit_columns!(),
            " from audit a where a.id < "
        ));
        sql.push_bind(before);
        sql.push(" and a.id >= ").push_bind(window_end.unwrap_or(0));
        push_scope(&mut sql, scope);
        if let Some(action) = query.action {
            sql.push(" and a.action = ")
                .push_bind(action.word().to_owned());
        }
        if !query.repository.is_empty() {
            sql.push(
                " and lower(coalesce(a.org_name, '') || '/' || coalesce(a.repo_name, '')) like ",
            )
            .push_bind(containing(&query.repository))
            .push(" escape '!'");
        }
        sql.push(" order by a.id desc limit ")
            .push_bind(i64::try_from(PAGE_SIZE + 1).unwrap_or(i64::MAX));
        let mut entries: Vec<AuditEntry> = sql.rows()?.fetch_all(&self.store.read_pool).await?;
        let next = if entries.len() > PAGE_SIZE {
            entries.get(PAGE_SIZE - 1).map(|last| last.id)
        } else {
            window_end
        };
        entries.truncate(PAGE_SIZE);
        Ok(AuditPage {
            now: now(),
            query: query.clone(),
            entries,
            next,
        })
    }

    /// Where the next page continues if this page finds no more among the rows that it searches.
    async fn audit_window_end(self, before: i64) -> Result<Option<i64>, StoreError> {
        let rows: Vec<i64> = self
            .store
            .values(WINDOW_END, (before, LOOKED_THROUGH - 1))
            .await?;
        Ok(match rows.as_slice() {
            [last, _] => Some(*last),
            _ => None,
        })
    }
}

/// Adds the condition that the table `a` is in this scope. Ignores case: a row keeps the spelling of names at its time.
pub(crate) fn push_scope(sql: &mut Sql, scope: &AuditScope) {
    match scope {
        AuditScope::All => {}
        AuditScope::Org(org) => {
            let org = org.as_str().to_lowercase();
            // `0` is the character after `/`: names between the two are subgroups.
            sql.push(" and (lower(a.org_name) = ")
                .push_bind(org.clone())
                .push(" or (lower(a.org_name) >= ")
                .push_bind(format!("{org}/"))
                .push(" and lower(a.org_name) < ")
                .push_bind(format!("{org}0"))
                .push("))");
        }
        AuditScope::Repository(Repository { org, repo }) => {
            sql.push(" and lower(a.org_name) = ")
                .push_bind(org.as_str().to_lowercase())
                .push(" and lower(a.repo_name) = ")
                .push_bind(repo.as_str().to_lowercase());
        }
    }
}
