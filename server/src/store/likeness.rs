//! Repositories whose names are like one that is not there.

use super::{Store, StoreError};
use domain::{Repository, distance};
use sqlx::FromRow;

/// Repositories that are compared, the newest ones: what a wrong address costs is bounded.
const COMPARED: i64 = 5_000;

/// Repositories that are named.
const NAMED: usize = 5;

#[derive(FromRow)]
struct Row {
    org_name: String,
    repo_name: String,
}

impl Store {
    /// The repositories whose full or own name is most like `name`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn repositories_like(&self, name: &str) -> Result<Vec<Repository>, StoreError> {
        let rows: Vec<Row> = sqlx::query_as(
            "select org_name, repo_name from repositories order by id desc limit $1",
        )
        .bind(COMPARED)
        .fetch_all(&self.readers)
        .await?;
        let own = name.rsplit('/').next().unwrap_or(name);
        let mut alike: Vec<_> = rows
            .into_iter()
            .filter_map(|row| {
                let whole = distance(name, &format!("{}/{}", row.org_name, row.repo_name));
                // Its own name in another org is less than the whole one.
                let part = distance(own, &row.repo_name).map(|letters| letters + 1);
                let letters = whole.into_iter().chain(part).min()?;
                Some((letters, row.org_name, row.repo_name))
            })
            .collect();
        alike.sort();
        alike
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
