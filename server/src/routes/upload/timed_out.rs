//! What is written to the forge about a record whose parts did not arrive in time: no upload is there that brings a token.

use super::{comment, reporting::terms};
use crate::{routes::summary::line, state::AppState};
use access::Subject;
use domain::text::chain;
use forges::{Proof, commit_status};
use store::{RecordSummary, Standing, StoreError};

/// Why such a record is not current, if its uploads had no right to change the main branch.
const UNCONFIRMED: &str = "nothing proved that the branch contains its commit";

/// Writes the statuses and the comment with the operator's token, if there is one for the forge of the repository.
pub(crate) async fn tell_timed_out(state: AppState, record_id: i64, is_withheld: bool) {
    if let Err(error) = tell(&state, record_id, is_withheld).await {
        let cause = chain(&error);
        tracing::warn!(
            record_id,
            cause,
            "the forge is not told that parts did not arrive"
        );
    }
}

async fn tell(state: &AppState, record_id: i64, is_withheld: bool) -> Result<(), StoreError> {
    let Some(summary) = state.store.record_summary(record_id).await? else {
        return Ok(());
    };
    let Some(proof) = reporter(state, &summary).await? else {
        return Ok(());
    };
    let standing = if is_withheld {
        Standing::Unconfirmed(UNCONFIRMED.to_owned())
    } else {
        Standing::Current
    };
    let (store, terms) = (&state.store, terms(state));
    commit_status::tell_taken(store, &proof, &summary.record, &standing, terms).await;
    if let Some((_, Some(notice))) = comment::tell(state, &proof, &summary).await {
        tracing::warn!(record_id, notice, "a comment was not written");
    }
    commit_status::tell_whole(store, &proof, record_id, line(&summary), terms).await;
    if proof.is_taken() {
        store.forget_untold(record_id).await?;
    }
    Ok(())
}

async fn reporter(state: &AppState, summary: &RecordSummary) -> Result<Option<Proof>, StoreError> {
    let record = &summary.record;
    let Some(forge) = state.store.forge_of(&record.repository).await? else {
        return Ok(None);
    };
    let subject = Subject {
        repository: &record.repository,
        branch: Some(&record.branch),
        commit: &record.commit,
        status_context: &commit_status::context(&record.language),
    };
    Ok(state.uploaders.operators_reporter(&forge, subject))
}
