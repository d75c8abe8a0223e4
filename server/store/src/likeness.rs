//! Repositories with names similar to one that does not exist.

use super::{Reader, StoreError};
use crate::sql::{ScopedText, readable};
use domain::{Repository, distance};
use sqlx::FromRow;

/// The maximum number of repositories to compare, which limits the cost of a wrong URL. The newest ones are compared.
const COMPARED: i64 = 5_000;

const NAMED: usize = 5;

#[derive(FromRow)]
struct Row {
    org_name: String,
    repo_name: String,
}

impl Reader {
    /// Returns the repositories whose full or own name is most similar to `name`.
    pub async fn repositories_like(&self, name: &str) -> Result<Vec<Repository>, StoreError> {
        const NEWEST: ScopedText = ScopedText::new(concat!(
            "select p.org_name, p.repo_name from repositories p where ",
            readable!("p"),
            " order by p.id desc limit $1"
        ));
        let rows: Vec<Row> = self.all(NEWEST.with([COMPARED])).await?;
        let own = name.rsplit('/').next().unwrap_or(name);
        let mut similar: Vec<_> = rows
            .into_iter()
            .filter_map(|row| {
                let whole = distance(name, &format!("{}/{}", row.org_name, row.repo_name));
                // The same name in another org is a weaker match than the full name.
                let part = distance(own, &row.repo_name).map(|letters| letters + 1);
                let letters = whole.into_iter().chain(part).min()?;
                Some((letters, row.org_name, row.repo_name))
            })
            .collect();
        similar.sort();
        similar
            .into_iter()
            .take(NAMED)
            .map(|(_, org, repo)| {
                Ok(Repository {
                    org: org.try_into()?,
                    repo: repo.try_into()?,
                })
            })
            .collect()
    }
}
