//! Translates the answers of a forge into decisions about an upload.

use super::Api;
use crate::{
    CommitStatus,
    refusal::{ForgeRefusal, ForgeRefusalKind},
    verdict::{Containment, Failure, RETRY, Verdict},
};
use store::MainRight;

impl Api {
    /// Returns a refusal unless the token may write the status.
    pub(crate) fn judge(
        &self,
        verdict: &Verdict,
        status: &CommitStatus,
    ) -> Result<(), ForgeRefusal> {
        let (name, url) = (self.forge.facts().name, &self.listed.text);
        let (repository, commit) = (&status.repository, &status.commit);
        let detail = match verdict {
            Verdict::Written => return Ok(()),
            Verdict::BadToken => {
                let detail = format!(
                    "{name} at {url} does not accept this token; check that the CI job sends one that is still valid."
                );
                return Err(ForgeRefusal::new(ForgeRefusalKind::InvalidToken, detail));
            }
            Verdict::NotAllowed => format!(
                "{name} does not let this token write a commit status to {repository}; grant the token {}, and check org_name and repo_name. A refused token is not checked again for {} seconds.",
                self.forge.facts().right_to_write_statuses,
                self.refused_seconds
            ),
            Verdict::NoSuchCommit => format!(
                "{name} does not accept a status for commit {commit} of {repository}; check that the commit was pushed there."
            ),
            Verdict::Moved(Some(to)) => {
                format!("{name} has renamed {repository} to {to}; upload with the new name.")
            }
            Verdict::Moved(None) => {
                format!("{name} has renamed {repository}; upload with the new name.")
            }
            Verdict::Unchanged => format!(
                "{name} does not change the state of this commit status; its pipeline may be canceled, or another job may have written it."
            ),
            Verdict::Failed(failure) => {
                let limited = "no commit status can be written";
                return Err(self.failed(failure, limited, "check the token", "a commit status"));
            }
        };
        Err(ForgeRefusal::new(
            ForgeRefusalKind::NotForRepository,
            detail,
        ))
    }

    /// `limited` is what a forge over its rate limit prevents, `failed` what a failing forge did not do, and `about` what an
    /// answer was about.
    fn failed(&self, failure: &Failure, limited: &str, failed: &str, about: &str) -> ForgeRefusal {
        let (name, url) = (self.forge.facts().name, &self.listed.text);
        let (detail, wait) = match failure {
            Failure::Busy(wait) => (
                format!("The rate limit of {name} at {url} is exceeded, so {limited}"),
                *wait,
            ),
            Failure::Down(wait) => (format!("{name} at {url} failed to {failed}"), *wait),
            Failure::Strange(status) => {
                let status = status.as_u16();
                tracing::warn!(api = ?self, status, "the forge's answer to {about} is not understood");
                let detail = format!(
                    "{url} does not answer like the API of {name} (status {status}); the operator may need to correct VCS_API_URLS"
                );
                (detail, RETRY)
            }
        };
        ForgeRefusal::unreachable(&detail, wait)
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
        let name = self.forge.facts().name;
        match containment {
            Containment::Contained => Ok(MainRight::Granted),
            Containment::Missing => Ok(MainRight::Denied(format!(
                "{name} says that the branch does not contain this commit."
            ))),
            Containment::Withheld => Ok(MainRight::Denied(format!(
                "{name} does not let this token check that the branch contains this commit; grant the token {}.",
                self.forge.facts().right_to_compare
            ))),
            Containment::Failed(failure) => {
                let (limited, about) = ("commits cannot be compared", "a comparison of commits");
                Err(self.failed(failure, limited, "compare commits", about))
            }
        }
    }
}
