//! Parts that arrive in one language of a commit: they have arrived for its records in all languages.

use super::{
    close::{branch_id, put},
    completion::{Completion, record_is_withheld},
    early::oldest_skip,
    rows::of_record,
};
use crate::{
    RecordKey, Store, StoreError,
    publish::{Claim, Series, earlier_upload},
};
use domain::{CommitHash, PartSet, Timestamp};
use sqlx::AnyConnection;

/// The parts of a commit in other languages than `$3`, and those that were skipped there before a part arrived. Only a record without
/// the right to change what the main branch shows takes those of such records: `$4` is 1 for it.
pub(crate) const ELSEWHERE: &str = concat!(
    "select q.part from records r
     join record_parts q on q.record_id = r.id
     where r.branch_id = $1 and r.commit_hash = $2 and r.language <> $3 and q.part <> ''
       and ($4 = 1 or not (",
    record_is_withheld!(),
    "))
     union
     select e.part from branches b
     join repositories p on p.id = b.repository_id
     join early_skips e on e.repository_key = p.name_key and e.branch_name = b.name
     where b.id = $1 and e.commit_hash = $2 and e.language <> $3 and e.skipped_at >= $5"
);

/// The other records of a commit that wait for parts.
pub(in crate) const WAITING: &str = "
    select r.id, r.language from records r
    join record_completions c on c.record_id = r.id
    where r.branch_id = $1 and r.commit_hash = $2 and r.language <> $3 and c.waits_until is not null";

impl Store {
    /// The parts of a commit that have arrived in other languages than that of a record.
    pub(crate) async fn parts_elsewhere(
        &self,
        repository_id: i64,
        record: RecordKey<'_>,
    ) -> Result<PartSet, StoreError> {
        let mut connection = self.readers.acquire().await?;
        let branch_id = branch_id(&mut connection, repository_id, record.branch).await?;
        let Some(branch_id) = branch_id else {
            return Ok(PartSet::default());
        };
        let series = Series {
            branch_id,
            language: record.language.as_str(),
        };
        elsewhere(&mut connection, series, record.commit, false).await
    }
}

/// The parts of a commit that have arrived in other languages than that of the record.
pub(crate) async fn elsewhere(
    connection: &mut AnyConnection,
    series: Series<'_>,
    commit: &CommitHash,
    is_withheld: bool,
) -> Result<PartSet, StoreError> {
    let parts: Vec<String> = sqlx::query_scalar(ELSEWHERE)
        .bind(series.branch_id)
        .bind(commit.as_str())
        .bind(series.language)
        .bind(i64::from(is_withheld))
        .bind(oldest_skip())
        .fetch_all(&mut *connection)
        .await?;
    Ok(parts.iter().filter_map(|part| part.parse().ok()).collect())
}

/// What an upload says about all languages of its commit.
#[derive(Clone, Copy)]
pub(crate) struct Said {
    /// Whether no further part will come.
    pub(crate) is_finished: bool,
    /// Whether the upload has no right to change what the main branch shows.
    pub(crate) is_withheld: bool,
    pub(crate) at: Timestamp,
}

/// Completes the records of a commit in other languages for which its new part was the last missing one. If no further part will
/// come, it completes all of them, but none that was uploaded with a right which this upload lacks. Returns their ids.
pub(crate) async fn complete_others(
    connection: &mut AnyConnection,
    repository_id: i64,
    uploaded: Series<'_>,
    commit: &CommitHash,
    said: Said,
) -> Result<Vec<i64>, StoreError> {
    let waiting: Vec<(i64, String)> = sqlx::query_as(WAITING)
        .bind(uploaded.branch_id)
        .bind(commit.as_str())
        .bind(uploaded.language)
        .fetch_all(&mut *connection)
        .await?;
    let mut completed = Vec::new();
    for (id, language) in waiting {
        let series = Series {
            language: &language,
            ..uploaded
        };
        let mut completion = Completion::of_record(connection, id).await?;
        completion.elsewhere =
            elsewhere(connection, series, commit, completion.is_withheld).await?;
        if said.is_finished && (completion.is_withheld || !said.is_withheld) {
            completion.closed_at = Some(said.at);
        }
        let rows = of_record(connection, id).await?;
        let arrived = rows.into_iter().map(|row| row.name).collect();
        if !completion.missing(&arrived).is_empty() {
            continue;
        }
        completion.waits_until = None;
        completion.untold_since = None;
        completion.store(connection, id, said.at).await?;
        let earlier = earlier_upload(connection, series, commit).await?;
        if let (Some(earlier), false) = (earlier, completion.is_withheld) {
            let claim = Claim::Complete { is_part: true };
            put(connection, repository_id, series, &earlier, claim, said.at).await?;
        }
        completed.push(id);
    }
    Ok(completed)
}
