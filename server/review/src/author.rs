//! Requests from the forge who made a commit, if the client of an upload does not state it.

use crate::{Review, status};
use domain::CommitAuthor;
use forges::{CommitStatus, Proof};
use ingest::Upload;
use tokio::task::JoinHandle;
use tracing::Instrument;

impl Review {
    /// Starts a task that asks the forge for the author of the commit of an upload: with the upload's token of the forge, else with the
    /// operator's token for the forge at the address `api`.
    pub fn ask_for_author(
        &self,
        upload: &Upload,
        proof: Option<&Proof>,
        api: Option<&str>,
    ) -> JoinHandle<Option<CommitAuthor>> {
        let by_operator = || {
            let (stated, context) = (&upload.stated, status::WHOLE.to_owned());
            let status = CommitStatus::pending(&stated.repository, &stated.commit, None, context);
            self.forges.operators_asker(api?, status)
        };
        let asker = proof.map(Proof::asker).or_else(by_operator);
        let asking = async move { asker?.author().await };
        self.tasks.spawn(asking.in_current_span())
    }
}
