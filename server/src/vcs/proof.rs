//! A token that was proven to be for a commit, with which the outcome can be written there too.

use super::{Api, CommitStatus, State, verdict::Verdict};
use crate::{config::Secret, error::chain, outbound::OutboundError};
use app::domain::Percentage;
use std::{sync::Arc, time::Duration};
use tokio::time::sleep;
use tokio_util::task::TaskTracker;

/// When to try once more to write an outcome that a service did not take for reasons of its own.
const LATER: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// A token that a source-hosting service accepted for a commit, as long as its upload takes.
#[derive(Clone, Debug)]
pub struct Proof {
    api: Arc<Api>,
    token: Secret,
    pending: CommitStatus,
}

impl Proof {
    pub(super) fn new(api: Arc<Api>, token: &str, pending: CommitStatus) -> Self {
        Self {
            api,
            token: Secret::from(token),
            pending,
        }
    }

    /// Replaces the status that says that coverage is on its way. A service that does not take it changes nothing of what
    /// came of the upload; where it fails, `tasks` tries again later.
    pub async fn conclude(
        &self,
        tasks: &TaskTracker,
        state: State,
        description: String,
        target_url: Option<String>,
        coverage: Option<Percentage>,
    ) {
        let status = CommitStatus {
            state,
            description,
            target_url,
            coverage,
            ..self.pending.clone()
        };
        if self.write(&status).await {
            return;
        }
        let proof = self.clone();
        tasks.spawn(async move {
            for pause in LATER {
                sleep(pause).await;
                if proof.write(&status).await {
                    break;
                }
            }
        });
    }

    /// A service that was too slow may have written the status that coverage is on its way: nothing is.
    pub(super) fn give_up(&self, error: &OutboundError) {
        if !matches!(error, OutboundError::Slow) {
            return;
        }
        let status = CommitStatus {
            state: State::Error,
            description: "The token was not checked in time; the upload did not begin".to_owned(),
            ..self.pending.clone()
        };
        let proof = self.clone();
        tokio::spawn(async move { proof.write(&status).await });
    }

    /// Whether trying again would be of no use.
    async fn write(&self, status: &CommitStatus) -> bool {
        let (api, repository) = (&self.api, status.repository.to_string());
        match api.tell(self.token.expose(), status).await {
            Ok(Verdict::Written) => true,
            Ok(verdict) => {
                tracing::warn!(?api, repository, ?verdict, "a commit status was not taken");
                !matches!(verdict, Verdict::Down(_) | Verdict::Busy(_))
            }
            Err(error) => {
                let cause = chain(&error);
                tracing::warn!(?api, repository, cause, "a commit status was not written");
                false
            }
        }
    }
}
