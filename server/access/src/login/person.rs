//! The person who logged in: the claims of the identity, and of the userinfo endpoint.

use super::{
    super::oidc::{Claims, shown, text},
    exchange::Tokens,
    provider::Provider,
};
use crate::error::AccessError;
use domain::text::chain;
use http::StatusCode;
use reqwest::Method;
use serde_json::Value;

/// The longest identifier of a person, in bytes (OpenID Connect Core 1.0, section 2).
const LONGEST_SUBJECT: usize = 255;

#[derive(Debug)]
pub(super) struct Person {
    /// The identifier. The issuer never gives it to another person.
    pub(super) subject: String,
    pub(super) name: String,
    pub(super) groups: Vec<String>,
}

impl Person {
    /// Reads the verified identity for `client`. If groups are needed and not in the identity, calls the userinfo endpoint.
    pub(super) async fn of(
        provider: &Provider,
        client: &str,
        tokens: &Tokens,
        nonce: &str,
        groups_claim: &str,
        needs_groups: bool,
    ) -> Result<Self, AccessError> {
        let Some(identity) = &tokens.id_token else {
            return Err(provider.misconfigured("it sent no identity"));
        };
        let claims = provider.verified(identity, client).await?;
        check(&claims, client, nonce).map_err(|why| provider.misconfigured(why))?;
        let subject = text(&claims, "sub").filter(|subject| subject.len() <= LONGEST_SUBJECT);
        let Some(subject) = subject else {
            return Err(provider.misconfigured("its identity has no `sub`"));
        };
        let (mut groups, mut name) = (groups(&claims, groups_claim), name(&claims));
        let lacks_groups = needs_groups && groups.is_none();
        if lacks_groups && is_overflown(&claims, groups_claim) {
            return Err(provider.misconfigured(
                "you have too many groups for its identity; it should send only those that READ_ORGS names",
            ));
        }
        if lacks_groups || name.is_none() {
            match asked(provider, tokens, subject).await {
                Ok(more) => {
                    groups = groups.or_else(|| self::groups(&more, groups_claim));
                    name = name.or_else(|| self::name(&more));
                }
                Err(why) if lacks_groups => return Err(provider.misconfigured(&why)),
                // The identifier is enough to show.
                Err(_) => {}
            }
        }
        Ok(Self {
            name: name.unwrap_or_else(|| shown(subject)),
            groups: groups.unwrap_or_default(),
            subject: subject.to_owned(),
        })
    }
}

/// Checks what a valid signature does not prove: that the identity was made for this attempt and this client.
fn check(claims: &Claims, client: &str, nonce: &str) -> Result<(), &'static str> {
    if text(claims, "nonce") != Some(nonce) {
        return Err("its identity was not made for this login");
    }
    let has_others = matches!(claims.get("aud"), Some(Value::Array(all)) if all.len() > 1);
    match claims.get("azp") {
        None if has_others => Err("its identity is for several clients and has no `azp`"),
        Some(azp) if azp != client => Err("its identity was made for another client"),
        _ => Ok(()),
    }
}

/// Returns the claims of the userinfo endpoint. Empty if the issuer has no such endpoint.
///
/// # Errors
///
/// The reason, as a part of a sentence.
async fn asked(provider: &Provider, tokens: &Tokens, subject: &str) -> Result<Claims, String> {
    let detail = |error: AccessError| error.detail;
    let endpoint = provider.userinfo_endpoint().await.map_err(detail)?;
    let (Some(url), Some(token)) = (endpoint, &tokens.access_token) else {
        return Ok(Claims::new());
    };
    let request = provider
        .outbound
        .request(Method::GET, url)
        .bearer_auth(token);
    let answer = provider.outbound.call(request).await.map_err(|error| {
        let (issuer, cause) = (&provider.issuer.text, chain(&error));
        tracing::warn!(issuer, cause, "a userinfo endpoint cannot be called");
        "the request for your groups failed".to_owned()
    })?;
    if answer.status != StatusCode::OK {
        let status = answer.status;
        return Err(format!(
            "it answered {status} to the request for your groups"
        ));
    }
    let claims: Claims = serde_json::from_slice(&answer.body)
        .map_err(|_| "its answer about your groups cannot be read".to_owned())?;
    // Otherwise the answer may be about somebody else (OpenID Connect Core 1.0, section 5.3.2).
    if text(&claims, "sub") != Some(subject) {
        return Err("it answered about another person".to_owned());
    }
    Ok(claims)
}

fn name(claims: &Claims) -> Option<String> {
    let names = ["preferred_username", "email", "name"];
    names.iter().find_map(|name| text(claims, name)).map(shown)
}

/// Returns the groups in a claim, or in a member of a claim, such as `realm_access.roles`. `None` if there is no such claim.
fn groups(claims: &Claims, name: &str) -> Option<Vec<String>> {
    let member = || {
        let mut names = name.split('.');
        let first = claims.get(names.next()?)?;
        names.try_fold(first, |value, name| value.get(name))
    };
    match claims.get(name).or_else(member)? {
        Value::String(group) => Some(vec![group.clone()]),
        Value::Array(groups) => {
            let groups = groups.iter().filter_map(Value::as_str);
            Some(groups.map(str::to_owned).collect())
        }
        _ => None,
    }
}

/// Returns whether the issuer left out the groups because there are too many, as Microsoft Entra does.
fn is_overflown(claims: &Claims, name: &str) -> bool {
    let elsewhere = claims.get("_claim_names");
    elsewhere.is_some_and(|names| names.get(name).is_some()) || claims.contains_key("hasgroups")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn claims(value: Value) -> Claims {
        value.as_object().expect("claims").clone()
    }

    #[test]
    fn groups_are_in_a_claim_or_in_a_member_of_one() {
        let claims = claims(json!({
            "groups": ["a", 7, "b"],
            "realm_access": { "roles": ["c"] },
            "https://acme.example/groups": "d",
            "none": {},
        }));
        let of = |name| groups(&claims, name).map(|groups| groups.join(" "));
        assert_eq!(of("groups").as_deref(), Some("a b"));
        assert_eq!(of("realm_access.roles").as_deref(), Some("c"));
        assert_eq!(of("https://acme.example/groups").as_deref(), Some("d"));
        for absent in ["none", "roles", "realm_access", "groups.a", ""] {
            assert_eq!(of(absent), None, "{absent}");
        }
    }

    #[test]
    fn an_identity_is_for_one_attempt_and_one_client() {
        let check = |value| super::check(&claims(value), "us", "n").is_ok();
        assert!(check(json!({ "nonce": "n", "aud": "us" })));
        assert!(check(json!({ "nonce": "n", "aud": ["us"], "azp": "us" })));
        assert!(check(
            json!({ "nonce": "n", "aud": ["us", "them"], "azp": "us" })
        ));
        for wrong in [
            json!({ "aud": "us" }),
            json!({ "nonce": "m", "aud": "us" }),
            json!({ "nonce": ["n"], "aud": "us" }),
            json!({ "nonce": "n", "aud": ["us", "them"] }),
            json!({ "nonce": "n", "aud": ["us", "them"], "azp": "them" }),
            json!({ "nonce": "n", "aud": "us", "azp": null }),
        ] {
            assert!(!check(wrong.clone()), "{wrong}");
        }
    }

    #[test]
    fn groups_that_were_left_out_are_noticed() {
        let is = |value| is_overflown(&claims(value), "groups");
        assert!(is(json!({ "_claim_names": { "groups": "src1" } })));
        assert!(is(json!({ "hasgroups": true })));
        assert!(!is(json!({ "_claim_names": { "other": "src1" } })));
    }
}
