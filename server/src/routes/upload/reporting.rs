//! What follows a stored upload: its summary, and what is written to the forge.

use super::{
    Wants,
    comment::{self, Told},
    outcome::{analyse, beside, summary},
};
use crate::{routes::summary::line, state::AppState};
use domain::{Repository, text::chain};
use forges::{
    Proof,
    commit_status::{self, Terms},
};
use ingest::Accepted;
use store::RecordSummary;

/// What an upload says besides its record.
pub(super) struct Reported {
    /// Its summary, if it was needed.
    pub(super) summary: Option<RecordSummary>,
    /// The other languages of its commit.
    pub(super) others: Vec<RecordSummary>,
    /// What the uploader should know, one sentence each.
    pub(super) notices: Vec<String>,
    /// What happened to the comment of its pull request.
    pub(super) comment: Option<Told>,
}

/// What to say where perhaps another job of a matrix has lost its results.
const REPLACES_OTHERS: &str = "This upload has replaced one of the same commit with other results, which is less than an hour old. If they are of different jobs, such as those of a matrix, give each job a part: the option --part of the uploader, or the parameter part.";

/// Analyses the record, and writes the statuses and the comment if there is a token for them. Nothing here fails the upload.
pub(super) async fn report(
    state: &AppState,
    accepted: &Accepted,
    proof: Option<&Proof>,
    wants: &Wants,
) -> Reported {
    let record_id = accepted.published.record.id;
    let analysed = analyse(state, record_id);
    let completed = report_completed(state, &accepted.published.completed, proof);
    let mut reported = Reported {
        summary: None,
        others: Vec::new(),
        notices: accepted.notices.clone(),
        comment: None,
    };
    reported.notices.extend(wants.notice.clone());
    if accepted.published.replaces_others {
        reported.notices.push(REPLACES_OTHERS.to_owned());
    }
    let terms = terms(state);
    if let Some(proof) = proof {
        let published = &accepted.published;
        let (record, standing) = (&published.record, &published.standing);
        commit_status::tell_taken(&state.store, proof, record, standing, terms).await;
        if wants.only_reports && proof.is_taken() {
            keep_forge(state, &record.repository, proof).await;
        }
    }
    if !wants.summary && proof.is_none() {
        return reported;
    }
    analysed.await.ok();
    completed.await;
    let summary = summary(state, accepted).await;
    if let Some(proof) = proof {
        if wants.whole_status {
            let (told, notice) = comment::tell(state, proof, &summary).await.unzip();
            reported.comment = told;
            reported.notices.extend(notice.flatten());
        }
        if wants.whole_status || summary.gate.is_some() {
            let text = line(&summary);
            commit_status::tell_whole(&state.store, proof, record_id, text, terms).await;
        }
        let refusal = proof.refusal();
        let refusal = refusal.map(|why| format!("The commit status was not written: {why}"));
        reported.notices.extend(refusal);
    }
    if wants.summary {
        reported.others = beside(state, record_id).await;
    }
    reported.summary = Some(summary).filter(|_| wants.summary);
    reported
}

/// Analyses the records in other languages that an upload has completed. With a token for statuses it waits, and writes those.
pub(super) fn report_completed<'a>(
    state: &'a AppState,
    completed: &[i64],
    proof: Option<&'a Proof>,
) -> impl Future<Output = ()> + use<'a> {
    let completed = completed.iter().map(|&id| (id, analyse(state, id)));
    let completed: Vec<_> = completed.collect();
    async move {
        for (id, analysed) in completed {
            analysed.await.ok();
            if let Some(proof) = proof {
                commit_status::tell_completed(&state.store, proof, id, terms(state)).await;
            }
        }
    }
}

/// The minimum coverage and the link of a status.
pub(super) fn terms(state: &AppState) -> Terms<'_> {
    Terms {
        minimum_coverage: state.minimum_coverage,
        public_url: &state.public_url.0,
    }
}

/// Stores which forge a repository is on, for links. The upload is already stored, so this must not fail.
async fn keep_forge(state: &AppState, repository: &Repository, proof: &Proof) {
    let kept = state
        .store
        .keep_reporting_forge(repository, &proof.forge())
        .await;
    if let Err(error) = kept {
        let cause = chain(&error);
        tracing::warn!(cause, "the forge of a repository is not stored");
    }
}
