//! An identity token: its unverified content, and its verification with jsonwebtoken.

use super::{
    key_set::{Claims, WantedKey},
    shown,
};
use crate::error::AccessError;
use config::access::Issuer;
use jsonwebtoken::{
    Algorithm, DecodingKey, Validation, dangerous::insecure_decode_claims, decode,
    errors::ErrorKind,
};
use serde_json::Value;

/// The unverified content of an identity.
pub(crate) struct Unverified {
    pub issuer: String,
    header: Claims,
}

impl Unverified {
    /// Reads a token without verifying it. `None` if the text is not an identity: not a compact JWS (RFC 7515, section 7.1), or
    /// without an issuer.
    pub(crate) fn read(token: &str) -> Option<Self> {
        let (header, rest) = token.split_once('.')?;
        let (payload, signature) = rest.split_once('.')?;
        if signature.contains('.') {
            return None;
        }
        let payload = json(payload)?;
        Some(Self {
            issuer: payload.get("iss")?.as_str()?.to_owned(),
            header: json(header)?,
        })
    }

    /// Returns the key that the header names. Keys in the token and addresses of keys (`jwk`, `jku`, `x5c`, `x5u`) are ignored.
    pub(crate) fn wanted_key(&self) -> Result<WantedKey, AccessError> {
        let text = |name| self.header.get(name).and_then(Value::as_str);
        let algorithm = match text("alg") {
            Some("RS256") => Algorithm::RS256,
            Some("ES256") => Algorithm::ES256,
            other => {
                return Err(AccessError::invalid_token(format!(
                    "This identity is signed with {}; request one that is signed with RS256 or ES256.",
                    shown(other.unwrap_or("no algorithm"))
                )));
            }
        };
        if self.header.contains_key("crit") {
            return Err(AccessError::invalid_token(
                "This identity has critical extensions (`crit`), which this service does not support; request one without them.",
            ));
        }
        Ok(WantedKey {
            id: text("kid").map(str::to_owned),
            algorithm,
        })
    }
}

/// Returns the branch of GitHub's merge queue that an identity states, without verifying it: clients cut its name.
pub fn queue_branch_of(token: &str) -> Option<String> {
    let payload = token.split('.').nth(1)?;
    let claims = json(payload)?;
    let branch = claims.get("ref")?.as_str()?.strip_prefix("refs/heads/")?;
    branch
        .starts_with("gh-readonly-queue/")
        .then(|| branch.to_owned())
}

/// Decodes one part of a token. jsonwebtoken decodes the middle part of any text without verification.
fn json(part: &str) -> Option<Claims> {
    insecure_decode_claims(format!(".{part}.")).ok()
}

/// The required content of an identity, in addition to a valid signature.
pub(crate) struct Expected<'a> {
    pub issuer: &'a str,
    pub audiences: &'a [String],
    pub leeway_seconds: u64,
}

/// Verifies an identity and returns its claims, or the violated rule.
pub(crate) fn verified(
    token: &str,
    algorithm: Algorithm,
    key: &DecodingKey,
    expected: Expected<'_>,
) -> Result<Claims, ErrorKind> {
    let mut rules = Validation::new(algorithm);
    rules.leeway = expected.leeway_seconds;
    rules.validate_nbf = true;
    rules.set_required_spec_claims(&["aud", "exp", "iss"]);
    rules.set_audience(expected.audiences);
    rules.set_issuer(&with_and_without_slash(expected.issuer));
    match decode(token, key, &rules) {
        Ok(verified) => Ok(verified.claims),
        Err(error) => Err(error.into_kind()),
    }
}

pub(super) fn with_and_without_slash(url: &str) -> [String; 2] {
    [url.to_owned(), format!("{url}/")]
}

/// 401: the identity of a CI job violates a rule.
pub(super) fn refusal(kind: &ErrorKind, audience: &str) -> AccessError {
    let other_audience = || {
        format!(
            "This identity is for another service; let the CI job request one with the audience {audience}."
        )
    };
    AccessError::invalid_token(match kind {
        ErrorKind::InvalidSignature => {
            "This identity is not signed by its issuer; send it as the issuer created it.".to_owned()
        }
        ErrorKind::ExpiredSignature => {
            "This identity has expired; let the CI job request one just before it uploads."
                .to_owned()
        }
        ErrorKind::ImmatureSignature => {
            "This identity is not valid yet, because the clocks of its issuer and of this service differ; ask the operator to check the clock."
                .to_owned()
        }
        ErrorKind::InvalidAudience => other_audience(),
        ErrorKind::MissingRequiredClaim(claim) if claim == "aud" => other_audience(),
        ErrorKind::MissingRequiredClaim(claim) | ErrorKind::InvalidClaimFormat(claim) => {
            format!("This identity has no readable claim `{claim}`; let the CI job request another.")
        }
        _ => return unreadable(),
    })
}

/// 401: the token is malformed.
pub(super) fn unreadable() -> AccessError {
    AccessError::invalid_token(
        "This identity cannot be read; send it complete, as its issuer created it.",
    )
}

/// 401: the issuer has no such key.
pub(super) fn unknown_key(issuer: &Issuer, wanted: &WantedKey) -> AccessError {
    let key = match &wanted.id {
        Some(id) => format!("the key {}", shown(id)),
        None => "an unnamed key".to_owned(),
    };
    AccessError::invalid_token(format!(
        "This identity is signed with {key} for {:?}, but {} has no such key; if its keys have just changed, try again in a minute.",
        wanted.algorithm, issuer.text
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonwebtoken::{EncodingKey, Header, encode};
    use serde_json::json;

    fn token(claims: &Value) -> String {
        let key = EncodingKey::from_secret(b"secret");
        encode(&Header::default(), claims, &key).expect("a token")
    }

    #[test]
    fn an_identity_token_is_recognised_by_its_content() {
        let identity = token(&json!({ "iss": "https://ci.example.com" }));
        let read = Unverified::read(&identity).expect("an identity");
        assert_eq!(read.issuer, "https://ci.example.com");
        let others = [
            "",
            "a.b.c",
            "ghs_16C7e42F292c6912E7710c838347Ae178B4a",
            "ghs_eyJh.eyJpc3Mi.sig",
            "glcbt-64_Ab.Cd.Ef",
            &format!("{identity}."),
            &format!("x{identity}"),
            &format!("glcbt-{identity}"),
            &identity[1..],
            &token(&json!({ "sub": "no issuer" })),
            &token(&json!({ "iss": 1 })),
            &token(&json!(["iss"])),
        ];
        for other in others {
            assert!(Unverified::read(other).is_none(), "{other}");
        }
    }

    #[test]
    fn only_two_algorithms_and_no_critical_headers_are_accepted() {
        let of = |header: Value| Unverified {
            issuer: String::new(),
            header: header.as_object().expect("a header").clone(),
        };
        let wanted = |header| of(header).wanted_key().ok().map(|key| key.algorithm);
        assert_eq!(wanted(json!({ "alg": "RS256" })), Some(Algorithm::RS256));
        assert_eq!(wanted(json!({ "alg": "ES256" })), Some(Algorithm::ES256));
        for algorithm in [
            "none", "None", "HS256", "RS384", "PS256", "EdDSA", "rs256", "",
        ] {
            assert_eq!(wanted(json!({ "alg": algorithm })), None, "{algorithm}");
        }
        for header in [
            json!({}),
            json!({ "alg": ["RS256"] }),
            json!({ "alg": "RS256", "crit": ["b64"], "b64": false }),
            json!({ "alg": "RS256", "crit": null }),
        ] {
            assert_eq!(wanted(header.clone()), None, "{header}");
        }
    }
}
