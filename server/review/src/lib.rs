//! Writes the results of a pull request: the statuses of its commit, its comment, and the sentences of both. Also asks its forge what
//! the job of an upload does not say.

mod author;
mod changes;
mod comment;
mod markdown;
mod queue;
mod reporting;
mod sentences;
pub mod status;
mod timed_out;

pub use comment::CommentOutcome;
pub use markdown::Places;
pub use reporting::{Reported, Wants};
pub use sentences::{line, notices};

use domain::{Percentage, RecordParts, text::chain};
use forges::Forges;
use ingest::{Accepted, Ingest};
use std::time::Duration;
use store::{RecordSummary, Store, StoreError};
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

/// Reports the results of uploads to the forges.
#[derive(Clone, Debug)]
pub struct Review {
    /// The records.
    pub store: Store,
    /// Analyses records.
    pub ingest: Ingest,
    /// The forges that the operator lists.
    pub forges: Forges,
    /// Tasks that continue after the client has disconnected.
    pub tasks: TaskTracker,
    /// The targets of links.
    pub places: Places,
    /// The coverage below which a commit's status is a failure.
    pub minimum_coverage: Option<Percentage>,
    /// The time between two questions to a forge about the merge queue of a repository.
    pub queue_pause: Duration,
}

impl Review {
    /// The text of a pull request's comment about all languages of a commit: the record and `others`.
    pub fn markdown(&self, summary: &RecordSummary, others: &[RecordSummary]) -> String {
        let mut all: Vec<_> = others.iter().chain([summary]).collect();
        all.sort_by_key(|record| record.record.language.as_str());
        markdown::markdown(&all, &self.places)
    }

    /// The records of the same commit in other languages.
    pub async fn others(&self, id: i64) -> Result<Vec<RecordSummary>, StoreError> {
        let results = self.store.writer().commit_results(id).await?;
        let ids = results.into_iter().map(|result| result.id);
        self.summaries(ids.filter(|other| *other != id)).await
    }

    /// The records that still exist.
    async fn summaries(
        &self,
        ids: impl IntoIterator<Item = i64>,
    ) -> Result<Vec<RecordSummary>, StoreError> {
        let mut summaries = Vec::new();
        for id in ids {
            summaries.extend(self.store.everything().record_summary(id).await?);
        }
        Ok(summaries)
    }

    /// Starts the analysis of a record. In other tasks, starts the history of its lines and the search for lines that flicker. The
    /// returned task ends when the record is analysed.
    fn analyse(&self, record_id: i64) -> JoinHandle<()> {
        let ingest = self.ingest.clone();
        let analysing = async move { ingest.analyse(record_id).await };
        let analysing = self.tasks.spawn(analysing.in_current_span());
        self.keep_line_history(record_id);
        let ingest = self.ingest.clone();
        let searching = async move { ingest.find_flicker(record_id).await };
        self.tasks.spawn(searching.in_current_span());
        analysing
    }

    /// Starts the computation of the history of a record's lines, and of what follows from it.
    pub fn keep_line_history(&self, record_id: i64) {
        let (ingest, tasks) = (self.ingest.clone(), self.tasks.clone());
        let keeping = async move {
            let is_over = || tasks.is_closed();
            ingest.keep_line_history(record_id, is_over).await;
        };
        self.tasks.spawn(keeping.in_current_span());
    }

    /// Returns the summary of an upload. The upload is already stored, so this must not fail.
    async fn summary(&self, accepted: &Accepted) -> RecordSummary {
        let record = &accepted.published.record;
        let known = || RecordSummary {
            record: record.clone(),
            has_report: false,
            paths: accepted.paths.clone(),
            uploaded_paths: accepted.paths.clone(),
            ignored: None,
            branches: None,
            functions: None,
            parts: RecordParts::default(),
            base: None,
            measured_commit: None,
            pull_request: None,
            changed_lines: None,
            unknown_changes: None,
            lost: None,
            gate: None,
            explanation: None,
            stale_hunks: Vec::new(),
            sum_of_lines: None,
        };
        match self.store.everything().record_summary(record.id).await {
            Ok(Some(summary)) => RecordSummary {
                uploaded_paths: accepted.paths.clone(),
                ..summary
            },
            Ok(None) => known(),
            Err(error) => {
                let cause = chain(&error);
                tracing::error!(cause, "the summary of an upload lacks stored data");
                known()
            }
        }
    }
}
