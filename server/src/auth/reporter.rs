//! The job's forge token beside another one that uploads: it only reports to the forge.

use super::{ClientRequest, Subject, Uploaders, credential::forge_token_of};
use crate::forges::{CommitStatus, Proof};

impl Uploaders {
    /// Returns the means to report to the forge that a client names, with the token of `Forge-Authorization`; none without that
    /// header. Nothing is asked: the forge decides when a status is written.
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
        let reporter = self.forges.reporter(url, token, status);
        reporter
            .map(Some)
            .map_err(|refusal| format!("Nothing is written to the forge: {}", refusal.detail()))
    }

    /// Returns the means to report to a forge with the operator's token for it; none without one.
    pub fn operators_reporter(&self, forge: &str, subject: Subject<'_>) -> Option<Proof> {
        let status = CommitStatus::pending(
            subject.repository,
            subject.commit,
            subject.branch,
            subject.status_context.to_owned(),
        );
        self.forges.operators_reporter(forge, status)
    }
}
