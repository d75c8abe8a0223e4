//! Moves the gates of a renamed or merged repository or org.

use super::{HowNamesChange, scopes::Scoped};
use crate::{Named, StoreError, gates::key, names::below, run::Run};
use domain::OrgName;
use sqlx::{AnyConnection, FromRow};

#[derive(FromRow)]
struct Row {
    org_key: String,
    repo_key: String,
    rules: String,
    set_at: i64,
}

/// Moves gates to the new name. A renamed repository or org keeps its gate. A merged repository or org gives its gate to the
/// target if the target has none.
pub(super) async fn changed(
    connection: &mut AnyConnection,
    scoped: Scoped<'_>,
    how: HowNamesChange,
) -> Result<(), StoreError> {
    const DELETE: &str = "delete from gates where org_key = $1 and repo_key = $2";
    let rows = of_old_name(connection, scoped).await?;
    let moved = rows
        .iter()
        .filter_map(|row| Some((row, scoped.new_key(row)?)));
    let moved = moved.filter(|(row, (org, repo))| (org, repo) != (&row.org_key, &row.repo_key));
    let moved: Vec<_> = moved.collect();
    // Repositories whose names differ only in case share one gate.
    if !scoped.still_exists(connection).await? {
        for (row, _) in &moved {
            connection
                .run(DELETE, (&row.org_key, &row.repo_key))
                .await?;
        }
    }
    for (row, (org, repo)) in &moved {
        put(connection, (org, repo), row, how).await?;
    }
    Ok(())
}

async fn of_old_name(
    connection: &mut AnyConnection,
    scoped: Scoped<'_>,
) -> Result<Vec<Row>, StoreError> {
    const REPOSITORY: &str = "
        select org_key, repo_key, rules, set_at from gates where org_key = $1 and repo_key = $2";
    const ORG: &str = "
        select org_key, repo_key, rules, set_at from gates
        where org_key = $1 or (org_key > $2 and org_key < $3)
        order by org_key, repo_key";
    match scoped {
        Scoped::Repository { from, .. } => {
            let names = key(&Named::Repository(from.clone()));
            connection.all(REPOSITORY, names).await
        }
        Scoped::Org { from, .. } => {
            let org = from.key();
            let [begin, end] = below(&org);
            connection.all(ORG, [org, begin, end]).await
        }
    }
}

async fn put(
    connection: &mut AnyConnection,
    (org, repo): (&str, &str),
    row: &Row,
    how: HowNamesChange,
) -> Result<(), StoreError> {
    const RENAME: &str = "
        insert into gates (org_key, repo_key, rules, set_at) values ($1, $2, $3, $4)
        on conflict (org_key, repo_key) do update set rules = excluded.rules, set_at = excluded.set_at";
    const MERGE: &str = "
        insert into gates (org_key, repo_key, rules, set_at) values ($1, $2, $3, $4)
        on conflict (org_key, repo_key) do nothing";
    let put = match how {
        HowNamesChange::Rename => RENAME,
        HowNamesChange::Merge => MERGE,
    };
    connection
        .run(put, (org, repo, &row.rules, row.set_at))
        .await
}

impl Scoped<'_> {
    /// The key of a gate under the new name; `None` if the new name would be too long.
    fn new_key(&self, row: &Row) -> Option<(String, String)> {
        match self {
            Self::Repository { to, .. } => Some(key(&Named::Repository((*to).clone()))),
            Self::Org { from, to } => {
                let below = row.org_key.get(from.as_str().len()..)?;
                let org: OrgName = format!("{to}{below}").parse().ok()?;
                Some((org.key(), row.repo_key.clone()))
            }
        }
    }
}
