//! Requests from the forge what a pull request changes, if the job of an upload did not send the changes.

use crate::Review;
use domain::text::chain;
use forges::{Proof, StatedJob, Wanted};
use ingest::{FormField, Intake, MAX_CHANGES_BYTES};

impl Review {
    /// Adds the changes that the forge states, for an upload of a pull request with a token of the forge. A failure here does not
    /// fail the upload. `job` is the job of a client of another service.
    pub async fn ask_for_changes(
        &self,
        intake: &mut Intake,
        proof: Option<&Proof>,
        job: Option<StatedJob<'_>>,
    ) {
        let upload = intake.upload();
        let change = &upload.stated.change;
        let (Some(proof), Some(number)) = (proof, &change.pull_request) else {
            return;
        };
        if intake.has(FormField::Changes) || !intake.has(FormField::File) {
            return;
        }
        let known = match self.store.writer().known_changes(upload.stated.key()).await {
            Ok(known) if known.are_complete => return,
            Ok(known) => known,
            Err(error) => {
                let cause = chain(&error);
                tracing::warn!(cause, "no changes were requested from the forge");
                return;
            }
        };
        let wanted = Wanted {
            number,
            tree: change.tree_hash.as_ref(),
            measured_commit: change.measured_commit.as_ref(),
            // The clients of other services name the head, also if they measured the merge.
            head_or_merge: intake.is_foreign().then_some(&upload.stated.commit),
            job,
            base_commit: change.base_commit.as_ref().or(known.base_commit.as_ref()),
            has_base_tree: change.base_tree.is_some() || known.has_base_tree,
            max_bytes: MAX_CHANGES_BYTES,
        };
        intake.take_forge_changes(proof.changes(wanted).await);
    }
}
