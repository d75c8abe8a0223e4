//! A token that was proven to be for a commit, with which the outcome can be written there too.

use super::{CommitStatus, Forges, State};
use crate::{
    config::{Secret, access::VcsApi},
    error::chain,
};
use app::domain::Percentage;

/// A token that a source-hosting service accepted for a commit, as long as its upload takes.
#[derive(Clone, Debug)]
pub struct Proof {
    forges: Forges,
    api: VcsApi,
    token: Secret,
    pending: CommitStatus,
}

impl Proof {
    pub(super) fn new(forges: Forges, api: VcsApi, token: &str, pending: CommitStatus) -> Self {
        Self {
            forges,
            api,
            token: Secret::from(token),
            pending,
        }
    }

    /// Replaces the status that says that coverage is on its way. A service that does not take it changes nothing of what
    /// came of the upload: that goes to the log.
    pub async fn conclude(
        &self,
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
        let (api, repository) = (&self.api.text, status.repository.to_string());
        let written = self
            .forges
            .write(&self.api, self.token.expose(), &status)
            .await;
        match written {
            Ok(super::Verdict::Written) => {}
            Ok(verdict) => {
                tracing::warn!(api, repository, ?verdict, "a commit status was not taken");
            }
            Err(error) => {
                let cause = chain(&error);
                tracing::warn!(api, repository, cause, "a commit status was not written");
            }
        }
    }
}
