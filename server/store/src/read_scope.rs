//! Which repositories a reader may see. To a store for a reader, the others do not exist: [`Store::for_reader`].
//!
//! Queries of lists mark where the condition belongs: [`readable!`] for a table with the names of repositories,
//! [`readable_record!`] for records. Queries by a name or a number ask [`Store::shows`] or [`Store::shows_record`] first.

use super::{Scope, Store, StoreError, names, sql::Sql, text::starting_with};
use domain::{OrgName, Repository};
use std::{collections::BTreeSet, sync::Arc};

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

pub(super) use {readable, readable_record};

/// How a condition starts and ends, and what marks one on records.
const START: &str = "true /* readable ";
const RECORD: &str = "record ";
const END: &str = " */";

/// The repositories that a reader may see: all, or those of some scopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReadScope(Option<Arc<[Scope]>>);

impl ReadScope {
    /// All repositories.
    pub const ALL: Self = Self(None);

    /// The repositories of any of these scopes; none without a scope.
    pub fn of(scopes: impl IntoIterator<Item = Scope>) -> Self {
        let scopes: BTreeSet<Scope> = scopes.into_iter().collect();
        if scopes.contains(&Scope::All) {
            Self::ALL
        } else {
            Self(Some(scopes.into_iter().collect()))
        }
    }

    /// No repository.
    pub fn nothing() -> Self {
        Self::of([])
    }

    /// Its size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        let scopes = self.0.as_deref().unwrap_or_default();
        scopes.iter().map(|scope| scope.to_string().len()).sum()
    }

    /// Whether it is all repositories, also those that are uploaded later.
    pub fn is_all(&self) -> bool {
        self.0.is_none()
    }

    /// Whether it is no repository at all.
    pub fn is_nothing(&self) -> bool {
        self.0.as_ref().is_some_and(|scopes| scopes.is_empty())
    }

    /// The scopes; none if it is all repositories.
    pub fn scopes(&self) -> Option<&[Scope]> {
        self.0.as_deref()
    }

    /// Whether it contains a repository; names are compared without ASCII case.
    pub fn covers(&self, repository: &Repository) -> bool {
        match &self.0 {
            None => true,
            Some(scopes) => scopes.iter().any(|scope| scope.covers(repository)),
        }
    }

    /// Whether it contains all repositories of an org and of its groups.
    pub(super) fn covers_org(&self, org: &OrgName) -> bool {
        let covers = |scope: &Scope| match scope {
            Scope::All => true,
            Scope::Org(of) => of.contains(org),
            Scope::Repository(_) => false,
        };
        self.0
            .as_ref()
            .is_none_or(|scopes| scopes.iter().any(covers))
    }

    /// Whether it may contain repositories of an org or of its groups.
    fn touches(&self, org: &OrgName) -> bool {
        let touches = |scope: &Scope| match scope {
            Scope::All => true,
            Scope::Org(of) => of.contains(org) || org.contains(of),
            Scope::Repository(only) => org.contains(&only.org),
        };
        self.0
            .as_ref()
            .is_none_or(|scopes| scopes.iter().any(touches))
    }

    /// Replaces the marks in a query with the condition. A query for all repositories stays as it is.
    pub(super) fn restrict(&self, sql: &mut Sql) {
        let Some(scopes) = &self.0 else { return };
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
}

/// One scope, with the parameters of its names.
enum Condition {
    Org { name: String, below: String },
    Repository { org: String, repo: String },
}

impl Condition {
    /// Names in `uploads` may have any collation, so that only equality and `like` compare them.
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

impl Store {
    /// Returns the same database for a reader who sees only the repositories in `scope`.
    pub fn for_reader(&self, scope: ReadScope) -> Self {
        Self {
            scope,
            ..self.clone()
        }
    }

    /// What queries of this store see.
    pub fn scope(&self) -> &ReadScope {
        &self.scope
    }

    /// Whether a reader of this store may see a repository, if it exists.
    pub(super) fn shows(&self, repository: &Repository) -> bool {
        self.scope.covers(repository)
    }

    /// Whether a reader of this store may see parts of an org, if it exists.
    pub(super) fn shows_org(&self, org: &OrgName) -> bool {
        self.scope.touches(org)
    }

    /// Whether a reader of this store may see a record, if it exists.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn shows_record(&self, id: i64) -> Result<bool, StoreError> {
        if self.scope.is_all() {
            return Ok(true);
        }
        let mut connection = self.readers.acquire().await?;
        let repository = names::of_record(&mut connection, id).await?;
        Ok(repository.is_some_and(|repository| self.shows(&repository)))
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
        let mut sql = Sql::new("select 1 from records r, uploads u where r.id = $1 and ");
        sql.bind(7);
        sql.push(readable!("u")).push(" and ");
        sql.push(readable_record!("r")).push(" limit 1");
        scope.restrict(&mut sql);
        sql.text().to_owned()
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

    #[test]
    fn a_reader_of_a_group_sees_parts_of_the_org_around_it() {
        let group = scope(&["acme/platform"]);
        let touches = |org: &str| group.touches(&org.parse().expect("an org"));
        assert!(touches("acme") && touches("ACME/Platform") && touches("acme/platform/tools"));
        assert!(!touches("acme/other") && !touches("acme2") && !touches("platform"));
        let covers = |name: &str| group.covers(&name.parse().expect("a repository"));
        assert!(covers("acme/platform/x") && covers("acme/platform/tools/x"));
        assert!(!covers("acme/x") && !covers("acme/platform"));
    }
}
