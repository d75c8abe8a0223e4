//! Parts that arrived in one language of a commit count as arrived for its records in all languages.

use super::{completion::record_is_unconfirmed, early::oldest_skip};
use crate::{
    RecordKey, Store, StoreError,
    provisional::is_provisional,
    run::Run,
    standing::{Series, Trust, branch_id},
};
use domain::{CommitHash, PartName, PartSet, sql::IfReadable};
use sqlx::AnyConnection;

/// The parts of a commit in other languages than `$2`, and parts that were skipped there before a part arrived. `$4` is the trust of
/// the record: only parts of records with at least this trust count.
pub(crate) const ELSEWHERE: &str = concat!(
    "select q.part from records r
     join record_parts q on q.record_id = r.id
     where r.branch_id = $1 and r.commit_hash = $3 and r.language <> $2 and q.part <> ''
       and ($4 = 1 or not (",
    record_is_unconfirmed!(),
    ") or ($4 = 2 and ",
    is_provisional!("r.id"),
    "))
     union
     select e.part from branches b
     join repositories p on p.id = b.repository_id
     join early_skips e on e.repository_key = p.name_key and e.branch_name = b.name
     where b.id = $1 and e.commit_hash = $3 and e.language <> $2 and e.skipped_at >= $5"
);

impl Store {
    /// The parts of a commit that have arrived in languages other than the record's.
    pub(crate) async fn parts_elsewhere(
        &self,
        repository_id: i64,
        record: RecordKey<'_>,
    ) -> Result<PartSet, StoreError> {
        let mut connection = self.read_pool.acquire().await?;
        let branch_id = branch_id(&mut connection, repository_id, record.branch).await?;
        let Some(branch_id) = branch_id else {
            return Ok(PartSet::default());
        };
        let series = Series {
            branch_id,
            language: record.language.as_str(),
        };
        elsewhere(&mut connection, series, record.commit, Trust::Confirmed).await
    }
}

pub(crate) async fn elsewhere(
    connection: &mut AnyConnection,
    series: Series<'_>,
    commit: &CommitHash,
    trust: Trust,
) -> Result<PartSet, StoreError> {
    let parts: Vec<IfReadable<PartName>> = connection
        .values(ELSEWHERE, (series, commit, trust as i64, oldest_skip()))
        .await?;
    Ok(parts.into_iter().filter_map(Option::from).collect())
}
