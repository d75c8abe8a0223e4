//! Lists the names of all repositories.

use crate::{
    Reader, StoreError,
    sql::{ScopedText, readable},
};
use domain::Repository;

/// The maximum number of repositories. The newest ones are listed.
const MOST_NAMED: usize = 20_000;

impl Reader {
    /// Returns the repositories by name, at most 20,000, and whether the list is complete.
    pub async fn repository_names(&self) -> Result<(Vec<Repository>, bool), StoreError> {
        const NAMES: ScopedText = ScopedText::new(concat!(
            "select p.org_name, p.repo_name from repositories p where ",
            readable!("p"),
            " order by p.id desc limit $1"
        ));
        let limit = i64::try_from(MOST_NAMED + 1).unwrap_or(i64::MAX);
        let rows: Vec<Repository> = self.all(NAMES.with([limit])).await?;
        let is_whole = rows.len() <= MOST_NAMED;
        let mut repositories: Vec<_> = rows.into_iter().take(MOST_NAMED).collect();
        repositories.sort();
        Ok((repositories, is_whole))
    }
}
