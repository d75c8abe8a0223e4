//! The records that a record can be compared with.

use super::Side;
use crate::{Store, StoreError, run::Run};
use domain::RecordChoice;

/// The maximum number of branches whose current records are offered. The repository's page lists all.
const MOST_BRANCHES: i64 = 100;

/// The maximum number of earlier records of a branch that are offered.
const MOST_EARLIER: i64 = 30;

/// Selects the columns of a [`RecordChoice`], for records `r` on branches `b`.
macro_rules! choice_rows {
    () => {
        "select r.id, b.name as branch_name, r.commit_hash, r.percentage_basis_points, r.updated_at,
                case when r.superseded_at is null then 1 else 0 end as is_current
         from records r
         join branches b on b.id = r.branch_id "
    };
}

/// The current records of a repository's branches in one language, the main branch first.
pub(crate) const BRANCHES: &str = concat!(
    choice_rows!(),
    "join repositories p on p.id = r.repository_id
     where r.repository_id = $1 and r.superseded_at is null and r.language = $2
     order by case when b.id = p.main_branch_id then 0 else 1 end, r.updated_at desc, r.id desc
     limit $3"
);

/// The confirmed records of a branch in one language before a time.
pub(crate) const EARLIER: &str = concat!(
    choice_rows!(),
    "where r.branch_id = $1 and r.language = $2 and r.updated_at < $3 and r.unconfirmed_at is null
     order by r.updated_at desc
     limit $4"
);

impl Store {
    /// Returns the records that `side` can be compared with, in its repository and language.
    pub(super) async fn record_choices(
        &self,
        side: &Side,
    ) -> Result<Vec<RecordChoice>, StoreError> {
        let language = &side.record.language;
        let mut choices: Vec<RecordChoice> = self
            .all(BRANCHES, (side.repository_id, language, MOST_BRANCHES))
            .await?;
        let before = side.record.updated_at;
        let earlier: Vec<RecordChoice> = self
            .all(EARLIER, (side.branch_id, language, before, MOST_EARLIER))
            .await?;
        choices.extend(earlier);
        Ok(choices)
    }
}
