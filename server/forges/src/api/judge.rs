//! Translates the answers of a forge into decisions about an upload.

use super::Api;
use crate::{
    CommitStatus,
    containment::Containment,
    refusal::ForgeRefusal,
    verdict::{RETRY_SECONDS, Verdict, unreachable},
};
use std::time::Duration;
use store::MainRight;

impl Api {
    /// Returns a refusal unless the token may write the status.
    pub(crate) fn judge(
        &self,
        verdict: &Verdict,
        status: &CommitStatus,
    ) -> Result<(), ForgeRefusal> {
        let (name, url) = (self.forge.name(), &self.listed.text);
        let (repository, commit) = (&status.repository, &status.commit);
        Err(match verdict {
            Verdict::Written => return Ok(()),
            Verdict::BadToken => ForgeRefusal::invalid_token(format!(
                "{name} at {url} does not accept this token; check that the CI job sends one that is still valid."
            )),
            Verdict::NotAllowed => ForgeRefusal::not_for_repository(format!(
                "{name} does not let this token write a commit status to {repository}; grant the token {}, and check org_name and repo_name. A refused token is not checked again for {} seconds.",
                self.forge.right_to_write_statuses(),
                self.refused_seconds
            )),
            Verdict::NoSuchCommit => ForgeRefusal::not_for_repository(format!(
                "{name} does not accept a status for commit {commit} of {repository}; check that the commit was pushed there."
            )),
            Verdict::Moved(Some(to)) => ForgeRefusal::not_for_repository(format!(
                "{name} has renamed {repository} to {to}; upload with the new name."
            )),
            Verdict::Moved(None) => ForgeRefusal::not_for_repository(format!(
                "{name} has renamed {repository}; upload with the new name."
            )),
            Verdict::Unchanged => ForgeRefusal::not_for_repository(format!(
                "{name} does not change the state of this commit status; its pipeline may be canceled, or another job may have written it."
            )),
            Verdict::Busy(wait) => {
                let detail = format!(
                    "The rate limit of {name} at {url} is exceeded, so no commit status can be written"
                );
                unreachable(detail, *wait)
            }
            Verdict::Down(wait) => {
                let detail = format!("{name} at {url} failed to check the token");
                unreachable(detail, *wait)
            }
            Verdict::Strange(status) => {
                tracing::warn!(
                    api = ?self,
                    status = status.as_u16(),
                    "the forge's answer to a commit status is not understood"
                );
                let detail = format!(
                    "{url} does not answer like the API of {name} (status {}); the operator may need to correct VCS_API_URLS",
                    status.as_u16()
                );
                unreachable(detail, Duration::from_secs(RETRY_SECONDS))
            }
        })
    }

    /// Returns whether an upload of the commit may change the main branch. The reason is also sent in headers, so it contains no
    /// name that a client chose.
    ///
    /// # Errors
    ///
    /// If the forge did not answer.
    pub(crate) fn judge_containment(
        &self,
        containment: &Containment,
    ) -> Result<MainRight, ForgeRefusal> {
        let (name, url) = (self.forge.name(), &self.listed.text);
        let refuse = |detail, wait| Err(unreachable(detail, wait));
        match containment {
            Containment::Contained => Ok(MainRight::Granted),
            Containment::Missing => Ok(MainRight::Denied(format!(
                "{name} says that the branch does not contain this commit."
            ))),
            Containment::Withheld => Ok(MainRight::Denied(format!(
                "{name} does not let this token check that the branch contains this commit; grant the token {}.",
                self.forge.right_to_compare()
            ))),
            Containment::Busy(wait) => refuse(
                format!(
                    "The rate limit of {name} at {url} is exceeded, so commits cannot be compared"
                ),
                *wait,
            ),
            Containment::Down(wait) => {
                refuse(format!("{name} at {url} failed to compare commits"), *wait)
            }
            Containment::Strange(status) => {
                let status = status.as_u16();
                tracing::warn!(
                    api = ?self,
                    status,
                    "the forge's answer to a comparison of commits is not understood"
                );
                let detail = format!(
                    "{url} does not answer like the API of {name} (status {status}); the operator may need to correct VCS_API_URLS"
                );
                refuse(detail, Duration::from_secs(RETRY_SECONDS))
            }
        }
    }
}
