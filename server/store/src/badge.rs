//! The percentage on a badge.

use super::{
    Reader, StoreError,
    run::Run,
    views::{Measure, Sample},
};
use domain::{BranchName, Count, Language, Metric, Percentage, Repository, Timestamp};

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

/// A part that was measured, or that is carried.
const OF_PART: &str = "
    select q.percentage_basis_points, c.covered, c.coverable from repositories p
    join records r on r.superseded_at is null and r.branch_id = case when $3 is null then p.main_branch_id else
        (select b.id from branches b where b.repository_id = p.id and b.name = $3) end
    left join record_parts q on q.record_id = r.id and q.part = $4 and q.skip_reason is null
    left join carried_parts c on c.record_id = r.id and c.part = $4
    where p.name_key = $1 and ($2 is null or r.language = $2) and (q.part is not null or c.part is not null)
    order by r.updated_at desc, r.id desc limit 1";

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
        if let Some(part) = what.part {
            let of_lines = what.metric == Metric::Lines && what.view.is_none();
            let values = (repository, language, branch, part);
            let found = store.first(OF_PART, values);
            return match of_lines {
                true => Ok(found.await?.and_then(of_part)),
                false => Ok(None),
            };
        }
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

/// The percentage that the part's tool states, else the percentage of its lines.
fn of_part(
    (stated, covered, coverable): (Option<i64>, Option<i64>, Option<i64>),
) -> Option<Percentage> {
    let counted = || Percentage::of(Count::of_columns(covered, coverable)?);
    stated.map(Percentage::from).or_else(counted)
}
