//! Writes the results of a record to the forge when its missing parts have timed out. There is no upload with a token then, so
//! the token of the operator is used.

use crate::{Review, comment, line, status};
use domain::text::chain;
use forges::{CommitStatus, Proof};
use store::{RecordSummary, Standing, StoreError};

/// The reason why the record is not current, if its uploads had no right to change the main branch.
const UNCONFIRMED: &str = "nothing proved that the branch contains its commit";

impl Review {
    /// Writes the statuses and the comment with the operator's token, if there is one for the forge of the repository.
    pub async fn report_timed_out(&self, record_id: i64, is_unconfirmed: bool) {
        if let Err(error) = self.write(record_id, is_unconfirmed).await {
            let cause = chain(&error);
            tracing::warn!(
                record_id,
                cause,
                "the forge was not notified that parts did not arrive"
            );
        }
    }

    async fn write(&self, record_id: i64, is_unconfirmed: bool) -> Result<(), StoreError> {
        let Some(summary) = self.store.everything().record_summary(record_id).await? else {
            return Ok(());
        };
        let Some(proof) = self.reporter(&summary).await? else {
            return Ok(());
        };
        let standing = if is_unconfirmed {
            Standing::Unconfirmed(UNCONFIRMED.to_owned())
        } else {
            Standing::Current
        };
        status::write_record(self, &proof, &summary.record, &standing).await;
        if let Some((_, Some(notice))) = comment::write(self, &proof, &summary).await {
            tracing::warn!(record_id, notice, "a comment was not written");
        }
        status::write_commit(self, &proof, record_id, line(&summary)).await;
        if proof.is_taken() {
            self.store.writer().note_reported(record_id).await?;
        }
        Ok(())
    }

    async fn reporter(&self, summary: &RecordSummary) -> Result<Option<Proof>, StoreError> {
        let record = &summary.record;
        let Some(forge) = self.store.writer().forge_of(&record.repository).await? else {
            return Ok(None);
        };
        let (branch, context) = (Some(&record.branch), status::context(&record.language));
        let pending = CommitStatus::pending(&record.repository, &record.commit, branch, context);
        Ok(self.forges.operators_reporter(&forge, pending))
    }
}
