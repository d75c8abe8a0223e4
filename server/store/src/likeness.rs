//! Repositories with names similar to one that does not exist.

use super::{Reader, StoreError};
use crate::sql::{ScopedText, readable};
use domain::{Repository, distance};

/// The maximum number of repositories to compare, which limits the cost of a wrong URL. The newest ones are compared.
const COMPARED: i64 = 5_000;

const NAMED: usize = 5;

impl Reader {
    /// Returns the repositories whose full or own name is most similar to `name`.
    pub async fn repositories_like(&self, name: &str) -> Result<Vec<Repository>, StoreError> {
        const NEWEST: ScopedText = ScopedText::new(concat!(
            "select p.org_name, p.repo_name from repositories p where ",
            readable!("p"),
            " order by p.id desc limit $1"
        ));
        let repositories: Vec<Repository> = self.all(NEWEST.with([COMPARED])).await?;
        let own = name.rsplit('/').next().unwrap_or(name);
        let mut similar: Vec<_> = repositories
            .into_iter()
            .filter_map(|repository| {
                let whole = distance(name, &repository.to_string());
                // The same name in another org is a weaker match than the full name.
                let part = distance(own, repository.repo.as_str()).map(|letters| letters + 1);
                let letters = whole.into_iter().chain(part).min()?;
                Some((letters, repository))
            })
            .collect();
        similar.sort();
        let nearest = similar.into_iter().take(NAMED);
        Ok(nearest.map(|(_, repository)| repository).collect())
    }
}
