//! Forges: verifies a client's token by writing a commit status, writes the result of the upload there, writes comments, and
//! fetches the changes of a pull request.
//!
//! Only listed forges are called.

mod api;
mod author;
mod changes;
mod comments;
mod forge;
mod job;
pub mod outbound;
mod proof;
mod refusal;
mod status;
mod verdict;

pub use proof::{Asker, Proof};
pub use refusal::{ForgeRefusal, ForgeRefusalKind};
pub use status::{CommitStatus, State};

pub use api::Api;
pub use changes::Wanted;
pub use comments::{Comment, Commenter, NotWritten};
pub use job::{Job, StatedJob};

use crate::outbound::{Answer, Outbound, OutboundError};
use config::access::{Access, ApiKind, VcsApiTokens, forge_of};
use domain::BranchName;
use forge::LONGEST_TOKEN;
use moka::future::Cache;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use store::MainRight;
use tokio_util::task::TaskTracker;
use verdict::{Containment, Lifetimes, Verdict};

const REMEMBERED: u64 = 10_000;

/// The listed forges.
#[derive(Clone, Debug)]
pub struct Forges {
    apis: Arc<[Arc<Api>]>,
    operators: Arc<VcsApiTokens>,
    tasks: TaskTracker,
    verdicts: Cache<[u8; 32], Verdict>,
    containments: Cache<[u8; 32], Containment>,
}

impl Forges {
    /// Creates the forges of the settings. `tasks` runs the calls that continue after a client disconnects.
    pub fn new(access: &Access, outbound: &Outbound, tasks: TaskTracker) -> Self {
        let apis = access.vcs_api_urls.iter();
        Self {
            apis: apis
                .map(|listed| Arc::new(Api::new(listed.clone(), &access.limits, outbound)))
                .collect(),
            operators: Arc::new(access.vcs_api_tokens.clone()),
            tasks,
            verdicts: Cache::builder()
                .max_capacity(REMEMBERED)
                .expire_after(Lifetimes::new(&access.limits))
                .build(),
            containments: Cache::builder()
                .max_capacity(REMEMBERED)
                .expire_after(Lifetimes::new(&access.limits))
                .build(),
        }
    }

    /// Returns the forge with this API address. The text must be identical, except for a trailing `/`.
    ///
    /// # Errors
    ///
    /// [`ForgeRefusalKind::UnlistedApi`] if the operator does not list the address.
    pub fn find(&self, url: &str) -> Result<&Arc<Api>, ForgeRefusal> {
        self.listed(url, "This is not a token of this service, and vcs_api_url is not in VCS_API_URLS; check vcs_api_url, or ask the operator to add it.")
    }

    /// Returns the address of the API that a client of another service means, which names a kind at most: the only listed one of
    /// this kind, else the only listed one if it is a Gitea. `None` if several are possible.
    pub fn meant_by(&self, kind: Option<ApiKind>) -> Option<String> {
        let of_kind = |api: &&Arc<Api>| Some(api.listed.kind) == kind;
        let mut same = self.apis.iter().filter(of_kind);
        match (same.next(), same.next(), &*self.apis) {
            (Some(only), None, _) => Some(only.listed.text.clone()),
            // The clients have no word for Gitea.
            (None, None, [only]) if only.listed.kind == ApiKind::Gitea => {
                Some(only.listed.text.clone())
            }
            _ => None,
        }
    }

    fn listed(&self, url: &str, refusal: &str) -> Result<&Arc<Api>, ForgeRefusal> {
        let mut apis = self.apis.iter();
        let refuse = || ForgeRefusal::new(ForgeRefusalKind::UnlistedApi, refusal);
        apis.find(|api| api.listed.is_at(url)).ok_or_else(refuse)
    }

    /// Returns the cached verdict of the forge on this token and commit, if any: the proof, or the refusal.
    pub async fn remembered(
        &self,
        api: &Arc<Api>,
        token: &str,
        status: &CommitStatus,
    ) -> Result<Option<Proof>, ForgeRefusal> {
        check(api, token, status)?;
        let Some(verdict) = self.verdicts.get(&key(api, token, status, None)).await else {
            return Ok(None);
        };
        api.judge(&verdict, status)?;
        api.know(token);
        Ok(Some(self.proof(api, token, status.clone())))
    }

    /// Returns the means to write to a forge with an unproven token, which gives no other right. `refused` is called whenever the
    /// forge refuses the token.
    ///
    /// # Errors
    ///
    /// If the operator does not list the API, if the names are not possible on the forge, or if the token is too long.
    pub fn reporter(
        &self,
        url: &str,
        token: &str,
        status: CommitStatus,
        refused: impl Fn() + Send + Sync + 'static,
    ) -> Result<Proof, ForgeRefusal> {
        let refusal =
            "vcs_api_url is not in VCS_API_URLS; check it, or ask the operator to add it.";
        let api = self.listed(url, refusal)?;
        check(api, token, &status)?;
        Ok(self.proof(api, token, status).counted(refused))
    }

    /// Returns the means to write to a forge with the operator's token. `None` if there is no such token, or if the names are not
    /// possible on the forge.
    pub fn operators_reporter(&self, forge: &str, status: CommitStatus) -> Option<Proof> {
        let api = self.apis.iter().find(|api| forge_of(api.url()) == forge)?;
        self.by_operator(api, status)
    }

    /// Returns the means to ask the forge with this API address with the operator's token. `None` as of
    /// [`Self::operators_reporter`].
    pub fn operators_asker(&self, url: &str, status: CommitStatus) -> Option<Asker> {
        let proof = self.by_operator(self.find(url).ok()?, status)?;
        let asker = proof.asker();
        proof.leave_pending();
        Some(asker)
    }

    fn by_operator(&self, api: &Arc<Api>, status: CommitStatus) -> Option<Proof> {
        let token = self.operators.of(&api.listed)?;
        api.forge.check_names(&status).ok()?;
        api.know(token.expose());
        Some(self.proof(api, token.expose(), status))
    }

    fn proof(&self, api: &Arc<Api>, token: &str, pending: CommitStatus) -> Proof {
        Proof::new(api.clone(), token, pending, self.tasks.clone())
    }

    /// Proves that a token may write to a commit by writing a pending status there. Concurrent calls with the same token and
    /// commit share one answer.
    ///
    /// # Errors
    ///
    /// If the forge does not accept the token for this commit, or does not answer.
    pub async fn prove(
        &self,
        api: &Arc<Api>,
        token: &str,
        status: CommitStatus,
    ) -> Result<Proof, ForgeRefusal> {
        let query = async {
            let written = api.write(&api.for_unproven, token, &status).await;
            written.map_err(|error| {
                if matches!(error, OutboundError::Slow) {
                    self.give_up(api.clone(), token.to_owned(), &status);
                }
                api.unreachable(&error)
            })
        };
        let key = key(api, token, &status, None);
        match self.verdicts.try_get_with(key, query).await {
            Ok(verdict) => api.judge(&verdict, &status)?,
            Err(error) => return Err(ForgeRefusal::clone(&error)),
        }
        Ok(self.proof(api, token, status))
    }

    /// Replaces the pending status after a timeout: a slow forge may still have written it.
    fn give_up(&self, api: Arc<Api>, token: String, status: &CommitStatus) {
        let detail = "The token was not checked in time; the upload did not begin";
        let status = status.with(State::Error, detail);
        let giving_up = async move { api.write(&api.for_unproven, &token, &status).await };
        self.tasks.spawn(giving_up);
    }

    /// Returns whether an upload with a proven token may change the main branch: the branch must contain the commit. Concurrent
    /// calls share one answer.
    ///
    /// # Errors
    ///
    /// [`ForgeRefusalKind::Unreachable`].
    pub async fn main_right(
        &self,
        api: &Api,
        token: &str,
        status: &CommitStatus,
        branch: &BranchName,
    ) -> Result<MainRight, ForgeRefusal> {
        let key = key(api, token, status, Some(branch));
        let query = async {
            let answer = api.compare(token, status, branch).await;
            answer.map_err(|error| api.unreachable(&error))
        };
        match self.containments.try_get_with(key, query).await {
            Ok(containment) => api.judge_containment(&containment),
            Err(error) => Err(ForgeRefusal::clone(&error)),
        }
    }
}

/// Checks the length of a token, and the names in a status.
fn check(api: &Api, token: &str, status: &CommitStatus) -> Result<(), ForgeRefusal> {
    if token.len() <= LONGEST_TOKEN {
        return api.forge.check_names(status);
    }
    let detail = format!(
        "This token has more than {LONGEST_TOKEN} bytes, which is longer than any token of {}; send only the token.",
        api.forge.facts().name
    );
    Err(ForgeRefusal::new(ForgeRefusalKind::InvalidToken, detail))
}

/// Returns the cache key of an answer about a commit: a hash, which does not reveal the token.
fn key(api: &Api, token: &str, status: &CommitStatus, branch: Option<&BranchName>) -> [u8; 32] {
    let (repository, commit) = (status.repository.to_string(), status.commit.as_str());
    let branch = branch.map_or("", BranchName::as_str);
    digest(&[&api.listed.text, token, &repository, commit, branch])
}

fn digest(parts: &[&str]) -> [u8; 32] {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part.len().to_be_bytes());
        digest.update(part);
    }
    digest.finalize().into()
}

/// Returns the error message in a forge's answer.
fn message(answer: &Answer) -> String {
    let body: Option<Value> = serde_json::from_slice(&answer.body).ok();
    let message = body.as_ref().and_then(|body| body.get("message")?.as_str());
    message.unwrap_or_default().to_owned()
}
