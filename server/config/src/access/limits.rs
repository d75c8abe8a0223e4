//! Limits on checks of tokens, and on calls to forges and issuers.

use clap::Args;
use std::time::Duration;

/// Timeouts, rate limits and cache times. Fields that are not settings state why their value is fixed; tests may change them.
#[derive(Clone, Debug, Args)]
pub struct AccessLimits {
    /// Seconds that connecting to a forge or an issuer may take. Fixed: a host that is slower than this is down or
    /// unreachable.
    #[arg(skip = 5_u64)]
    pub vcs_connect_seconds: u64,

    /// Seconds that one call to a forge or an issuer may take, connecting included. Fixed: a CI job waits for the
    /// answer, and a forge that takes longer is down.
    #[arg(skip = 10_u64)]
    pub vcs_call_seconds: u64,

    /// Bytes of the answer of a forge or an issuer. Fixed: the service requests only small answers.
    #[arg(skip = 256_usize << 10)]
    pub max_vcs_answer_bytes: usize,

    /// Calls to each forge or issuer at the same time; other calls wait at most as long as a call may take. Fixed: forges
    /// throttle clients that send many more.
    #[arg(skip = 32_u16)]
    pub concurrent_vcs_calls: u16,

    /// Calls at the same time for the tokens of one address. Fixed: a quarter, so that one address cannot keep the others
    /// waiting.
    #[arg(skip = 8_u16)]
    pub concurrent_vcs_calls_per_address: u16,

    /// Seconds that all calls about the changes of a pull request may take together. Fixed: a CI job waits for the answer to its
    /// upload, which succeeds without them.
    #[arg(skip = 5_u64)]
    pub vcs_changes_seconds: u64,

    /// Seconds for which an accepted token of a forge is cached for its commit. Fixed: long enough for the uploads of one
    /// job, short enough that a revoked token stops working soon.
    #[arg(skip = 60_u64)]
    pub vcs_accepted_seconds: u64,

    /// Seconds for which a refused token of a forge is cached for its commit. Fixed: long enough that a retrying job does not
    /// call the forge each time, short enough to try again after fixing the token.
    #[arg(skip = 30_u64)]
    pub vcs_refused_seconds: u64,

    /// Seconds for which the keys of an issuer are cached. Fixed: an unknown key is requested at once, at most once a minute, so
    /// only the removal of a key waits for this.
    #[arg(skip = 3_600_u64)]
    pub oidc_keys_seconds: u64,

    /// Seconds that an issuer's clock may differ from this one. Fixed: clocks that are set over the network differ less.
    #[arg(skip = 60_u64)]
    pub oidc_clock_skew_seconds: u64,

    /// Refused tokens per minute and address before the address gets 429.
    #[arg(long, env = "FAILED_TRIES_PER_ADDRESS", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub failed_tries_per_address: u32,

    /// Refused tokens per minute and repository before attempts get 429.
    #[arg(long, env = "FAILED_TRIES_PER_REPOSITORY", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub failed_tries_per_repository: u32,

    /// Refused checks per minute at forges, for all addresses together, before tokens from addresses without an accepted
    /// token in the last day get 429. Fixed: forges block clients that send more failing calls.
    #[arg(skip = 200_u32)]
    pub failed_vcs_checks: u32,

    /// Bytes of the body of `PUT /coverages-api`. Fixed: enough for 1,000 branches with names of 255 bytes.
    #[arg(skip = 256_usize << 10)]
    pub max_branches_bytes: usize,

    /// Seconds for which a signed address of an HTML report works, where reading is protected.
    #[arg(long, env = "REPORT_LINK_SECONDS", default_value_t = 43_200, value_parser = clap::value_parser!(u64).range(60..))]
    pub report_link_seconds: u64,

    /// Seconds of a login at LOGIN_ISSUER. Changes of groups there take effect with the next login.
    #[arg(long, env = "LOGIN_SECONDS", default_value_t = 43_200, value_parser = clap::value_parser!(u64).range(60..=31_622_400))]
    pub login_seconds: u64,

    /// Seconds of a login with a token in a browser.
    #[arg(long, env = "SESSION_SECONDS", default_value_t = 2_592_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub session_seconds: u64,
}

impl AccessLimits {
    /// The timeout of one call.
    pub fn vcs_call(&self) -> Duration {
        Duration::from_secs(self.vcs_call_seconds)
    }
}
