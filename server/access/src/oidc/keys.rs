//! The cached keys of one issuer.

use super::{
    cached::{Cached, PAUSE},
    discovery,
    key_set::{KeySet, WantedKey},
};
use crate::error::{AccessError, Kind};
use config::access::{AccessLimits, Issuer};
use forges::outbound::Outbound;
use jsonwebtoken::DecodingKey;

#[derive(Debug)]
pub(crate) struct IssuerKeys {
    issuer: Issuer,
    outbound: Outbound,
    keys: Cached<KeySet>,
}

impl IssuerKeys {
    pub(crate) fn new(issuer: &Issuer, limits: &AccessLimits, outbound: Outbound) -> Self {
        let messages = [
            "the keys of an issuer cannot be fetched; expired keys are used",
            "the keys of an issuer cannot be fetched; its identities are refused",
        ];
        Self {
            keys: Cached::new(&issuer.text, limits.oidc_keys_seconds, messages),
            issuer: issuer.clone(),
            outbound,
        }
    }

    /// Returns the key that an identity names. `None` if the issuer has no such key.
    ///
    /// # Errors
    ///
    /// 502 `vcs_unreachable` if the issuer must be called and does not answer.
    pub(crate) async fn find(
        &self,
        wanted: &WantedKey,
    ) -> Result<Option<DecodingKey>, AccessError> {
        let fetch = discovery::keys(&self.outbound, &self.issuer);
        let found = self.keys.find(|keys| keys.find(wanted), fetch).await;
        found.map_err(|_| {
            let detail = format!(
                "The keys of the issuer {} cannot be fetched; try again in a few seconds, and if it keeps failing, send the request id to the operator.",
                self.issuer.text
            );
            AccessError::new(Kind::ForgeUnreachable, detail).retry_after(PAUSE.as_secs())
        })
    }
}
