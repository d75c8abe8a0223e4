//! The usable keys of an issuer's JSON Web Key Set (RFC 7517).

use jsonwebtoken::{
    Algorithm, DecodingKey, DecodingKeyKind,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, KeyOperations, PublicKeyUse},
};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The members of a JSON object in a token.
pub(crate) type Claims = Map<String, Value>;

/// The most keys that are read of an issuer. Issuers have two or three.
const MAX_KEYS: usize = 64;

/// The accepted sizes of an RSA modulus, in bits.
const RSA_BITS: std::ops::RangeInclusive<usize> = 2_048..=8_192;

/// A key that an identity names.
#[derive(Debug)]
pub(crate) struct WantedKey {
    pub(super) id: Option<String>,
    pub algorithm: Algorithm,
}

#[derive(Clone, Debug)]
pub(super) struct KeySet(Vec<Key>);

#[derive(Clone, Debug)]
struct Key {
    id: Option<String>,
    algorithm: Algorithm,
    key: DecodingKey,
}

/// Keys are parsed one by one, so that a key of an unknown kind does not affect the others.
#[derive(Deserialize)]
struct Document {
    keys: Vec<Value>,
}

impl KeySet {
    /// Reads a key set. `None` if no key is usable.
    pub(super) fn read(json: &[u8]) -> serde_json::Result<Option<Self>> {
        let document: Document = serde_json::from_slice(json)?;
        let keys = document.keys.into_iter().take(MAX_KEYS);
        let usable: Vec<_> = keys.filter_map(usable).collect();
        Ok((!usable.is_empty()).then_some(Self(usable)))
    }

    /// Returns the key that an identity names, or the only key for its algorithm if it names none.
    pub(super) fn find(&self, wanted: &WantedKey) -> Option<DecodingKey> {
        let fits = |key: &&Key| {
            let is_named = wanted.id.is_none() || key.id == wanted.id;
            is_named && key.algorithm == wanted.algorithm
        };
        let mut fitting = self.0.iter().filter(fits);
        let found = fitting.next()?;
        match fitting.next() {
            Some(_) => None,
            None => Some(found.key.clone()),
        }
    }
}

/// Returns a key with its algorithm, if the key is usable.
fn usable(key: Value) -> Option<Key> {
    let jwk: Jwk = serde_json::from_value(key).ok()?;
    let common = &jwk.common;
    let is_for_signatures = matches!(common.public_key_use, None | Some(PublicKeyUse::Signature))
        && common
            .key_operations
            .as_ref()
            .is_none_or(|operations| operations.contains(&KeyOperations::Verify));
    if !is_for_signatures {
        return None;
    }
    let (algorithm, named) = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => (Algorithm::RS256, KeyAlgorithm::RS256),
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            (Algorithm::ES256, KeyAlgorithm::ES256)
        }
        _ => return None,
    };
    let key = DecodingKey::from_jwk(&jwk).ok()?;
    let has_good_size = match key.kind() {
        DecodingKeyKind::RsaModulusExponent { n, .. } => RSA_BITS.contains(&bits(n)),
        // 4, then x and y.
        DecodingKeyKind::SecretOrDer(point) => point.len() == 65,
    };
    let fits = common.key_algorithm.is_none_or(|other| other == named) && has_good_size;
    fits.then(|| Key {
        id: common.key_id.clone(),
        algorithm,
        key,
    })
}

fn bits(number: &[u8]) -> usize {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    let digits = &number[zeros..];
    let unused = digits.first().map_or(0, |first| first.leading_zeros());
    digits.len() * 8 - unused as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns a number with this many bits, a multiple of 24. It is not a real modulus. (`_` is six ones.)
    fn modulus(bits: usize) -> String {
        "_".repeat(bits / 6)
    }

    fn rsa(id: &str) -> Value {
        json!({ "kty": "RSA", "kid": id, "n": modulus(2_064), "e": "AQAB" })
    }

    fn p256(id: &str) -> Value {
        let coordinate = format!("{}8", "_".repeat(42));
        json!({ "kty": "EC", "crv": "P-256", "kid": id, "x": coordinate, "y": coordinate })
    }

    fn with(mut key: Value, name: &str, value: Value) -> Value {
        key[name] = value;
        key
    }

    fn read(keys: &[Value]) -> Option<KeySet> {
        KeySet::read(json!({ "keys": keys }).to_string().as_bytes()).expect("a set")
    }

    fn has(set: &KeySet, id: Option<&str>, algorithm: Algorithm) -> bool {
        let id = id.map(str::to_owned);
        set.find(&WantedKey { id, algorithm }).is_some()
    }

    #[test]
    fn a_key_is_found_by_its_name_and_only_for_its_own_algorithm() {
        let set = read(&[rsa("r"), p256("e")]).expect("keys");
        assert!(has(&set, Some("r"), Algorithm::RS256));
        assert!(has(&set, Some("e"), Algorithm::ES256));
        assert!(!has(&set, Some("r"), Algorithm::ES256));
        assert!(!has(&set, Some("e"), Algorithm::RS256));
        assert!(!has(&set, Some("other"), Algorithm::RS256));
    }

    #[test]
    fn a_token_without_a_key_id_uses_the_only_key() {
        let set = read(&[rsa("r"), p256("e")]).expect("keys");
        assert!(has(&set, None, Algorithm::RS256) && has(&set, None, Algorithm::ES256));
        let set = read(&[rsa("r"), rsa("s")]).expect("keys");
        assert!(!has(&set, None, Algorithm::RS256));
    }

    #[test]
    fn a_key_id_of_two_keys_is_ignored() {
        let set = read(&[rsa("r"), rsa("r"), p256("r")]).expect("keys");
        assert!(!has(&set, Some("r"), Algorithm::RS256));
        assert!(has(&set, Some("r"), Algorithm::ES256));
    }

    #[test]
    fn keys_for_other_purposes_and_weak_keys_are_skipped() {
        for other in [
            with(rsa("r"), "use", json!("enc")),
            with(rsa("r"), "key_ops", json!(["sign"])),
            with(rsa("r"), "alg", json!("RS512")),
            with(rsa("r"), "alg", json!("PS256")),
            with(rsa("r"), "alg", json!("HS256")),
            with(rsa("r"), "n", json!(modulus(1_032))),
            with(rsa("r"), "n", json!(format!("AAAA{}", modulus(2_040)))),
            with(rsa("r"), "n", json!(modulus(8_208))),
            with(rsa("r"), "n", json!("not base64!")),
            with(rsa("r"), "kid", json!(7)),
            with(p256("e"), "crv", json!("P-384")),
            with(p256("e"), "x", json!("AA")),
            with(p256("e"), "alg", json!("RS256")),
            json!({ "kty": "oct", "kid": "o", "k": "c2VjcmV0" }),
            json!({ "kty": "OKP", "crv": "Ed25519", "kid": "d", "x": "AA" }),
            json!("no key"),
        ] {
            assert!(read(std::slice::from_ref(&other)).is_none(), "{other}");
            let set = read(&[other, rsa("good")]).expect("the other key");
            assert!(has(&set, Some("good"), Algorithm::RS256));
        }
        let said = with(rsa("r"), "use", json!("sig"));
        let said = with(said, "key_ops", json!(["verify"]));
        assert!(read(&[with(said, "alg", json!("RS256"))]).is_some());
    }

    #[test]
    fn only_a_limited_number_of_keys_is_read() {
        let mut keys = vec![json!({}); MAX_KEYS - 1];
        keys.push(rsa("last"));
        assert!(read(&keys).is_some());
        keys.insert(0, json!({}));
        assert!(read(&keys).is_none());
    }

    #[test]
    fn bits_are_counted_from_the_first_that_is_set() {
        assert_eq!(bits(&[]), 0);
        assert_eq!(bits(&[0, 0]), 0);
        assert_eq!(bits(&[0, 1, 0]), 9);
        assert_eq!(bits(&[0x80; 256]), 2_048);
        assert_eq!(bits(&[0x7f; 256]), 2_047);
    }
}
