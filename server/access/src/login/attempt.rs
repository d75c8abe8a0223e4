//! A login that has started: the state that the browser keeps until the issuer redirects back.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use rand::distr::{Alphanumeric, SampleString};
use sha2::{Digest, Sha256};
use std::fmt;
use subtle::ConstantTimeEq;

/// How long an attempt lasts.
pub(super) const SECONDS: u64 = 600;

/// Random letters and digits of the state and the nonce: 190 bits.
const RANDOM: usize = 32;

/// Random letters and digits of the PKCE verifier, which must have at least 43 (RFC 7636, section 4.1).
const VERIFIER: usize = 64;

/// The longest path that an attempt keeps. A browser sends the cookies of several attempts with each request.
const LONGEST_NEXT: usize = 512;

/// An attempt to log in. Only the browser knows it, so that only this browser can complete it.
#[derive(Debug)]
pub(crate) struct Attempt {
    /// The issuer must send it back.
    pub(super) state: String,
    nonce: String,
    /// Proves that the exchange of the code belongs to this attempt.
    pub(super) verifier: String,
    /// The path that the browser opens next.
    pub(super) next: String,
}

impl Attempt {
    /// Starts an attempt. After the login, the browser continues at `next`.
    pub(super) fn new(next: &str) -> Self {
        let random = |length| Alphanumeric.sample_string(&mut rand::rng(), length);
        Self {
            state: random(RANDOM),
            nonce: random(RANDOM),
            verifier: random(VERIFIER),
            next: if next.len() > LONGEST_NEXT { "/" } else { next }.to_owned(),
        }
    }

    /// Reads the value of a cookie.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let (state, nonce, verifier) = (parts.next()?, parts.next()?, parts.next()?);
        let next = BASE64_URL_SAFE_NO_PAD.decode(parts.next()?).ok()?;
        let is_whole = parts.next().is_none()
            && [state, nonce].iter().all(|part| part.len() == RANDOM)
            && verifier.len() == VERIFIER;
        is_whole.then_some(Self {
            state: state.to_owned(),
            nonce: nonce.to_owned(),
            verifier: verifier.to_owned(),
            next: String::from_utf8(next).ok()?,
        })
    }

    /// Compares the state in constant time.
    pub(super) fn has_state(&self, state: &str) -> bool {
        self.state.as_bytes().ct_eq(state.as_bytes()).into()
    }

    /// Returns the nonce that the identity must contain: a hash of the secret in the cookie. Neither the address of the issuer
    /// nor an identity reveals the secret (OpenID Connect Core 1.0, section 15.5.2).
    pub(super) fn nonce(&self) -> String {
        hash(&self.nonce)
    }

    /// Returns the challenge of the verifier with the method `S256` (RFC 7636, section 4.2).
    pub(super) fn challenge(&self) -> String {
        hash(&self.verifier)
    }
}

/// The value of the cookie.
impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let next = BASE64_URL_SAFE_NO_PAD.encode(&self.next);
        write!(f, "{}.{}.{}.{next}", self.state, self.nonce, self.verifier)
    }
}

fn hash(secret: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(secret.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_is_read_as_it_was_written() {
        let attempt = Attempt::new("/repos/acme/payments?branch=fix%2Fx");
        let read = Attempt::read(&attempt.to_string()).expect("an attempt");
        assert_eq!(read.to_string(), attempt.to_string());
        assert_eq!(read.next, "/repos/acme/payments?branch=fix%2Fx");
        assert!(
            read.has_state(&attempt.state)
                && !read.has_state("")
                && !read.has_state(&attempt.nonce)
        );
        let long = Attempt::new(&format!("/{}", "x".repeat(512)));
        assert!(long.next == "/" && long.to_string().len() < 200);
    }

    #[test]
    fn nothing_else_is_an_attempt() {
        let attempt = Attempt::new("/").to_string();
        for text in [
            "",
            "...",
            &attempt[1..],
            &format!("{attempt}.x"),
            &format!("{attempt}!"),
        ] {
            assert!(Attempt::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn the_issuer_sees_no_secret_of_the_cookie_but_the_state() {
        let attempt = Attempt::new("/");
        let cookie = attempt.to_string();
        assert!(cookie.contains(&attempt.state));
        for sent in [attempt.nonce(), attempt.challenge()] {
            assert!(sent.len() == 43 && !cookie.contains(&sent), "{sent}");
        }
    }

    #[test]
    fn the_challenge_is_that_of_the_example_in_the_specification() {
        let attempt = Attempt {
            verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".to_owned(),
            ..Attempt::new("/")
        };
        assert_eq!(
            attempt.challenge(),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }
}
