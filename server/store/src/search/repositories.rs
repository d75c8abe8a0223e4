//! Lists the names of all repositories.

use crate::{
    Reader, StoreError, Unsigned,
    paging::cut,
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
        let limit = Unsigned::from(MOST_NAMED + 1);
        let mut repositories: Vec<Repository> = self.all(NAMES.with([limit])).await?;
        let has_more = cut(&mut repositories, MOST_NAMED);
        repositories.sort();
        Ok((repositories, !has_more))
    }
}
