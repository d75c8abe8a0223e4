//! Names that differ in case only. Databases from before the rule may hold them.

use crate::{Operator, StoreError};
use sqlx::FromRow;
use std::collections::{BTreeMap, BTreeSet};

/// Names that are equal without case; the one in force first.
pub type Collision = Vec<String>;

/// All colliding names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collisions {
    /// Orgs, outermost ones only: everything in them collides too.
    pub orgs: Vec<Collision>,
    /// Repositories.
    pub repositories: Vec<Collision>,
}

/// The maximum of rows to read.
const MOST: i64 = 10_000;

const REPOSITORIES: &str = "
    select lower(p.org_name || '/' || p.repo_name) as key, p.org_name, p.repo_name from repositories p
    where p.name_key is null
       or p.name_key in (select lower(q.org_name || '/' || q.repo_name) from repositories q where q.name_key is null)
    order by case when p.name_key is null then 1 else 0 end, p.created_at, p.id
    limit $1";

/// The orgs, in the order of their oldest repositories.
const ORGS: &str = "
    select p.org_name from repositories p
    group by p.org_name
    order by min(p.created_at), min(p.id)
    limit $1";

#[derive(FromRow)]
struct Row {
    key: String,
    org_name: String,
    repo_name: String,
}

impl Operator<'_> {
    /// Returns the orgs and repositories whose names differ in case only.
    pub async fn name_collisions(self) -> Result<Collisions, StoreError> {
        let rows: Vec<Row> = sqlx::query_as(REPOSITORIES)
            .bind(MOST)
            .fetch_all(&self.store.read_pool)
            .await?;
        let mut repositories: BTreeMap<String, Collision> = BTreeMap::new();
        for row in rows {
            let name = format!("{}/{}", row.org_name, row.repo_name);
            repositories.entry(row.key).or_default().push(name);
        }
        let orgs: Vec<String> = sqlx::query_scalar(ORGS)
            .bind(MOST)
            .fetch_all(&self.store.read_pool)
            .await?;
        Ok(Collisions {
            orgs: collisions_of_orgs(&orgs),
            repositories: repositories
                .into_values()
                .filter(|names| names.len() > 1)
                .collect(),
        })
    }
}

/// Finds collisions among orgs, given oldest first, and the groups that contain them.
fn collisions_of_orgs(orgs: &[String]) -> Vec<Collision> {
    let mut spellings: BTreeMap<String, Collision> = BTreeMap::new();
    for org in orgs {
        let ends = org.match_indices('/').map(|(end, _)| end);
        for end in ends.chain([org.len()]) {
            let name = org.get(..end).unwrap_or(org);
            let known = spellings.entry(name.to_ascii_lowercase()).or_default();
            if !known.iter().any(|known| known == name) {
                known.push(name.to_owned());
            }
        }
    }
    let colliding: BTreeSet<_> = spellings
        .iter()
        .filter(|(_, names)| names.len() > 1)
        .map(|(key, _)| key.clone())
        .collect();
    let is_outermost = |key: &str| {
        let mut around = key.match_indices('/').map(|(end, _)| &key[..end]);
        !around.any(|around| colliding.contains(around))
    };
    spellings.retain(|key, _| colliding.contains(key) && is_outermost(key));
    spellings.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orgs_that_differ_by_case_are_listed_once_oldest_first() {
        let orgs = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
            collisions_of_orgs(&names)
        };
        assert_eq!(
            orgs(&["acme", "acme/platform", "Zoo"]),
            Vec::<Collision>::new()
        );
        assert_eq!(
            orgs(&["Acme", "acme/platform", "ACME/Platform", "zoo/a", "zoo/A"]),
            [vec!["Acme", "acme", "ACME"], vec!["zoo/a", "zoo/A"]]
        );
    }
}
