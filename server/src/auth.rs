//! Who may upload: tokens of this service, tokens of source-hosting services, identities of CI systems. Who may read, and who
//! may administer.

mod admins;
mod by_forge;
mod credential;
mod failed_tries;
mod oidc;
mod own_token;
mod readers;
mod tokens;
mod turns;
mod vouching;

pub(crate) use admins::Admin;
pub use admins::Admins;
pub use readers::Readers;
pub(crate) use readers::{LinkSigner, Pass, Reader};
pub use tokens::{Holder, MadeToken, Tokens};

use crate::{
    config::access::{Access, TrustedProxies},
    forges::{Forges, Proof, outbound::Outbound},
    http::error::{ApiError, Code},
    store::{
        MainRight, Store, VouchedBy, Vouching,
        actor::{Actor, ActorKind},
    },
};
use axum::http::{HeaderMap, StatusCode};
use credential::token_of;
use domain::{BranchName, CommitHash, Repository};
use failed_tries::FailedTries;
use oidc::{Oidc, Unverified};
use std::{net::IpAddr, sync::Once};
use tokio_util::task::TaskTracker;
use turns::Turns;
use vouching::Vouchers;

/// All who may upload.
#[derive(Clone, Debug)]
pub struct Uploaders {
    /// Those with a token of this service.
    pub tokens: Tokens,
    oidc: Oidc,
    forges: Forges,
    vouchers: Vouchers,
    failed_tries: FailedTries,
    turns: Turns,
    /// What goes on although a client has hung up.
    tasks: TaskTracker,
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
#[derive(Debug)]
pub struct Admission {
    /// Whose token it was, for the ledger and the log.
    pub name: String,
    /// The id of a token of this service.
    pub token_id: Option<i64>,
    /// The source-hosting service that vouches for the repository, if one does.
    pub vouching: Option<Vouching>,
    /// With what the outcome can be told to that service.
    pub proof: Option<Proof>,
    /// Whether what is uploaded may change what the main branch shows.
    pub main_right: MainRight,
    /// The branch that an identity was of, where a list of branches counts only from the main one.
    pub said_on: Option<BranchName>,
}

impl Admission {
    /// Whose uploads count together where uploads are shared out. A token of this service is one sender; those that another
    /// service vouches for are new with each job, and so all of one repository are, however its name is written.
    pub fn sender(&self, repository: &Repository) -> String {
        match (&self.vouching, self.token_id) {
            (Some(vouching), _) => format!("of {} for {}", vouching.forge, repository.key()),
            (None, Some(id)) => id.to_string(),
            (None, None) => self.name.clone(),
        }
    }

    /// What one credential for several repositories counts by beside them, where those of its kind count by repository.
    pub fn credential(&self) -> Option<String> {
        self.proof.as_ref().map(Proof::token_hash)
    }
}

impl Admission {
    /// Whoever this is, for the audit log, given the address of the client.
    pub fn actor(&self, address: IpAddr) -> Actor {
        let kind = match (&self.proof, &self.vouching) {
            (Some(_), _) => ActorKind::Forge,
            (None, Some(_)) => ActorKind::Identity,
            (None, None) => ActorKind::Token,
        };
        Actor::client(kind, &self.name, address)
    }
}

/// Whether a client shows any token, good or not.
///
/// # Errors
///
/// 401 `missing_token`.
pub fn show_token(headers: &HeaderMap) -> Result<(), ApiError> {
    token_of(headers).map(|_| ())
}

/// Why somebody was not let in, and whether that has been counted.
enum Refusal {
    New(ApiError),
    Counted(ApiError),
}

/// Why what a pull request uploads to a branch that would become the main one is not current.
const OF_PULL_REQUEST: &str = "The branch would become the main branch, which a pull request cannot change; upload when it is pushed.";

impl From<ApiError> for Refusal {
    fn from(refusal: ApiError) -> Self {
        Self::New(refusal)
    }
}

impl Uploaders {
    /// Those whom the operator lets in to the service at `public_url`.
    pub(crate) fn new(
        access: &Access,
        store: Store,
        public_url: &str,
        outbound: &Outbound,
        tasks: TaskTracker,
    ) -> Self {
        Self {
            tokens: Tokens::new(access.upload_token(), store.clone()),
            oidc: Oidc::new(access, public_url, outbound),
            forges: Forges::new(access, outbound, tasks.clone()),
            tasks,
            vouchers: Vouchers::new(access, store),
            failed_tries: FailedTries::new(&access.limits),
            turns: Turns::new(&access.limits),
            proxies: access.trusted_proxies.clone(),
        }
    }

    /// Lets a client in, or says why not. Costs one hash, or one call to a service that the operator lists.
    ///
    /// # Errors
    ///
    /// 401 `missing_token` or `invalid_token`; 403 `token_not_for_repository` or `vcs_api_url_not_allowed`; 422 for a commit
    /// that a source-hosting service cannot be asked about; 429 `too_many_requests`; 502 `vcs_unreachable`.
    pub async fn admit(
        &self,
        visitor: Visitor<'_>,
        subject: Subject<'_>,
    ) -> Result<Admission, ApiError> {
        let token = token_of(visitor.headers)?;
        let address = self.address(visitor);
        match self.recognise(token, visitor, subject, address).await {
            Ok(admission) => Ok(admission),
            Err(Refusal::Counted(refusal)) => Err(refusal),
            Err(Refusal::New(refusal)) => {
                self.count(&refusal, address, subject.repository)?;
                Err(refusal)
            }
        }
    }

    /// The address of the client that a request comes from.
    pub fn address(&self, visitor: Visitor<'_>) -> IpAddr {
        static WARN: Once = Once::new();
        let (peer, headers) = (visitor.peer, visitor.headers);
        if headers.contains_key("x-forwarded-for") && !self.proxies.contains(peer) {
            WARN.call_once(|| {
                tracing::warn!(%peer, "all clients behind this proxy count as one; if it is yours, list it in TRUSTED_PROXIES");
            });
        }
        self.proxies.client(peer, headers)
    }

    async fn recognise(
        &self,
        token: &str,
        visitor: Visitor<'_>,
        subject: Subject<'_>,
        address: IpAddr,
    ) -> Result<Admission, Refusal> {
        if let Some(holder) = self.tokens.uploader(token, subject.repository).await? {
            return Ok(Admission {
                name: holder.name,
                token_id: holder.id,
                vouching: None,
                proof: None,
                main_right: MainRight::Granted,
                said_on: None,
            });
        }
        if let Some(unverified) = Oidc::read(token) {
            return self.recognise_identity(token, &unverified, subject).await;
        }
        match visitor.vcs_api_url {
            Some(url) => self.recognise_by_forge(token, url, subject, address).await,
            None => Err(tokens::unknown().into()),
        }
    }

    /// Costs a call only where the issuer's keys are not at hand, and that is bounded by itself.
    async fn recognise_identity(
        &self,
        token: &str,
        unverified: &Unverified,
        subject: Subject<'_>,
    ) -> Result<Admission, Refusal> {
        let identity = self.oidc.identify(token, unverified).await?;
        identity.agrees_with(subject)?;
        let mut main_right = MainRight::Granted;
        if identity.is_of_pull_request() {
            self.vouchers.check_head(subject).await?;
            main_right = MainRight::Withheld(OF_PULL_REQUEST.to_owned());
        }
        let said_on = match subject.branch {
            Some(_) => None,
            None => Some(identity.branch()?),
        };
        if let Some(branch) = &said_on {
            self.vouchers
                .check_speaks_for_all(subject.repository, branch)
                .await?;
        }
        let by = VouchedBy::Identity(identity.ids);
        let vouching = self
            .vouchers
            .check(&identity.forge, subject.repository, by)
            .await?;
        Ok(Admission {
            name: identity.name,
            token_id: None,
            vouching: Some(vouching),
            proof: None,
            main_right,
            said_on,
        })
    }

    /// Counts a try that failed.
    ///
    /// # Errors
    ///
    /// 429 `too_many_requests` once there are too many.
    fn count(
        &self,
        refusal: &ApiError,
        address: IpAddr,
        repository: &Repository,
    ) -> Result<(), ApiError> {
        match refusal.status() {
            _ if refusal.code() == Code::VcsApiUrlNotAllowed => {
                self.failed_tries.add_of_address(address)
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                self.failed_tries.add(address, repository)
            }
            StatusCode::BAD_GATEWAY => self.failed_tries.add_of_address(address),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_spelling_of_a_repository_makes_no_other_sender() {
        let admission = Admission {
            name: "token of github.com".to_owned(),
            token_id: None,
            vouching: Some(Vouching {
                forge: "github.com".to_owned(),
                seen: None,
                by: VouchedBy::Token,
            }),
            proof: None,
            main_right: MainRight::Granted,
            said_on: None,
        };
        let sender = |name: &str| admission.sender(&name.parse().expect("a repository"));
        assert_eq!(sender("ACME/Payments"), sender("acme/payments"));
        assert_ne!(sender("acme/billing"), sender("acme/payments"));
    }
}
