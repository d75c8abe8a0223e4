//! Completes the records of a commit in other languages, which wait for the same parts.

use super::put;
use crate::{
    StoreError,
    parts::{Completion, elsewhere, of_record},
    run::Run,
    standing::{Claim, Series, Trust, earlier_upload},
};
use domain::{CommitHash, Timestamp};
use sqlx::AnyConnection;

pub(crate) const WAITING: &str = "
    select r.id, r.language from records r
    join record_completions c on c.record_id = r.id
    where r.branch_id = $1 and r.commit_hash = $2 and r.language <> $3 and c.waits_until is not null";

/// The statements of an upload about all languages of its commit.
#[derive(Clone, Copy)]
pub(crate) struct Said {
    /// Whether no further part will come.
    pub(crate) is_finished: bool,
    pub(crate) trust: Trust,
    pub(crate) at: Timestamp,
}

/// Completes the records of a commit in other languages for which the new part was the last missing one. If no further part will
/// come, completes all of them, except records whose uploads had a right that this upload lacks. Returns their ids.
pub(crate) async fn complete_others(
    connection: &mut AnyConnection,
    repository_id: i64,
    uploaded: Series<'_>,
    commit: &CommitHash,
    said: Said,
) -> Result<Vec<i64>, StoreError> {
    let waiting: Vec<(i64, String)> = connection
        .all(WAITING, (uploaded.branch_id, commit, uploaded.language))
        .await?;
    let mut completed = Vec::new();
    for (id, language) in waiting {
        let series = Series {
            language: &language,
            ..uploaded
        };
        let Some(earlier) = earlier_upload(connection, series, commit).await? else {
            continue;
        };
        let mut completion = Completion::of_record(connection, id).await?;
        let trust = completion.trust_of(&earlier);
        completion.elsewhere = elsewhere(connection, series, commit, trust).await?;
        if said.is_finished && trust <= said.trust {
            completion.closed_at = Some(said.at);
        }
        let rows = of_record(connection, id).await?;
        let arrived = rows.into_iter().map(|row| row.name).collect();
        if !completion.missing(&arrived).is_empty() {
            continue;
        }
        completion.waits_until = None;
        completion.unreported_since = None;
        completion.store(connection, id, said.at).await?;
        if trust == Trust::Confirmed {
            let claim = Claim::Complete { is_part: true };
            put(connection, repository_id, series, &earlier, claim, said.at).await?;
        }
        completed.push(id);
    }
    Ok(completed)
}
