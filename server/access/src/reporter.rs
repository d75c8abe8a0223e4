//! The job's forge token beside another token that authorizes the upload: it is only used to write to the forge.

use super::{ClientRequest, Subject, Uploaders, credential::forge_token_of};
use forges::{CommitStatus, Forges, Proof};
use std::sync::Once;

impl Uploaders {
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
        reporter
            .map(Some)
            .map_err(|refusal| format!("Nothing is written to the forge: {}", refusal.detail))
    }

    /// The forges that the operator lists.
    pub fn forges(&self) -> &Forges {
        &self.forges
    }
}
