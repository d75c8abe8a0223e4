//! Who may upload: tokens of this service, tokens of source-hosting services, identities of CI systems. And who may read.

mod credential;
mod failed_tries;
mod own_token;
mod readers;
mod tokens;

pub use readers::Readers;
pub(crate) use readers::{LinkSigner, Pass, Reader};
pub use tokens::{Holder, Tokens};

use crate::{
    config::access::{Access, TrustedProxies},
    error::ApiError,
    store::Store,
};
use app::domain::{BranchName, CommitHash, Repository};
use axum::http::{HeaderMap, StatusCode};
use credential::token_of;
use failed_tries::FailedTries;
use std::net::IpAddr;

/// All who may upload.
#[derive(Clone, Debug)]
pub struct Uploaders {
    /// Those with a token of this service.
    pub tokens: Tokens,
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
}

/// Who was let in.
#[derive(Clone, Debug)]
pub struct Admission {
    /// Whose token it was, for the ledger and the log.
    pub name: String,
    /// The id of a token of this service.
    pub token_id: Option<i64>,
}

impl Uploaders {
    /// Those whom the operator lets in.
    pub fn new(access: &Access, store: Store) -> Self {
        Self {
            tokens: Tokens::new(access.upload_token(), store),
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
            });
        }
        // Everything further asks somebody else.
        self.failed_tries.check(address, subject.repository)?;
        match visitor.vcs_api_url {
            Some(_) => Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "vcs_api_url_not_allowed",
                "This is no token of this service, and the operator has not allowed that vcs_api_url for checking others.",
            )),
            None => Err(tokens::unknown()),
        }
    }
}
