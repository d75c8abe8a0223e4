//! The job's forge token beside another one that uploads: it only reports to the forge.

use super::{ClientRequest, Subject, Uploaders, credential::forge_token_of};
use forges::{CommitStatus, Forges, Proof};
use std::sync::Once;

impl Uploaders {
    /// Returns the means to report to the forge that a client names, with the token of `Forge-Authorization`; none without that
    /// header. Nothing is asked: the forge decides when a status is written. A refused token is a failed attempt.
    ///
    /// # Errors
    ///
    /// With the reason why nothing is reported, one sentence.
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
        let status = CommitStatus::pending(
            subject.repository,
            subject.commit,
            subject.branch,
            subject.status_context.to_owned(),
        );
        let (address, repository) = (self.address(client), subject.repository.clone());
        let checked = self
            .failed_attempts
            .check(address, &repository)
            .and_then(|()| self.failed_attempts.check_forge_budget(address));
        let failed_attempts = self.failed_attempts.clone();
        // An upload is one attempt, however many statuses it writes.
        let once = Once::new();
        let refused = move || {
            once.call_once(|| {
                failed_attempts.add_forge_check();
                // Too many of them show in the next upload.
                drop(failed_attempts.add(address, &repository));
            });
        };
        let reporter =
            checked.and_then(|()| Ok(self.forges.reporter(url, token, status, refused)?));
        reporter
            .map(Some)
            .map_err(|refusal| format!("Nothing is written to the forge: {}", refusal.detail))
    }

    /// The forges that the operator lists.
    pub fn forges(&self) -> &Forges {
        &self.forges
    }
}
