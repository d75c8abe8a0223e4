//! Reads the audit log for its page: filtered, within a scope, starting at any row.

use super::audit_columns;
use crate::{
    Operator, StoreError, Unsigned, names::below, paging::cut, run::answered, sql::Sql,
    text::containing, time::now,
};
use domain::{AuditEntry, AuditPage, AuditQuery, Repository, Scope};

pub(crate) const PAGE_SIZE: usize = 50;

/// The last row that a page with a filter searches, and the row after it.
const WINDOW_END: &str = "select id from audit where id < $1 order by id desc limit 2 offset $2";

impl Operator<'_> {
    /// Returns one page of the audit log, limited to the rows in `scopes`.
    pub async fn audit_page(
        self,
        query: &AuditQuery,
        scopes: &[Scope],
    ) -> Result<AuditPage, StoreError> {
        let before = query.before.unwrap_or(i64::MAX);
        let is_part = query.has_filter() || !scopes.contains(&Scope::All);
        let window_end = match is_part {
            true => self.store.window_end(WINDOW_END, before).await?,
            false => None,
        };
        let mut sql = Sql::new(concat!(
            "select ",
            audit_columns!(),
            " from audit a where a.id < "
        ));
        sql.push_bind(before);
        sql.push(" and a.id >= ").push_bind(window_end.unwrap_or(0));
        push_scopes(&mut sql, scopes);
        if let Some(action) = query.action {
            sql.push(" and a.action = ")
                .push_bind(action.word().to_owned());
        }
        if !query.repository.is_empty() {
            sql.push(" and ").push_like(
                "lower(coalesce(a.org_name, '') || '/' || coalesce(a.repo_name, ''))",
                &containing(&query.repository),
            );
        }
        sql.push(" order by a.id desc limit ")
            .push_bind(Unsigned::from(PAGE_SIZE + 1));
        let mut entries: Vec<AuditEntry> =
            answered(sql.rows()?.fetch_all(&self.store.read_pool)).await?;
        let next = match cut(&mut entries, PAGE_SIZE) {
            true => entries.last().map(|last| last.id),
            false => window_end,
        };
        Ok(AuditPage {
            now: now(),
            query: query.clone(),
            entries,
            next,
        })
    }
}

/// Adds the condition that the table `a` is in one of these scopes. Ignores case: a row keeps the spelling of names at its time.
pub(crate) fn push_scopes(sql: &mut Sql, scopes: &[Scope]) {
    if scopes.contains(&Scope::All) {
        return;
    }
    sql.push(" and (1 = 0");
    for scope in scopes {
        sql.push(" or ");
        push_scope(sql, scope);
    }
    sql.push(")");
}

fn push_scope(sql: &mut Sql, scope: &Scope) {
    match scope {
        Scope::All => {
            sql.push("1 = 1");
        }
        Scope::Org(org) => {
            let org = org.as_str().to_lowercase();
            let [begin, end] = below(&org);
            sql.push("(lower(a.org_name) = ").push_bind(org);
            sql.push(" or (lower(a.org_name) >= ").push_bind(begin);
            sql.push(" and lower(a.org_name) < ")
                .push_bind(end)
                .push("))");
        }
        Scope::Repository(Repository { org, repo }) => {
            sql.push("(lower(a.org_name) = ")
                .push_bind(org.as_str().to_lowercase())
                .push(" and lower(a.repo_name) = ")
                .push_bind(repo.as_str().to_lowercase())
                .push(")");
        }
    }
}
