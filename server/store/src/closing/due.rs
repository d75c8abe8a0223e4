//! Makes records count as complete if their missing parts did not arrive in time.

use super::put;
use crate::{
    StoreError, Writer,
    holding::{self, Moment},
    names,
    parts::{Completion, elsewhere, of_record},
    run::Run,
    standing::{Claim, Series, earlier_upload},
    time::{next_moment, now},
    write::{begin, settle},
};
use domain::{CommitHash, PartSet};
use sqlx::AnyConnection;

const PAGE: i64 = 100;

pub(crate) const DUE: &str = "
    select record_id from record_completions where waits_until <= $1 order by waits_until limit $2";

/// A record that no longer waits for parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedOut {
    /// The id of the record.
    pub record_id: i64,
    /// The parts that did not arrive.
    pub missing: PartSet,
    /// Whether its uploads had no right to change what the main branch shows.
    pub is_unconfirmed: bool,
}

impl Writer<'_> {
    /// Makes records count as complete if their missing parts did not arrive in time, and returns them. Several services on one
    /// database may run this at the same time.
    ///
    /// # Errors
    ///
    /// If the database fails. Records that were handled before keep the result.
    pub async fn time_out_parts(self) -> Result<Vec<TimedOut>, StoreError> {
        let due: Vec<i64> = self.store.values(DUE, (now(), PAGE)).await?;
        let mut timed_out = Vec::new();
        for record_id in due {
            let mut connection = self.store.write_pool.acquire().await?;
            let record = time_out(&mut connection, record_id).await;
            timed_out.extend(settle(connection, record).await?);
        }
        Ok(timed_out)
    }

    /// Stores that the status on the forge no longer waits for the parts of a record.
    pub async fn note_reported(self, record_id: i64) -> Result<(), StoreError> {
        sqlx::query("update record_completions set unreported_since = null where record_id = $1")
            .bind(record_id)
            .execute(&self.store.write_pool)
            .await?;
        Ok(())
    }
}

async fn time_out(
    connection: &mut AnyConnection,
    record_id: i64,
) -> Result<Option<TimedOut>, StoreError> {
    const SERIES: &str = "select branch_id, language, commit_hash from records where id = $1";
    let mut transaction = begin(connection).await?;
    let Some(repository) = names::of_record(&mut transaction, record_id).await? else {
        return Ok(None);
    };
    let moment = Moment::After(next_moment());
    let Some(held) = holding::hold(&mut transaction, &repository, moment).await? else {
        return Ok(None);
    };
    // Another part may have arrived before the repository was locked.
    let mut completion = Completion::of_record(&mut transaction, record_id).await?;
    let row: Option<(i64, String, String)> = transaction.first(SERIES, (record_id,)).await?;
    let (Some((branch_id, language, commit)), true) = (
        row,
        completion.waits_until.is_some_and(|until| until <= now()),
    ) else {
        return Ok(None);
    };
    let at = held.last_upload_at;
    let rows = of_record(&mut transaction, record_id).await?;
    let series = Series {
        branch_id,
        language: &language,
    };
    let commit = CommitHash::try_from(commit)?;
    let is_unconfirmed = completion.is_unconfirmed;
    completion.elsewhere = elsewhere(&mut transaction, series, &commit, is_unconfirmed).await?;
    let missing = completion.missing(&rows.into_iter().map(|row| row.name).collect());
    completion.closed_at = Some(at);
    completion.waits_until = None;
    completion.unreported_since = Some(at);
    completion.store(&mut transaction, record_id, at).await?;
    let earlier = earlier_upload(&mut transaction, series, &commit).await?;
    if let (Some(earlier), false) = (earlier, is_unconfirmed) {
        let claim = Claim::Complete { is_part: true };
        put(&mut transaction, held.id, series, &earlier, claim, at).await?;
    }
    transaction.commit().await?;
    Ok(Some(TimedOut {
        record_id,
        missing,
        is_unconfirmed,
    }))
}
