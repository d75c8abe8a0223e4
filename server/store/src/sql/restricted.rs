//! Restricts a query to the repositories that a reader may see, at the marks in the query.

use super::Sql;
use crate::{ReadScope, Scope, run::Parameters, text::starting_with};
use domain::Repository;
use std::ops::{Deref, DerefMut};

/// The condition on a table with the columns `org_name` and `repo_name`.
macro_rules! readable {
    ($table:literal) => {
        concat!("true /* readable ", $table, " */")
    };
}

/// The condition on a table with the column `repository_id`.
macro_rules! readable_record {
    ($table:literal) => {
        concat!("true /* readable record ", $table, " */")
    };
}

pub(crate) use {readable, readable_record};

/// How a mark starts and ends, and the word in a mark for records.
const START: &str = "true /* readable ";
const RECORD: &str = "record ";
const END: &str = " */";

/// A query, or a part of one, with a mark. A constant without a mark does not compile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScopedText(&'static str);

impl ScopedText {
    pub(crate) const fn new(text: &'static str) -> Self {
        assert!(
            has_mark(text.as_bytes()),
            "nothing restricts this query to what its reader may see: use readable! or readable_record!"
        );
        Self(text)
    }

    /// The query with the values of its parameters.
    pub(crate) fn with(self, values: impl Parameters) -> ScopedSql {
        ScopedSql(Sql::with(self.0, values))
    }

    /// The text itself, for tests of query plans.
    #[cfg(test)]
    pub(crate) const fn text(self) -> &'static str {
        self.0
    }
}

const fn has_mark(text: &[u8]) -> bool {
    let mark = START.as_bytes();
    let mut at = 0;
    while at + mark.len() <= text.len() {
        let mut same = 0;
        while same < mark.len() && text[at + same] == mark[same] {
            same += 1;
        }
        if same == mark.len() {
            return true;
        }
        at += 1;
    }
    false
}

pub(crate) struct ScopedSql(Sql);

impl Sql {
    pub(crate) fn scoped(mut self, text: ScopedText) -> ScopedSql {
        self.push(text.0);
        ScopedSql(self)
    }
}

impl ScopedSql {
    /// Restricts the query to the repositories in `scope`.
    pub(crate) fn restricted(mut self, scope: &ReadScope) -> Sql {
        restrict(scope, &mut self.0);
        self.0
    }
}

impl Deref for ScopedSql {
    type Target = Sql;

    fn deref(&self) -> &Sql {
        &self.0
    }
}

impl DerefMut for ScopedSql {
    fn deref_mut(&mut self) -> &mut Sql {
        &mut self.0
    }
}

/// Replaces the marks in a query with the condition. A query for all repositories stays unchanged.
fn restrict(scope: &ReadScope, sql: &mut Sql) {
    let Some(scopes) = scope.scopes() else { return };
    if !sql.text().contains(START) {
        return;
    }
    let conditions: Vec<_> = scopes
        .iter()
        .filter_map(|scope| Condition::of(scope, sql))
        .collect();
    let text = sql.take_text();
    let mut parts = text.split(START);
    sql.push(parts.next().unwrap_or_default());
    for part in parts {
        let (table, rest) = part.split_once(END).unwrap_or((part, ""));
        sql.push(&condition(&conditions, table)).push(rest);
    }
}

/// The condition for one scope, with the parameters of its names.
enum Condition {
    Org { name: String, below: String },
    Repository { org: String, repo: String },
}

impl Condition {
    /// Names in `uploads` may have any collation, so only equality and `like` compare them.
    fn of(scope: &Scope, sql: &mut Sql) -> Option<Self> {
        match scope {
            Scope::All => None,
            Scope::Org(org) => Some(Self::Org {
                name: sql.place(org.key()),
                below: sql.place(starting_with(&format!("{}/", org.key()))),
            }),
            Scope::Repository(Repository { org, repo }) => Some(Self::Repository {
                org: sql.place(org.key()),
                repo: sql.place(repo.as_str().to_ascii_lowercase()),
            }),
        }
    }

    fn on(&self, table: &str) -> String {
        match self {
            Self::Org { name, below } => format!(
                "lower({table}.org_name) = {name} or lower({table}.org_name) like {below} escape '!'"
            ),
            Self::Repository { org, repo } => {
                format!("(lower({table}.org_name) = {org} and lower({table}.repo_name) = {repo})")
            }
        }
    }
}

fn condition(conditions: &[Condition], table: &str) -> String {
    let any = |table: &str| {
        let any: Vec<_> = conditions.iter().map(|one| one.on(table)).collect();
        any.join(" or ")
    };
    match (conditions, table.strip_prefix(RECORD)) {
        ([], _) => "false".to_owned(),
        (_, None) => format!("({})", any(table)),
        (_, Some(table)) => format!(
            "exists (select 1 from repositories readable where readable.id = {table}.repository_id and ({}))",
            any("readable")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(names: &[&str]) -> ReadScope {
        let org = |name: &&str| Scope::Org(name.parse().expect("an org"));
        ReadScope::of(names.iter().map(org))
    }

    fn text(scope: &ReadScope) -> String {
        const READABLE: ScopedText = ScopedText::new(readable!("u"));
        let sql = Sql::with(
            "select 1 from records r, uploads u where r.id = $1 and ",
            [7],
        );
        let mut sql = sql.scoped(READABLE);
        sql.push(" and ");
        sql.push(readable_record!("r")).push(" limit 1");
        sql.restricted(scope).text().to_owned()
    }

    #[test]
    fn a_query_for_all_repositories_has_no_condition() {
        let all = text(&ReadScope::ALL);
        assert!(all.contains("true /* readable u */"), "{all}");
        assert_eq!(text(&ReadScope::of([Scope::All])), all);
    }

    #[test]
    fn every_mark_becomes_a_condition_on_its_table() {
        assert_eq!(
            text(&scope(&["Acme", "tools"])),
            "select 1 from records r, uploads u where r.id = $1 and \
             (lower(u.org_name) = $2 or lower(u.org_name) like $3 escape '!' or \
             lower(u.org_name) = $4 or lower(u.org_name) like $5 escape '!') and \
             exists (select 1 from repositories readable where readable.id = r.repository_id and \
             (lower(readable.org_name) = $2 or lower(readable.org_name) like $3 escape '!' or \
             lower(readable.org_name) = $4 or lower(readable.org_name) like $5 escape '!')) limit 1"
        );
        let only = Scope::Repository("acme/payments".parse().expect("a repository"));
        let only = text(&ReadScope::of([only]));
        assert!(
            only.contains("((lower(u.org_name) = $2 and lower(u.repo_name) = $3))"),
            "{only}"
        );
        assert_eq!(
            text(&ReadScope::of([])),
            "select 1 from records r, uploads u where r.id = $1 and false and false limit 1"
        );
    }
}
