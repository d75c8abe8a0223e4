//! Authorization: who may upload (tokens of this service, tokens of forges, identities of CI systems), who may read,
//! and who may administer.

mod admin;
mod admins;
mod by_forge;
pub mod cookies;
mod credential;
mod error;
mod failed_attempts;
mod login;
pub mod network;
mod oidc;
mod org_bindings;
mod own_token;
mod per_address_limiter;
mod readers;
mod ticket;
mod tokens;

pub use admin::Admin;
pub use admins::Admins;
pub use error::{AccessError, Cause, Kind};
pub use login::{Answer, PeopleLogin};
pub use oidc::token::queue_branch_of;
pub use org_bindings::{not_main_branch, other_identity};
pub use readers::{LinkSigner, Pass, Reader, Readers, read_scope_of};
pub use ticket::Ticket;
pub use tokens::{Holder, MadeToken, Tokens};

use config::access::{Access, QueueBranches, TrustedProxies};
use credential::token_of;
use domain::{BranchName, CommitHash, ForgeSites, Repository, RunUrl};
use failed_attempts::FailedAttempts;
use forges::{Forges, Proof, outbound::Outbound};
use http::HeaderMap;
use oidc::{Identity, Oidc, Unverified};
use org_bindings::OrgBindings;
use per_address_limiter::PerAddressLimiter;
use std::{net::IpAddr, sync::Once};
use store::{
    ClaimedBy, ForgeClaim, MainRight, Store,
    actor::{Actor, ActorKind},
};
use tokio_util::task::TaskTracker;

/// Authorizes uploads.
#[derive(Clone, Debug)]
pub struct Uploaders {
    /// The tokens of this service.
    pub tokens: Tokens,
    oidc: Oidc,
    /// The forges that the operator lists.
    pub forges: Forges,
    queues: QueueBranches,
    org_bindings: OrgBindings,
    failed_attempts: FailedAttempts,
    calls_per_address: PerAddressLimiter,
    /// Tasks that continue after a client disconnects.
    tasks: TaskTracker,
    proxies: TrustedProxies,
    sites: ForgeSites,
}

/// A request before authorization.
#[derive(Clone, Copy, Debug)]
pub struct ClientRequest<'a> {
    /// The headers of the request.
    pub headers: &'a HeaderMap,
    /// The address of the connection: of the client or of a proxy.
    pub peer: IpAddr,
    /// The API of the forge that can check the token.
    pub vcs_api_url: Option<&'a str>,
}

/// What a client wants to change.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// The branch; `None` for all branches.
    pub branch: Option<&'a BranchName>,
    /// The target branch of the pull request, if the client states it.
    pub target_branch: Option<&'a BranchName>,
    /// The commit.
    pub commit: &'a CommitHash,
    /// The name of the commit status that states the result.
    pub status_context: &'a str,
}

/// An authorized client.
#[derive(Debug)]
pub struct Admission {
    /// The name of the token's owner, for the ledger and the log.
    pub name: String,
    /// The id of a token of this service.
    pub token_id: Option<i64>,
    /// The forge that confirmed the right to upload, if any.
    pub forge_claim: Option<ForgeClaim>,
    /// The means to write the result to that forge.
    pub proof: Option<Proof>,
    /// Whether the upload may change the main branch.
    pub main_right: MainRight,
    /// The branch of the record, if a merge queue tests the commit for it.
    pub queued_for: Option<BranchName>,
    /// The branch of the identity. The list of active branches is accepted only from the main branch.
    pub said_on: Option<BranchName>,
    /// The commit of the job, if the identity is of a pull request and uploads for another commit.
    pub measured_commit: Option<CommitHash>,
    /// The page of the identity's CI run.
    pub run_url: Option<RunUrl>,
}

impl Admission {
    fn of(name: String) -> Self {
        Self {
            name,
            token_id: None,
            forge_claim: None,
            proof: None,
            main_right: MainRight::Granted,
            queued_for: None,
            said_on: None,
            measured_commit: None,
            run_url: None,
        }
    }

    /// Notes that a merge queue tests the commit for a branch. The job of a pull request is not the queue's: its author chooses the
    /// name of its branch. A forge has said whether the branch contains the commit.
    fn queued_for(mut self, target: Option<BranchName>) -> Self {
        let is_of_pull_request = matches!(self.main_right, MainRight::Denied(_));
        if target.is_some() && !is_of_pull_request {
            if self.proof.is_none() {
                self.main_right = MainRight::Queued;
            }
            self.queued_for = target;
        }
        self
    }

    /// Returns the sender by which `max_upload_share` counts uploads. A token of this service is one sender. Tokens of forges and
    /// identities change with each job, so all of one repository count as one sender, in any spelling of its name.
    pub fn sender(&self, repository: &Repository) -> String {
        match (&self.forge_claim, self.token_id) {
            (Some(forge_claim), _) => format!("of {} for {}", forge_claim.forge, repository.key()),
            (None, Some(id)) => id.to_string(),
            (None, None) => self.name.clone(),
        }
    }

    /// Returns the hash of a forge token. Such a token may be valid for several repositories, so all its uploads count together
    /// too.
    pub fn credential(&self) -> Option<String> {
        self.proof.as_ref().map(Proof::token_hash)
    }

    /// Returns the actor for the audit log.
    pub fn actor(&self, address: IpAddr) -> Actor {
        let kind = match (&self.proof, &self.forge_claim) {
            (Some(_), _) => ActorKind::Forge,
            (None, Some(_)) => ActorKind::Identity,
            (None, None) => ActorKind::Token,
        };
        Actor::client(kind, &self.name, address)
    }
}

/// Checks that a client sends a token, valid or not.
///
/// # Errors
///
/// 401 `missing_token`.
pub fn show_token(headers: &HeaderMap) -> Result<(), AccessError> {
    token_of(headers).map(|_| ())
}

/// Returns the token that a client sends, valid or not.
///
/// # Errors
///
/// As of [`show_token`].
pub fn token_text(headers: &HeaderMap) -> Result<&str, AccessError> {
    token_of(headers)
}

/// A refusal, and whether the failed attempt has been counted.
enum Refusal {
    New(AccessError),
    Counted(AccessError),
}

/// Why an upload of a pull request is not current if its branch would become the main branch.
const OF_PULL_REQUEST: &str = "The branch would become the main branch, which a pull request cannot change; upload from a push to the branch.";

impl<Error: Into<AccessError>> From<Error> for Refusal {
    fn from(refusal: Error) -> Self {
        Self::New(refusal.into())
    }
}

impl Uploaders {
    /// Creates the authorization of uploads from the operator's settings.
    pub fn new(
        access: &Access,
        store: Store,
        public_url: &str,
        outbound: &Outbound,
        tasks: TaskTracker,
    ) -> Self {
        Self {
            tokens: Tokens::new(access.upload_token.0.as_ref(), store.clone()),
            oidc: Oidc::new(access, public_url, outbound),
            forges: Forges::new(access, outbound, tasks.clone()),
            tasks,
            queues: access.queue_branches.clone(),
            org_bindings: OrgBindings::new(access, store),
            failed_attempts: FailedAttempts::new(&access.limits),
            calls_per_address: PerAddressLimiter::new(&access.limits),
            proxies: access.trusted_proxies.clone(),
            sites: access.forge_sites(),
        }
    }

    /// Authorizes a client. Costs one hash, or one call to a listed forge or issuer.
    ///
    /// # Errors
    ///
    /// 401 `missing_token` or `invalid_token`; 403 `token_not_for_repository` or `vcs_api_url_not_allowed`; 422 if the
    /// commit is not a full identifier; 429 `too_many_requests`; 502 `vcs_unreachable`.
    pub async fn admit(
        &self,
        client: ClientRequest<'_>,
        subject: Subject<'_>,
    ) -> Result<Admission, AccessError> {
        let token = token_of(client.headers)?;
        let address = self.address(client);
        let queued_for = subject
            .branch
            .and_then(|branch| self.queues.target(branch, subject.target_branch));
        let target = queued_for.as_ref();
        match self
            .recognise(token, client, (subject, target), address)
            .await
        {
            Ok(admission) => Ok(admission.queued_for(queued_for)),
            Err(Refusal::Counted(refusal)) => Err(refusal),
            Err(Refusal::New(refusal)) => Err(self.counted(refusal, address, subject.repository)),
        }
    }

    /// Returns the address of the client.
    pub fn address(&self, client: ClientRequest<'_>) -> IpAddr {
        static WARN: Once = Once::new();
        let (peer, headers) = (client.peer, client.headers);
        if headers.contains_key("x-forwarded-for") && !self.proxies.contains(peer) {
            WARN.call_once(|| {
                tracing::warn!(%peer, "all clients behind this proxy count as one client; if it is your proxy, list it in TRUSTED_PROXIES");
            });
        }
        self.proxies.client(peer, headers)
    }

    async fn recognise(
        &self,
        token: &str,
        client: ClientRequest<'_>,
        (subject, queued_for): (Subject<'_>, Option<&BranchName>),
        address: IpAddr,
    ) -> Result<Admission, Refusal> {
        if let Some(holder) = self.tokens.uploader(token, subject.repository).await? {
            return Ok(Admission {
                token_id: holder.id,
                ..Admission::of(holder.name)
            });
        }
        // The secret of a person's session authorizes no upload and is never sent to a forge.
        if login::is_secret(token) {
            return Err(tokens::unknown().into());
        }
        // A text that has the form of an identity, valid or not, is never sent to a forge.
        if let Some(unverified) = Unverified::read(token) {
            return self.recognise_identity(token, &unverified, subject).await;
        }
        match client.vcs_api_url {
            Some(url) => {
                let asked = (subject, queued_for);
                self.recognise_by_forge(token, url, asked, address).await
            }
            None => Err(tokens::unknown().into()),
        }
    }

    /// Calls the issuer only if its keys are not cached. The cache limits these calls.
    async fn recognise_identity(
        &self,
        token: &str,
        unverified: &Unverified,
        subject: Subject<'_>,
    ) -> Result<Admission, Refusal> {
        let identity = self.oidc.identify(token, unverified).await?;
        identity.agrees_with(subject)?;
        let bindings = &self.org_bindings;
        // Before the database is queried, so that a forge without this org learns nothing about its repositories.
        bindings.binding(&identity.forge, subject.repository)?;
        let mut main_right = MainRight::Granted;
        let measured_commit = identity.measured_commit(subject);
        if identity.is_of_pull_request() && !identity.is_of_train(subject) {
            let is_own_commit = measured_commit.is_none();
            bindings.check_head(subject, is_own_commit).await?;
            main_right = MainRight::Denied(OF_PULL_REQUEST.to_owned());
        }
        let said_on = match subject.branch {
            Some(_) => None,
            None => Some(identity.branch()?),
        };
        if let Some(branch) = &said_on {
            bindings
                .check_speaks_for_all(subject.repository, branch)
                .await?;
        }
        let run_url = self.run_url(&identity, subject.repository);
        let by = ClaimedBy::Identity(identity.ids);
        let forge_claim = bindings
            .check(&identity.forge, subject.repository, by)
            .await?;
        Ok(Admission {
            forge_claim: Some(forge_claim),
            main_right,
            said_on,
            measured_commit,
            run_url,
            ..Admission::of(identity.name)
        })
    }

    /// Returns the address of the CI run of an identity.
    fn run_url(&self, identity: &Identity, repository: &Repository) -> Option<RunUrl> {
        let site = self.sites.of(repository, Some(&identity.forge))?;
        let page = identity.run_page.as_ref()?;
        format!("{}/{page}", site.url).parse().ok()
    }

    /// Counts a failed attempt. Returns the refusal, or 429 `too_many_requests` after too many.
    fn counted(
        &self,
        refusal: AccessError,
        address: IpAddr,
        repository: &Repository,
    ) -> AccessError {
        let counted = match refusal.kind {
            Kind::MissingToken
            | Kind::InvalidToken
            | Kind::NotForRepository
            | Kind::AdminTokenRequired
            | Kind::NotAReader => self.failed_attempts.add(address, repository),
            Kind::UnlistedApi | Kind::ForgeUnreachable | Kind::LoginIssuerUnreachable => {
                self.failed_attempts.add_of_address(address)
            }
            Kind::ShortCommit | Kind::TooMany | Kind::Failed => Ok(()),
        };
        counted.err().unwrap_or(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_spelling_of_a_repository_is_the_same_sender() {
        let admission = Admission {
            forge_claim: Some(ForgeClaim {
                forge: "github.com".to_owned(),
                seen: None,
                by: ClaimedBy::Token,
            }),
            ..Admission::of("token of github.com".to_owned())
        };
        let sender = |name: &str| admission.sender(&name.parse().expect("a repository"));
        assert_eq!(sender("ACME/Payments"), sender("acme/payments"));
        assert_ne!(sender("acme/billing"), sender("acme/payments"));
    }
}
