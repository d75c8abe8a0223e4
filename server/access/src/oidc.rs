//! Identities of CI systems (OpenID Connect): jobs upload with a signed identity token and no secret.
//!
//! Only issuers that the operator lists are trusted and called: the issuer in a token is looked up in that list before
//! anything is fetched.

mod cached;
mod claims;
pub(super) mod discovery;
mod identity;
mod key_set;
pub(super) mod token;

pub(super) use cached::{Cached, PAUSE};
pub(super) use identity::Identity;
pub(super) use key_set::Claims;
pub(super) use token::Unverified;

use crate::error::{AccessError, Kind};
use config::access::{Access, AccessLimits, ClaimNames, Issuer, forge_of};
use forges::outbound::Outbound;
use jsonwebtoken::DecodingKey;
use key_set::{KeySet, WantedKey};
use std::sync::Arc;
use token::Expected;

/// The most characters of untrusted text in a sentence.
const SHOWN: usize = 100;

/// The longest identity, in bytes. Identities of GitHub and GitLab have about 2 KB.
const MAX_BYTES: usize = 16 << 10;

/// Verifies identities of the listed issuers. Clones share the cached keys.
#[derive(Clone, Debug)]
pub(super) struct Oidc(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    issuers: Vec<(Issuer, IssuerKeys)>,
    claim_names: ClaimNames,
    audience: String,
    leeway_seconds: u64,
}

impl Oidc {
    /// Creates a verifier for identities with the audience `public_url`.
    pub(super) fn new(access: &Access, public_url: &str, outbound: &Outbound) -> Self {
        let issuers = access.oidc_issuers.iter().map(|issuer| {
            let keys = IssuerKeys::new(issuer, &access.limits, outbound.with_own_permits());
            (issuer.clone(), keys)
        });
        Self(Arc::new(Inner {
            issuers: issuers.collect(),
            claim_names: access.oidc_claims.clone(),
            audience: public_url.trim_end_matches('/').to_owned(),
            leeway_seconds: access.limits.oidc_clock_skew_seconds,
        }))
    }

    /// Verifies the identity of a CI job.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token`; 403 `token_not_for_repository` if a claim is missing; 502 `vcs_unreachable` if the keys of its issuer
    /// cannot be fetched.
    pub(super) async fn identify(
        &self,
        token: &str,
        unverified: &Unverified,
    ) -> Result<Identity, AccessError> {
        let (issuer, keys) = self.issuer(&unverified.issuer)?;
        if token.len() > MAX_BYTES {
            return Err(AccessError::invalid_token(format!(
                "This identity is larger than {MAX_BYTES} bytes; send it as its issuer created it."
            )));
        }
        let wanted = unverified.wanted_key()?;
        let key = keys.find(&wanted).await?;
        let key = key.ok_or_else(|| token::unknown_key(issuer, &wanted))?;
        let expected = Expected {
            issuer: &issuer.text,
            audiences: &token::with_and_without_slash(&self.0.audience),
            leeway_seconds: self.0.leeway_seconds,
        };
        let claims = token::verified(token, wanted.algorithm, &key, expected)
            .map_err(|kind| token::refusal(&kind, &self.0.audience))?;
        let forge = forge_of(&issuer.url);
        claims::identity(issuer.kind, &self.0.claim_names, &claims, forge)
    }

    fn issuer(&self, named: &str) -> Result<&(Issuer, IssuerKeys), AccessError> {
        let text = named.strip_suffix('/').unwrap_or(named);
        let mut listed = self.0.issuers.iter();
        listed
            .find(|(issuer, _)| issuer.text == text)
            .ok_or_else(|| {
                AccessError::invalid_token(format!(
                    "The operator of this service does not list the issuer {} of this identity; ask the operator to add it to OIDC_ISSUERS.",
                    shown(named)
                ))
            })
    }
}

/// The cached keys of one issuer.
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

/// Returns the text of a claim, if it is not empty.
pub(super) fn text<'a>(claims: &'a Claims, name: &str) -> Option<&'a str> {
    let text = claims.get(name)?.as_str()?;
    (!text.is_empty()).then_some(text)
}

/// Returns untrusted text for a sentence: cut, with invisible characters escaped.
pub(super) fn shown(text: &str) -> String {
    let mut shown = String::new();
    for char in text.chars().take(SHOWN) {
        match char {
            '"' | '\'' | '\\' => shown.push(char),
            _ => shown.extend(char.escape_debug()),
        }
    }
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_of_strangers_is_truncated_and_escaped() {
        assert_eq!(shown("https://it's.example/ü"), "https://it's.example/ü");
        assert_eq!(shown("a\nb\u{202e}c\0"), "a\\nb\\u{202e}c\\0");
        assert_eq!(shown(&"x".repeat(101)), format!("{}…", "x".repeat(100)));
        assert_eq!(shown(&"x".repeat(100)), "x".repeat(100));
    }
}
