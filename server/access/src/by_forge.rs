//! Authorizes tokens of forges: calls the forge that a client names, if it is listed.

use super::{Admission, Refusal, Subject, Uploaders};
use crate::error::AccessError;
use config::access::forge_of;
use forges::{Api, CommitStatus, Proof, State};
use std::{net::IpAddr, sync::Arc};
use store::{ClaimedBy, MainRight};
use tokio::sync::OwnedSemaphorePermit;

/// Why a record is unconfirmed if its branch became the main branch after this check, so the forge was not called.
const BECAME_MAIN: &str =
    "The branch became the main branch during the upload; send the upload again.";

impl Uploaders {
    /// Authorizes a token with the forge whose API is at `url`.
    pub(super) async fn recognise_by_forge(
        &self,
        token: &str,
        url: &str,
        subject: Subject<'_>,
        address: IpAddr,
    ) -> Result<Admission, Refusal> {
        let api = self.forges.find(url)?;
        let forge = forge_of(api.url());
        self.org_bindings.binding(&forge, subject.repository)?;
        let status = CommitStatus::pending(
            subject.repository,
            subject.commit,
            subject.branch,
            subject.status_context.to_owned(),
        );
        let proof = match self.forges.remembered(api, token, &status).await? {
            Some(proof) => proof,
            None => {
                // Concurrent requests are checked again after they get their permit.
                let permit = self.calls_per_address.acquire(address).await?;
                self.failed_attempts.check(address, subject.repository)?;
                self.failed_attempts.check_forge_budget(address)?;
                self.prove(permit, api, token, status.clone(), address)
                    .await?
            }
        };
        let admitted = async {
            let by = ClaimedBy::Token;
            let forge_claim = self
                .org_bindings
                .check(&forge, subject.repository, by)
                .await?;
            let main_right = self.main_right(api, token, &status, address).await?;
            Ok::<_, AccessError>((forge_claim, main_right))
        };
        match admitted.await {
            Ok((forge_claim, main_right)) => {
                self.failed_attempts.know(address);
                Ok(Admission {
                    name: format!("token of {forge}"),
                    token_id: None,
                    forge_claim: Some(forge_claim),
                    proof: Some(proof),
                    main_right,
                    said_on: None,
                    measured_commit: None,
                    run_url: None,
                })
            }
            Err(refusal) => {
                let detail = refusal.detail.clone();
                proof.conclude(State::Error, detail, None, None).await;
                Err(refusal.into())
            }
        }
    }

    /// Returns whether an upload may change the main branch. Calls the forge only if the branch is the main branch or may become
    /// it; the transaction that stores the record decides. Comparisons are limited per address, so that a valid token for one
    /// repository cannot use up all permits for calls.
    async fn main_right(
        &self,
        api: &Api,
        token: &str,
        status: &CommitStatus,
        address: IpAddr,
    ) -> Result<MainRight, AccessError> {
        let Some(branch) = &status.branch else {
            return Ok(MainRight::Granted);
        };
        let may_become_main = self
            .org_bindings
            .may_become_main(&status.repository, branch)
            .await?;
        if !may_become_main {
            return Ok(MainRight::Denied(BECAME_MAIN.to_owned()));
        }
        let _permit = self.calls_per_address.acquire(address).await?;
        Ok(self.forges.main_right(api, token, status).await?)
    }

    /// Checks the token in a separate task: if the client disconnects, a refusal is still counted and no status stays pending.
    async fn prove(
        &self,
        permit: OwnedSemaphorePermit,
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
                let refusal = AccessError::from(refusal);
                uploaders.failed_attempts.add_forge_check();
                let counted = uploaders.count(&refusal, address, &repository);
                Refusal::Counted(counted.err().unwrap_or(refusal))
            });
            // Release the permit only after counting: the next request checks the count.
            drop(permit);
            proven
        });
        proving.await.map_err(AccessError::from)?
    }
}
