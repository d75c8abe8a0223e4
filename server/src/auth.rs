//! Who may upload: tokens of this service, tokens of source-hosting services, identities of CI systems. And who may read.

mod credential;
mod failed_tries;
mod forge;
mod oidc;
mod own_token;
mod readers;
mod tokens;

pub use readers::Readers;
pub(crate) use readers::{LinkSigner, Pass, Reader};
pub use tokens::{Holder, Tokens};

use crate::{
    config::access::{Access, TrustedProxies, UploadOrgs},
    error::ApiError,
    outbound::Outbound,
    store::Store,
    vcs::{CommitStatus, Forges, Proof},
};
use app::domain::{BranchName, CommitHash, Repository};
use axum::http::{HeaderMap, StatusCode};
use credential::token_of;
use failed_tries::FailedTries;
use forge::forge_of;
use oidc::Oidc;
use std::{collections::HashSet, net::IpAddr, sync::Arc};

/// All who may upload.
#[derive(Clone, Debug)]
pub struct Uploaders {
    /// Those with a token of this service.
    pub tokens: Tokens,
    oidc: Oidc,
    forges: Forges,
    /// The hosts of all services that may vouch for a repository.
    vouching: Arc<HashSet<String>>,
    orgs: UploadOrgs,
    store: Store,
    failed_tries: FailedTries,
    proxies: TrustedProxies,
}

/// A client as it comes.
#[derive(Clone, Copy, Debug)]
pub struct Visitor<'a> {
    /// The headers of its request.
    pub headers: &'a HeaderMap,
    /// Where its connection comes from: it, or a proxy.
    pub peer: IpAddr,
    /// The source-hosting service that it wants to be asked about its token.
    pub vcs_api_url: Option<&'a str>,
}

/// What a client wants to write about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// The branch; none where it is about all of them.
    pub branch: Option<&'a BranchName>,
    /// The commit.
    pub commit: &'a CommitHash,
    /// What a status of the commit that tells of it is called.
    pub status_context: &'a str,
}

/// Who was let in.
#[derive(Clone, Debug)]
pub struct Admission {
    /// Whose token it was, for the ledger and the log.
    pub name: String,
    /// The id of a token of this service.
    pub token_id: Option<i64>,
    /// The source-hosting service that vouched for the repository, by its host.
    pub forge: Option<String>,
    /// With what the outcome can be told to that service.
    pub proof: Option<Proof>,
}

/// Whether a client shows any token, good or not.
///
/// # Errors
///
/// 401 `missing_token`.
pub fn show_token(headers: &HeaderMap) -> Result<(), ApiError> {
    token_of(headers).map(|_| ())
}

impl Uploaders {
    /// Those whom the operator lets in to the service at `public_url`.
    pub(crate) fn new(access: &Access, store: Store, public_url: &str, outbound: Outbound) -> Self {
        let apis = access.vcs_api_urls.iter().map(|api| &api.url);
        let issuers = access.oidc_issuers.iter().map(|issuer| &issuer.url);
        Self {
            vouching: Arc::new(apis.chain(issuers).map(forge_of).collect()),
            oidc: Oidc::new(access, public_url, outbound.clone()),
            tokens: Tokens::new(access.upload_token(), store.clone()),
            forges: Forges::new(access, outbound),
            orgs: access.upload_orgs.clone(),
            store,
            failed_tries: FailedTries::new(&access.limits),
            proxies: access.trusted_proxies.clone(),
        }
    }

    /// Lets a client in, or says why not. Costs one hash, or one call to a service that the operator lists.
    ///
    /// # Errors
    ///
    /// 401 `missing_token` or `invalid_token`; 403 `token_not_for_repository` or `vcs_api_url_not_allowed`; 429
    /// `too_many_requests`; 502 `vcs_unreachable`.
    pub async fn admit(
        &self,
        visitor: Visitor<'_>,
        subject: Subject<'_>,
    ) -> Result<Admission, ApiError> {
        let address = self.proxies.client(visitor.peer, visitor.headers);
        let admitted = self.recognise(visitor, subject, address).await;
        if let Err(refusal) = &admitted
            && matches!(
                refusal.status(),
                StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN
            )
        {
            self.failed_tries.add(address, subject.repository)?;
        }
        admitted
    }

    async fn recognise(
        &self,
        visitor: Visitor<'_>,
        subject: Subject<'_>,
        address: IpAddr,
    ) -> Result<Admission, ApiError> {
        let token = token_of(visitor.headers)?;
        if let Some(holder) = self.tokens.uploader(token, subject.repository).await? {
            return Ok(Admission {
                name: holder.name,
                token_id: holder.id,
                forge: None,
                proof: None,
            });
        }
        if Oidc::recognises(token) {
            return self.recognise_identity(token, subject).await;
        }
        let Some(url) = visitor.vcs_api_url else {
            return Err(tokens::unknown());
        };
        let api = self.forges.find(url)?;
        let forge = forge_of(&api.url);
        self.vouches(&forge, subject.repository).await?;
        // Everything further asks somebody else.
        self.failed_tries.check(address, subject.repository)?;
        let status = CommitStatus::pending(
            subject.repository,
            subject.commit,
            subject.branch,
            subject.status_context.to_owned(),
        );
        let proof = self.forges.prove(api, token, status).await?;
        Ok(Admission {
            name: format!("token of {forge}"),
            token_id: None,
            forge: Some(forge),
            proof: Some(proof),
        })
    }

    /// Costs a call only where the issuer's keys are not at hand, and that is bounded by itself.
    async fn recognise_identity(
        &self,
        token: &str,
        subject: Subject<'_>,
    ) -> Result<Admission, ApiError> {
        let identity = self.oidc.identify(token).await?;
        identity.agrees_with(subject)?;
        self.vouches(&identity.forge, subject.repository).await?;
        Ok(Admission {
            name: identity.name,
            token_id: None,
            forge: Some(identity.forge),
            proof: None,
        })
    }

    /// Whether a source-hosting service may vouch for a repository. Names are its own: another service may have a
    /// repository of the same name, so that the first to vouch for one is the only one, as long as it is listed.
    async fn vouches(&self, forge: &str, repository: &Repository) -> Result<(), ApiError> {
        if !self.orgs.allows(&repository.org) {
            return Err(ApiError::token_not_for_repository(format!(
                "The operator does not let {forge} vouch for the org of {repository}; ask for it to be added to UPLOAD_ORGS."
            )));
        }
        match self.store.forge(repository).await? {
            Some(first) if first != forge && self.vouching.contains(&first) => {
                Err(ApiError::token_not_for_repository(format!(
                    "{repository} is a repository of {first} here, so that {forge} cannot vouch for it."
                )))
            }
            _ => Ok(()),
        }
    }
}
