//! Tokens of source-hosting services: asking the service that a client names, if it is listed.

use super::{Admission, Refusal, Subject, Uploaders};
use crate::{
    config::access::forge_of,
    error::ApiError,
    vcs::{Api, CommitStatus, Proof, State},
};
use std::{net::IpAddr, sync::Arc};
use tokio::sync::OwnedSemaphorePermit;

impl Uploaders {
    /// Whether the service whose API is at `url` vouches for the token.
    pub(super) async fn recognise_by_forge(
        &self,
        token: &str,
        url: &str,
        subject: Subject<'_>,
        address: IpAddr,
    ) -> Result<Admission, Refusal> {
        let api = self.forges.find(url)?;
        let forge = forge_of(api.url());
        self.vouchers.bond(&forge, subject.repository)?;
        let status = CommitStatus::pending(
            subject.repository,
            subject.commit,
            subject.branch,
            subject.status_context.to_owned(),
        );
        let proof = match self.forges.remembered(api, token, &status).await? {
            Some(proof) => proof,
            None => {
                // Those that came together are looked at again once it is their turn.
                let turn = self.turns.take(address).await?;
                self.failed_tries.check(address, subject.repository)?;
                self.prove(turn, api, token, status, address).await?
            }
        };
        match self.vouchers.check(&forge, subject.repository).await {
            Ok(vouching) => Ok(Admission {
                name: format!("token of {forge}"),
                token_id: None,
                vouching: Some(vouching),
                proof: Some(proof),
            }),
            Err(refusal) => {
                let detail = refusal.detail().to_owned();
                proof.conclude(State::Error, detail, None, None).await;
                Err(refusal.into())
            }
        }
    }

    /// Asks the service in a task of its own: a client that hangs up shall have its failure counted, and leave no status
    /// pending.
    async fn prove(
        &self,
        turn: OwnedSemaphorePermit,
        api: &Arc<Api>,
        token: &str,
        status: CommitStatus,
        address: IpAddr,
    ) -> Result<Proof, Refusal> {
        let (uploaders, api, token) = (self.clone(), api.clone(), token.to_owned());
        let proving = self.tasks.spawn(async move {
            let repository = status.repository.clone();
            let proven = uploaders.forges.prove(&api, &token, status).await;
            let proven = proven.map_err(|refusal| {
                let counted = uploaders.count(&refusal, address, &repository);
                Refusal::Counted(counted.err().unwrap_or(refusal))
            });
            // Whoever is next looks at what was counted.
            drop(turn);
            proven
        });
        proving
            .await
            .map_err(|error| ApiError::unavailable(&error))?
    }
}
