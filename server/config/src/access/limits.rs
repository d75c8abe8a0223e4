//! Limits on checks of tokens, and on calls to forges and issuers.

use crate::limits::limits;
use std::time::Duration;

limits! {
    /// Timeouts, rate limits and cache times. Fields that are not settings state why their value is fixed; tests may change them.
    pub struct AccessLimits {
        /// Seconds that connecting to a forge or an issuer may take. Fixed: a host that is slower than this is down or
        /// unreachable.
        pub vcs_connect_seconds: u64 => fixed 5,

        /// Seconds that one call to a forge or an issuer may take, connecting included. Fixed: a CI job waits for the
        /// answer, and a forge that takes longer is down.
        pub vcs_call_seconds: u64 => fixed 10,

        /// Bytes of the answer of a forge or an issuer. Fixed: the service requests only small answers.
        pub max_vcs_answer_bytes: usize => fixed 256 << 10,

        /// Calls to each forge or issuer at the same time; other calls wait at most as long as a call may take. Fixed: forges
        /// throttle clients that send many more.
        pub concurrent_vcs_calls: u16 => fixed 32,

        /// Calls at the same time for the tokens of one address. Fixed: a quarter, so that one address cannot keep the others
        /// waiting.
        pub concurrent_vcs_calls_per_address: u16 => fixed 8,

        /// Seconds that all calls about the changes of a pull request may take together. Fixed: a CI job waits for the answer to
        /// its upload, which succeeds without them.
        pub vcs_changes_seconds: u64 => fixed 5,

        /// Seconds for which an accepted token of a forge is cached for its commit. Fixed: long enough for the uploads of one
        /// job, short enough that a revoked token stops working soon.
        pub vcs_accepted_seconds: u64 => fixed 60,

        /// Seconds for which a refused token of a forge is cached for its commit. Fixed: long enough that a retrying job does not
        /// call the forge each time, short enough to try again after fixing the token.
        pub vcs_refused_seconds: u64 => fixed 30,

        /// Seconds between two questions to a forge about the merge queue of one repository. Fixed: a queue lands a commit every few
        /// minutes.
        pub vcs_queue_seconds: u64 => fixed 60,

        /// Seconds for which the keys of an issuer are cached. Fixed: an unknown key is requested at once, at most once a minute,
        /// so only the removal of a key waits for this.
        pub oidc_keys_seconds: u64 => fixed 3_600,

        /// Seconds that an issuer's clock may differ from this one. Fixed: clocks that are set over the network differ less.
        pub oidc_clock_skew_seconds: u64 => fixed 60,

        /// Refused tokens per minute and address before the address gets 429.
        #[arg(long, env = "FAILED_TRIES_PER_ADDRESS", value_parser = clap::value_parser!(u32).range(1..))]
        pub failed_tries_per_address: u32 => default 20,

        /// Refused tokens per minute and repository before attempts get 429.
        #[arg(long, env = "FAILED_TRIES_PER_REPOSITORY", value_parser = clap::value_parser!(u32).range(1..))]
        pub failed_tries_per_repository: u32 => default 60,

        /// Refused checks per minute at forges, for all addresses together, before tokens from addresses without an accepted
        /// token in the last day get 429. Fixed: forges block clients that send more failing calls.
        pub failed_vcs_checks: u32 => fixed 200,

        /// Bytes of the body of `PUT /coverages-api`. Fixed: enough for 1,000 branches with names of 255 bytes.
        pub max_branches_bytes: usize => fixed 256 << 10,

        /// Seconds for which a signed address of an HTML report works, where reading is protected.
        #[arg(long, env = "REPORT_LINK_SECONDS", value_parser = clap::value_parser!(u64).range(60..))]
        pub report_link_seconds: u64 => default 43_200,

        /// Seconds of a login at LOGIN_ISSUER. Changes of groups there take effect with the next login.
        #[arg(long, env = "LOGIN_SECONDS", value_parser = clap::value_parser!(u64).range(60..=31_622_400))]
        pub login_seconds: u64 => default 43_200,

        /// Seconds of a login with a token in a browser.
        #[arg(long, env = "SESSION_SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
        pub session_seconds: u64 => default 2_592_000,
    }
}

impl AccessLimits {
    /// The timeout of one call.
    pub fn vcs_call(&self) -> Duration {
        Duration::from_secs(self.vcs_call_seconds)
    }
}
