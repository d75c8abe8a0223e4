//! Authorizes tokens of forges: calls the forge that a client names, if it is listed. A forge token beside another token that
//! authorizes the upload is only used to write to the forge.

use super::{Admission, ClientRequest, Refusal, Subject, Uploaders, credential::forge_token_of};
use crate::error::AccessError;
use config::access::forge_of;
use domain::BranchName;
use forges::{Api, CommitStatus, Proof};
use std::{
    net::IpAddr,
    sync::{Arc, Once},
};
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
        (subject, queued_for): (Subject<'_>, Option<&BranchName>),
        address: IpAddr,
    ) -> Result<Admission, Refusal> {
        let api = self.forges.find(url)?;
        let forge = forge_of(api.url());
        self.org_bindings.binding(&forge, subject.repository)?;
        let status = pending(subject);
        let proof = match self.forges.remembered(api, token, &status).await? {
            Some(proof) => proof,
            None => {
                // Concurrent requests are checked again after they get their permit.
                let permit = self.calls_per_address.acquire(address).await?;
                self.failed_attempts.check(address, subject.repository)?;
                self.prove(permit, api, token, status.clone(), address)
                    .await?
            }
        };
        let admitted = async {
            let (bindings, by) = (&self.org_bindings, ClaimedBy::Token);
            let forge_claim = bindings.check(&forge, subject.repository, by).await?;
            let main_right = match queued_for {
                Some(target) => {
                    self.queue_right(api, token, &status, target, address)
                        .await?
                }
                None => self.main_right(api, token, &status, address).await?,
            };
            Ok::<_, AccessError>((forge_claim, main_right))
        };
        match admitted.await {
            Ok((forge_claim, main_right)) => {
                self.failed_attempts.know(address);
                Ok(Admission {
                    forge_claim: Some(forge_claim),
                    proof: Some(proof),
                    main_right,
                    ..Admission::of(format!("token of {forge}"))
                })
            }
            Err(refusal) => {
                proof.conclude_refused(&refusal.detail).await;
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
        let store = self.org_bindings.store.writer();
        if !store.may_become_main(&status.repository, branch).await? {
            return Ok(MainRight::Denied(BECAME_MAIN.to_owned()));
        }
        let _permit = self.calls_per_address.acquire(address).await?;
        Ok(self.forges.main_right(api, token, status, branch).await?)
    }

    /// Like `main_right`, for a commit that a merge queue tests for `target`. The upload counts as one of the queue if the forge does
    /// not say that the branch contains the commit.
    async fn queue_right(
        &self,
        api: &Api,
        token: &str,
        status: &CommitStatus,
        target: &BranchName,
        address: IpAddr,
    ) -> Result<MainRight, AccessError> {
        let _permit = self.calls_per_address.acquire(address).await?;
        let right = self.forges.main_right(api, token, status, target).await;
        Ok(match right {
            Ok(MainRight::Granted) => MainRight::Granted,
            _ => MainRight::Queued,
        })
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
                Refusal::Counted(uploaders.counted(refusal, address, &repository))
            });
            // Release the permit only after counting: the next request checks the count.
            drop(permit);
            proven
        });
        proving.await.map_err(AccessError::from)?
    }

    /// Returns the means to write to the forge that a client names, with the token of `Forge-Authorization`. `None` without that
    /// header. Does not call the forge: the forge checks the token when a status is written. A refused token is a failed attempt.
    ///
    /// # Errors
    ///
    /// The reason why nothing is written, one sentence.
    pub fn reporter(
        &self,
        client: ClientRequest<'_>,
        subject: Subject<'_>,
    ) -> Result<Option<Proof>, String> {
        let Some(token) = forge_token_of(client.headers) else {
            return Ok(None);
        };
        let url = client.vcs_api_url.ok_or_else(|| {
            "Nothing is written to the forge: Forge-Authorization needs the parameter vcs_api_url."
                .to_owned()
        })?;
        let status = pending(subject);
        let (address, repository) = (self.address(client), subject.repository.clone());
        let failed_attempts = self.failed_attempts.clone();
        let checked = failed_attempts.check(address, &repository);
        // An upload is one attempt, even if it writes several statuses.
        let once = Once::new();
        let refused = move || {
            once.call_once(|| {
                failed_attempts.add_forge_check();
                // The next upload is refused if there were too many.
                drop(failed_attempts.add(address, &repository));
            });
        };
        let reporter =
            checked.and_then(|()| Ok(self.forges.reporter(url, token, status, refused)?));
        let refuse =
            |refusal: AccessError| format!("Nothing is written to the forge: {}", refusal.detail);
        reporter.map(Some).map_err(refuse)
    }
}

fn pending(subject: Subject<'_>) -> CommitStatus {
    let context = subject.status_context.to_owned();
    CommitStatus::pending(subject.repository, subject.commit, subject.branch, context)
}
