//! Limits on checks of tokens, and on calls to forges and issuers.

use clap::Args;
use std::time::Duration;

/// Timeouts, rate limits and cache times.
#[derive(Clone, Debug, Args)]
pub struct AccessLimits {
    /// Seconds that connecting to a forge or an issuer may take.
    #[arg(long, env = "VCS_CONNECT_SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub vcs_connect_seconds: u64,

    /// Seconds that one call to a forge or an issuer may take, connecting included.
    #[arg(long, env = "VCS_CALL_SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub vcs_call_seconds: u64,

    /// Bytes of the answer of a forge or an issuer.
    #[arg(long, env = "MAX_VCS_ANSWER_BYTES", default_value_t = 256 << 10)]
    pub max_vcs_answer_bytes: usize,

    /// Calls to each forge or issuer at the same time; others wait as long as a call may take.
    #[arg(long, env = "CONCURRENT_VCS_CALLS", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrent_vcs_calls: u16,

    /// The same for the tokens of one address.
    #[arg(long, env = "CONCURRENT_VCS_CALLS_PER_ADDRESS", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrent_vcs_calls_per_address: u16,

    /// Seconds for which an accepted token of a forge is cached for its commit.
    #[arg(long, env = "VCS_ACCEPTED_SECONDS", default_value_t = 60)]
    pub vcs_accepted_seconds: u64,

    /// Seconds for which a refused token of a forge is cached for its commit.
    #[arg(long, env = "VCS_REFUSED_SECONDS", default_value_t = 30)]
    pub vcs_refused_seconds: u64,

    /// Seconds for which the keys of an issuer are cached. An unknown key is requested at most once a minute.
    #[arg(long, env = "OIDC_KEYS_SECONDS", default_value_t = 3_600)]
    pub oidc_keys_seconds: u64,

    /// Seconds that an issuer's clock may differ from this one, at most a day.
    #[arg(long, env = "OIDC_CLOCK_SKEW_SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(..=86_400))]
    pub oidc_clock_skew_seconds: u64,

    /// Refused tokens per minute and address before the address gets 429.
    #[arg(long, env = "FAILED_TRIES_PER_ADDRESS", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub failed_tries_per_address: u32,

    /// Refused tokens per minute and repository before attempts get 429.
    #[arg(long, env = "FAILED_TRIES_PER_REPOSITORY", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub failed_tries_per_repository: u32,

    /// Refused checks per minute at forges, for all addresses together, before tokens from addresses without an accepted
    /// token in the last day get 429.
    #[arg(long, env = "FAILED_VCS_CHECKS", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub failed_vcs_checks: u32,

    /// Bytes of the body of `PUT /coverages-api`.
    #[arg(long, env = "MAX_BRANCHES_BYTES", default_value_t = 256 << 10)]
    pub max_branches_bytes: usize,

    /// Seconds for which a signed address of an HTML report works, where reading is protected.
    #[arg(long, env = "REPORT_LINK_SECONDS", default_value_t = 43_200, value_parser = clap::value_parser!(u64).range(60..))]
    pub report_link_seconds: u64,

    /// Seconds of a login in a browser.
    #[arg(long, env = "SESSION_SECONDS", default_value_t = 2_592_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub session_seconds: u64,
}

impl AccessLimits {
    /// The timeout of one call.
    pub fn vcs_call(&self) -> Duration {
        Duration::from_secs(self.vcs_call_seconds)
    }

    /// The timeout of connecting.
    pub fn vcs_connect(&self) -> Duration {
        Duration::from_secs(self.vcs_connect_seconds)
    }
}
