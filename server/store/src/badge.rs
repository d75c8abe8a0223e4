//! The percentage on a badge.

use super::{
    Reader, StoreError,
    run::Run,
    views::{Measure, Sample},
};
use domain::{BranchName, Language, Metric, Percentage, Repository, Timestamp};

/// The columns of a record.
macro_rules! record {
    ($from:literal) => {
        concat!(
            "select r.id as record_id, r.commit_hash, r.commit_author, r.percentage_basis_points as percentage, r.updated_at as at, r.revision,
                    1 as records, r.lines_covered, r.lines_total, r.branches_covered, r.branches_total,
                    r.functions_covered, r.functions_total, 0 as has_failed ",
            $from
        )
    };
}

const OF_MAIN: &str = record!(
    "from repositories p
    join records r on r.branch_id = p.main_branch_id and r.superseded_at is null
    where p.name_key = $1 and ($2 is null or r.language = $2)
    order by r.updated_at desc, r.id desc limit 1"
);

const OF_BRANCH: &str = record!(
    "from repositories p
    join branches b on b.repository_id = p.id and b.name = $3
    join records r on r.branch_id = b.id and r.superseded_at is null
    where p.name_key = $1 and ($2 is null or r.language = $2)
    order by r.updated_at desc, r.id desc limit 1"
);

impl Reader {
    /// Returns the current percentage of a branch in a language. Defaults: the main branch, and the language that was updated
    /// last. `None` if it is unknown.
    pub async fn badge(
        &self,
        repository: &Repository,
        branch: Option<&BranchName>,
        language: Option<&Language>,
        what: Measure<'_>,
    ) -> Result<Option<Percentage>, StoreError> {
        let Some(store) = self.sees(repository) else {
            return Ok(None);
        };
        let found: Option<Sample> = match branch {
            Some(branch) => {
                store
                    .first(OF_BRANCH, (repository, language, branch))
                    .await?
            }
            None => store.first(OF_MAIN, (repository, language)).await?,
        };
        let Some(found) = found else {
            return Ok(None);
        };
        if let Measure {
            metric: Metric::Lines,
            view: None,
            ..
        } = what
        {
            return Ok(Some(found.percentage()));
        }
        let view = match what.view {
            Some(view) => match store.view_files(repository, view).await? {
                Some(view) => Some(view),
                None => return Ok(None),
            },
            None => None,
        };
        store.measured(repository, found, what, view).await
    }

    /// Returns the percentage of a record and the time of its last upload; `None` if there is no such record.
    pub async fn badge_of_record(
        &self,
        id: i64,
    ) -> Result<Option<(Percentage, Timestamp)>, StoreError> {
        const OF_RECORD: &str =
            "select percentage_basis_points, updated_at from records where id = $1";
        let Some(store) = self.sees_record(id).await? else {
            return Ok(None);
        };
        store.first(OF_RECORD, [id]).await
    }
}
