//! Asks the forge which commits of a merge queue have landed, with the token of a later upload.

use crate::Review;
use domain::{Repository, text::chain};
use forges::{Asker, Proof};
use store::StoreError;
use tracing::Instrument;

impl Review {
    /// Starts a task that asks the forge of a token which commits of the repository's merge queue their branches contain. The
    /// provisional records of these commits become records of the branches.
    pub fn ask_about_queue(&self, repository: &Repository, proof: &Proof) {
        let (review, repository, asker) = (self.clone(), repository.clone(), proof.asker());
        let asking = async move {
            if let Err(error) = review.ask(&repository, &asker).await {
                let cause = chain(&error);
                tracing::warn!(
                    cause,
                    "cannot read which commits of a merge queue have landed"
                );
            }
        };
        self.tasks.spawn(asking.in_current_span());
    }

    async fn ask(&self, repository: &Repository, asker: &Asker) -> Result<(), StoreError> {
        let store = self.store.writer();
        for queued in store.queued_commits(repository, self.queue_pause).await? {
            match asker.contains(&queued.branch, &queued.commit).await {
                Some(true) => {
                    let landed = store.land(repository, &queued).await?;
                    self.analyse_landed(&landed);
                }
                Some(false) => {}
                None => break,
            }
        }
        Ok(())
    }

    /// Starts what follows for records of the main branch.
    pub(crate) fn analyse_landed(&self, landed: &[i64]) {
        for id in landed {
            self.analyse(*id);
        }
    }
}
