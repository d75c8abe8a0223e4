//! Follows up a stored upload: its summary, and the statuses and the comment on the forge.

use crate::{
    Review,
    comment::{self, CommentOutcome},
    line, status,
};
use domain::{Repository, text::chain};
use forges::Proof;
use ingest::Accepted;
use store::RecordSummary;

/// What an upload requests besides its record.
#[derive(Debug)]
pub struct Wants {
    /// Whether the response contains a summary.
    pub summary: bool,
    /// Whether the status of the whole commit is written even without a gate.
    pub whole_status: bool,
    /// The reason why nothing is written to the forge.
    pub notice: Option<String>,
    /// Whether the token of the forge is only used to report results: it did not authorize the upload.
    pub only_reports: bool,
}

/// The results of an upload besides its record.
#[derive(Debug)]
pub struct Reported {
    /// The summary, if it was needed.
    pub summary: Option<RecordSummary>,
    /// The records of its commit in other languages.
    pub others: Vec<RecordSummary>,
    /// Notices for the uploader, one sentence each.
    pub notices: Vec<String>,
    /// The result of writing the comment of its pull request.
    pub comment: Option<CommentOutcome>,
}

/// The notice if perhaps another job of a matrix has lost its results.
const REPLACES_OTHERS: &str = "This upload has replaced other results of the same commit, which were uploaded less than an hour ago. If two jobs sent these results, such as two jobs of a matrix, give each job a part: the option --part of the uploader, or the parameter part.";

impl Review {
    /// Analyses the record, and writes the statuses and the comment if there is a token for them. A failure here does not fail
    /// the upload.
    pub async fn report(
        &self,
        accepted: &Accepted,
        proof: Option<&Proof>,
        wants: &Wants,
    ) -> Reported {
        let record_id = accepted.published.record.id;
        self.analyse_landed(&accepted.published.landed);
        let analysed = self.analyse(record_id);
        let completed = self.report_completed(&accepted.published.completed, proof);
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
        if let Some(proof) = proof {
            let published = &accepted.published;
            let (record, standing) = (&published.record, &published.standing);
            status::write_record(self, proof, record, standing).await;
            if wants.only_reports && proof.is_taken() {
                self.keep_forge(&record.repository, proof).await;
            }
        }
        if !wants.summary && proof.is_none() {
            return reported;
        }
        analysed.await.ok();
        completed.await;
        let summary = self.summary(accepted).await;
        if let Some(proof) = proof {
            if wants.whole_status {
                let (outcome, notice) = comment::write(self, proof, &summary).await.unzip();
                reported.comment = outcome;
                reported.notices.extend(notice.flatten());
            }
            if wants.whole_status || summary.gate.is_some() {
                let text = line(&summary);
                status::write_commit(self, proof, record_id, text).await;
            }
            let refusal = proof.refusal();
            let refusal = refusal.map(|why| format!("The commit status was not written: {why}"));
            reported.notices.extend(refusal);
        }
        if wants.summary {
            // The upload is already stored, so this must not fail.
            reported.others = self.others(record_id).await.unwrap_or_else(|error| {
                let cause = chain(&error);
                tracing::error!(cause, "a summary lacks the other languages of its commit");
                Vec::new()
            });
        }
        reported.summary = Some(summary).filter(|_| wants.summary);
        reported
    }

    /// Analyses the records in other languages that an upload has completed. With a token for statuses, it waits and writes their
    /// statuses.
    pub fn report_completed<'a>(
        &'a self,
        completed: &[i64],
        proof: Option<&'a Proof>,
    ) -> impl Future<Output = ()> + use<'a> {
        let completed = completed.iter().map(|&id| (id, self.analyse(id)));
        let completed: Vec<_> = completed.collect();
        async move {
            for (id, analysed) in completed {
                analysed.await.ok();
                if let Some(proof) = proof {
                    status::write_other_language(self, proof, id).await;
                }
            }
        }
    }

    /// Stores the forge of a repository, for links. The upload is already stored, so this must not fail.
    async fn keep_forge(&self, repository: &Repository, proof: &Proof) {
        let (writer, forge) = (self.store.writer(), proof.forge());
        if let Err(error) = writer.keep_reporting_forge(repository, &forge).await {
            let cause = chain(&error);
            tracing::warn!(cause, "the forge of a repository is not stored");
        }
    }
}
