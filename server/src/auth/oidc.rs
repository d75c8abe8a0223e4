//! Identities of CI systems (OpenID Connect): jobs upload with what their own system vouches for, without any secret.
//!
//! Only issuers that the operator lists are believed, and nobody else is ever asked: which issuer a token names is looked
//! up in that list before anything is fetched.

mod claims;
mod discovery;
mod git_ref;
mod identity;
mod key_set;
mod keys;
mod token;

pub(super) use identity::Identity;
pub(super) use token::Unverified;

use crate::{
    config::access::{Access, ClaimNames, Issuer, forge_of},
    forges::outbound::Outbound,
    http::error::ApiError,
};
use keys::IssuerKeys;
use std::sync::Arc;
use token::Expected;

/// Characters of what a stranger wrote that a sentence repeats.
const SHOWN: usize = 100;

/// All whom the listed issuers vouch for. Clones share their keys.
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
    /// Identities have to be made for `public_url`: one that was made for another service is no use here.
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

    /// What a text says of itself that is an identity, good or not: then it is none of anybody else's business.
    pub(super) fn read(token: &str) -> Option<Unverified> {
        Unverified::read(token)
    }

    /// Whose identity this is.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token`; 403 `token_not_for_repository` where it does not say what it is for; 502 `vcs_unreachable` where
    /// its issuer's keys cannot be had.
    pub(super) async fn identify(
        &self,
        token: &str,
        unverified: &Unverified,
    ) -> Result<Identity, ApiError> {
        let (issuer, keys) = self.issuer(&unverified.issuer)?;
        let wanted = unverified.wanted_key(token.len())?;
        let key = keys.find(&wanted).await?;
        let key = key.ok_or_else(|| token::unknown_key(issuer, &wanted))?;
        let expected = Expected {
            issuer: &issuer.text,
            audience: &self.0.audience,
            leeway_seconds: self.0.leeway_seconds,
        };
        let claims = token::verified(token, wanted.algorithm, &key, expected)?;
        let forge = forge_of(&issuer.url);
        claims::identity(issuer.kind, &self.0.claim_names, &claims, forge)
    }

    fn issuer(&self, named: &str) -> Result<&(Issuer, IssuerKeys), ApiError> {
        let text = named.strip_suffix('/').unwrap_or(named);
        let mut listed = self.0.issuers.iter();
        listed
            .find(|(issuer, _)| issuer.text == text)
            .ok_or_else(|| {
                ApiError::invalid_token(format!(
                    "This identity is of the issuer {}, which the operator of this service does not list.",
                    shown(named)
                ))
            })
    }
}

/// What a stranger wrote, as a sentence may repeat it: cut, and without characters that would not be seen.
fn shown(text: &str) -> String {
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
