//! Source-hosting services: proving a client's token by writing a commit status, and saying there what came of its upload.
//!
//! Nothing is sent to a service that the operator does not list.

mod forge;
mod gitea;
mod github;
mod gitlab;
mod proof;
mod status;
mod verdict;

pub use proof::Proof;
pub use status::{CommitStatus, State};

use crate::{
    config::access::{Access, ForgeKind, VcsApi, VcsApiUrls},
    error::{ApiError, chain},
    outbound::{Outbound, OutboundError},
};
use forge::Forge;
use moka::future::Cache;
use reqwest::StatusCode;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use verdict::{Lifetimes, Verdict};

/// Tokens and commits whose verdicts are remembered.
const REMEMBERED: u64 = 10_000;

/// Seconds after which a client may try again what failed for the service's sake.
const RETRY_SECONDS: u64 = 10;

/// The source-hosting services that the operator lists.
#[derive(Clone, Debug)]
pub struct Forges {
    apis: Arc<VcsApiUrls>,
    outbound: Outbound,
    verdicts: Cache<[u8; 32], Verdict>,
}

impl Forges {
    pub(crate) fn new(access: &Access, outbound: Outbound) -> Self {
        Self {
            apis: Arc::new(access.vcs_api_urls.clone()),
            outbound,
            verdicts: Cache::builder()
                .max_capacity(REMEMBERED)
                .expire_after(Lifetimes::new(&access.limits))
                .build(),
        }
    }

    /// The service with this API address.
    ///
    /// # Errors
    ///
    /// 403 `vcs_api_url_not_allowed` where the operator does not list it.
    pub fn find(&self, url: &str) -> Result<&VcsApi, ApiError> {
        self.apis.find(url).ok_or_else(|| {
            ApiError::new(
                StatusCode::FORBIDDEN,
                "vcs_api_url_not_allowed",
                "This is no token of this service, and its operator has not listed that vcs_api_url in VCS_API_URLS for checking others.",
            )
        })
    }

    /// Proves that a token may write to a commit, by writing there that coverage is on its way. What a service said of the
    /// same token and commit a moment ago is not asked for again.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token`; 403 `token_not_for_repository`; 422 where the commit is no full identifier; 502
    /// `vcs_unreachable`.
    pub async fn prove(
        &self,
        api: &VcsApi,
        token: &str,
        status: CommitStatus,
    ) -> Result<Proof, ApiError> {
        let forge = forge(api.kind);
        forge.check_names(&status)?;
        let asked = async {
            match self.write(api, token, &status).await {
                Ok(verdict) => Ok(verdict),
                Err(error) => Err(unreachable(api, &error)),
            }
        };
        let verdict = self
            .verdicts
            .try_get_with(key(api, token, &status), asked)
            .await;
        match verdict {
            Ok(verdict) => verdict.judge(forge, api, &status)?,
            Err(error) => return Err(ApiError::clone(&error)),
        }
        Ok(Proof::new(self.clone(), api.clone(), token, status))
    }

    async fn write(
        &self,
        api: &VcsApi,
        token: &str,
        status: &CommitStatus,
    ) -> Result<Verdict, OutboundError> {
        let forge = forge(api.kind);
        let request = forge.request(&self.outbound, &api.url, token, status);
        let answer = self.outbound.call(request).await?;
        Ok(forge.verdict(&answer, status))
    }
}

fn forge(kind: ForgeKind) -> &'static dyn Forge {
    match kind {
        ForgeKind::GitHub => &github::GitHub,
        ForgeKind::GitLab => &gitlab::GitLab,
        ForgeKind::Gitea => &gitea::Gitea,
    }
}

/// What a verdict is about. The token is in it, but nobody can read it there.
fn key(api: &VcsApi, token: &str, status: &CommitStatus) -> [u8; 32] {
    let mut digest = Sha256::new();
    let (repository, commit) = (status.repository.to_string(), status.commit.as_str());
    for part in [api.text.as_str(), token, &repository, commit] {
        digest.update(part.len().to_be_bytes());
        digest.update(part);
    }
    digest.finalize().into()
}

/// 502: the cause goes to the log, the client learns whom to ask about it.
fn unreachable(api: &VcsApi, error: &OutboundError) -> ApiError {
    tracing::warn!(
        api = api.text,
        cause = chain(error),
        "a source-hosting service did not answer"
    );
    let detail = format!(
        "{} at {} cannot be asked about the token right now: {error}; try again in {RETRY_SECONDS} seconds.",
        forge(api.kind).name(),
        api.text
    );
    ApiError::new(StatusCode::BAD_GATEWAY, "vcs_unreachable", detail).retry_after(RETRY_SECONDS)
}
