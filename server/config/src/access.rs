//! Who may upload and who may read: flags, variables and their values.

mod advice;
mod api_tokens;
mod foreign;
mod forge;
mod forges;
mod issuers;
mod limits;
mod listed;
mod login;
mod orgs;
mod proxies;
mod queues;
mod sites;
#[cfg(test)]
mod testing;

pub use api_tokens::VcsApiTokens;
pub use foreign::{AcceptedClients, ForeignService};
pub use forge::forge_of;
pub use forges::{ApiKind, VcsApi};
pub use issuers::{ClaimNames, Issuer, IssuerKind};
pub use limits::AccessLimits;
pub use listed::{Listed, ListedUrls};
pub use login::{AdminGroups, Login, ReadOrgs};
pub use orgs::{OrgBinding, UploadOrgs};
pub use proxies::TrustedProxies;
pub use queues::{QueueBranches, is_train, queue_base};
pub use sites::ForgeUrls;

use super::{Optional, Secret};
use clap::Args;
use domain::Percentage;
use http::HeaderName;
use reqwest::Url;
use std::collections::HashSet;

/// Who may upload, and who may read.
#[derive(Clone, Debug, Args)]
pub struct Access {
    /// One upload token for every repository, for simple set-ups. `token create` creates others.
    #[arg(long, env = "UPLOAD_TOKEN", default_value = "")]
    pub upload_token: Optional<Secret>,

    /// APIs of forges whose tokens may upload, such as github=https://api.github.com,gitlab=https://gitlab.example.com/api/v4,gitea=https://git.example.com/api/v1.
    #[arg(long, env = "VCS_API_URLS", default_value = "")]
    pub vcs_api_urls: ListedUrls<ApiKind>,

    /// Issuers of CI identities that may upload without a token, such as github=https://token.actions.githubusercontent.com,gitlab=https://gitlab.example.com.
    #[arg(long, env = "OIDC_ISSUERS", default_value = "")]
    pub oidc_issuers: ListedUrls<IssuerKind>,

    /// The names of the claims of issuers of the kind `other`.
    #[arg(
        long,
        env = "OIDC_CLAIMS",
        default_value = "repository=repository,ref=ref,sha=sha"
    )]
    pub oidc_claims: ClaimNames,

    /// The orgs, with their nested groups, that tokens of forges and identities may upload for, such as acme, or github.com:acme for one forge only [default: all].
    #[arg(long, env = "UPLOAD_ORGS", default_value = "")]
    pub upload_orgs: UploadOrgs,

    /// Branches on which a merge queue tests commits before their branch contains them, such as auto=main,mergify/merge-queue/*=main. The queue of GitHub and GitLab's merge trains need no entry.
    #[arg(long, env = "QUEUE_BRANCHES", default_value = "")]
    pub queue_branches: QueueBranches,

    /// The other services whose clients may upload, such as codecov,coveralls. They need the same tokens [default: none].
    #[arg(long, env = "ACCEPT", default_value = "")]
    pub accept: AcceptedClients,

    /// The proxy for calls to forges and issuers, such as http://proxy.example.com:3128 [default: none; HTTPS_PROXY is ignored].
    #[arg(long, env = "OUTBOUND_PROXY", default_value = "")]
    pub outbound_proxy: Optional<Url>,

    /// Addresses of reverse proxies, such as 10.0.0.7,192.168.0.0/24. X-Forwarded-For and the header of --user-header are
    /// trusted in requests from these addresses.
    #[arg(long, env = "TRUSTED_PROXIES", default_value = "")]
    pub trusted_proxies: TrustedProxies,

    /// Protect pages, API, HTML reports and badges: only people with a read token, a login or a trusted proxy may read.
    #[arg(long, env = "PROTECT_READING", value_parser = clap::builder::FalseyValueParser::new())]
    pub protect_reading: bool,

    /// Show badges to everybody although reading is protected.
    #[arg(long, env = "OPEN_BADGES", value_parser = clap::builder::FalseyValueParser::new())]
    pub open_badges: bool,

    /// The header in which a trusted proxy names the logged-in person, such as X-Forwarded-User [default: none].
    #[arg(long, env = "USER_HEADER", default_value = "")]
    pub user_header: Optional<HeaderName>,

    /// The header in which a trusted proxy lists the person's groups, separated by commas, such as X-Forwarded-Groups. READ_ORGS sets what each group may read [default: none, and the person reads all].
    #[arg(long, env = "GROUPS_HEADER", default_value = "")]
    pub groups_header: Optional<HeaderName>,

    /// The percentage below which a commit status is failure, such as 80 or 72.5 [default: none].
    #[arg(long, env = "MINIMUM_COVERAGE", default_value = "")]
    pub minimum_coverage: Optional<Percentage>,

    /// The operator's tokens for APIs of VCS_API_URLS, such as github.com=TOKEN. They write the status and the comment of a commit whose parts did not arrive in time. Uploads send their own tokens.
    #[arg(long, env = "VCS_API_TOKENS", default_value = "")]
    pub vcs_api_tokens: VcsApiTokens,

    /// The web addresses of forges, for links to commits and pull requests, such as github=https://github.com, or acme:gitlab=https://gitlab.example.com for one org. Forges of VCS_API_URLS and OIDC_ISSUERS need no entry.
    #[arg(long, env = "FORGE_URLS", default_value = "")]
    pub forge_urls: ForgeUrls,

    /// The login of people at an issuer.
    #[command(flatten)]
    pub login: Login,

    /// Limits on tokens and calls to forges.
    #[command(flatten)]
    pub limits: AccessLimits,
}

impl Access {
    /// The hosts of all listed forges and issuers.
    pub fn identity_providers(&self) -> HashSet<String> {
        let apis = self.vcs_api_urls.iter().map(|api| &api.url);
        let issuers = self.oidc_issuers.iter().map(|issuer| &issuer.url);
        apis.chain(issuers).map(forge_of).collect()
    }

    /// Whether the service calls forges or issuers.
    pub fn calls_others(&self) -> bool {
        self.knows_forges() || self.login.login_issuer.0.is_some()
    }

    fn knows_forges(&self) -> bool {
        !self.vcs_api_urls.is_empty() || !self.oidc_issuers.is_empty()
    }

    /// Whether uploads are possible without an upload token of `token create`.
    pub fn has_other_ways(&self) -> bool {
        self.upload_token.0.is_some() || self.knows_forges()
    }
}
