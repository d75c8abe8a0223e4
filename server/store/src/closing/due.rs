//! Makes records count as complete if their missing parts did not arrive in time.

use super::put;
use crate::{
    StoreError, Writer,
    parts::{Completion, elsewhere, of_record},
    run::Run,
    standing::{Claim, StoredKey, Trust, earlier_upload},
    time::now,
};
use domain::{PartSet, text::chain};

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
    /// database may run this at the same time. A record with a damaged name is skipped, so that it does not delay the others.
    ///
    /// # Errors
    ///
    /// If the database fails. Records that were handled before keep the result.
    pub async fn time_out_parts(self) -> Result<Vec<TimedOut>, StoreError> {
        let due: Vec<i64> = self.store.values(DUE, (now(), PAGE)).await?;
        let mut timed_out = Vec::new();
        for record_id in due {
            match self.time_out(record_id).await {
                Ok(record) => timed_out.extend(record),
                Err(error @ StoreError::Name(_)) => {
                    let cause = chain(&error);
                    tracing::error!(record_id, cause, "a record that waits for parts is skipped");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(timed_out)
    }

    /// Stores that the status on the forge no longer waits for the parts of a record.
    pub async fn note_reported(self, record_id: i64) -> Result<(), StoreError> {
        const REPORTED: &str =
            "update record_completions set unreported_since = null where record_id = $1";
        self.store
            .write(|pool| pool.run(REPORTED, [record_id]))
            .await
    }

    async fn time_out(self, record_id: i64) -> Result<Option<TimedOut>, StoreError> {
        let mut transaction = self.store.begin().await?;
        let Some((held, key)) = StoredKey::hold(&mut transaction, record_id).await? else {
            return transaction.unchanged(None).await;
        };
        // Another part may have arrived before the repository was locked.
        let mut completion = Completion::of_record(&mut transaction, record_id).await?;
        if completion.waits_until.is_none_or(|until| until > now()) {
            return transaction.unchanged(None).await;
        }
        let (at, series) = (held.last_upload_at, key.series());
        let rows = of_record(&mut transaction, record_id).await?;
        let Some(earlier) = earlier_upload(&mut transaction, series, &key.commit).await? else {
            return transaction.unchanged(None).await;
        };
        let trust = completion.trust_of(&earlier);
        completion.elsewhere = elsewhere(&mut transaction, series, &key.commit, trust).await?;
        let missing = completion.missing(&rows.into_iter().map(|row| row.name).collect());
        completion.closed_at = Some(at);
        completion.waits_until = None;
        completion.unreported_since = Some(at);
        completion.store(&mut transaction, record_id, at).await?;
        if trust == Trust::Confirmed {
            let claim = Claim::Complete { is_part: true };
            put(&mut transaction, held.id, series, &earlier, claim, at).await?;
        }
        transaction.commit().await?;
        Ok(Some(TimedOut {
            record_id,
            missing,
            is_unconfirmed: trust == Trust::Unconfirmed,
        }))
    }
}
