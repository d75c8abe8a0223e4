//! The session of a browser: a cookie with a token, or with the secret of a person's session.
//!
//! The session of a token has the token itself in its cookie. So it has exactly the rights of the token, and ends with it at once
//! in every process; nothing is stored, and there is no second secret. The cost: anybody who can read the browser's cookies has
//! the token, not only a session, until the operator revokes it.

use crate::cookies::BrowserCookie;
use http::{HeaderMap, HeaderValue};

const NAME: &str = "coverage-reader";

/// Creates and reads the cookie.
#[derive(Clone, Debug)]
pub struct Session {
    cookie: BrowserCookie,
    seconds: u64,
}

impl Session {
    /// Creates the sessions of a dashboard at `public_url`.
    pub fn new(public_url: &str, seconds: u64) -> Self {
        Self {
            cookie: BrowserCookie::new(NAME, public_url),
            seconds,
        }
    }

    /// Returns the token or the secret in the cookie of a request.
    pub fn token_of(&self, headers: &HeaderMap) -> Option<String> {
        self.cookie.of(headers).map(str::to_owned)
    }

    /// Whether a request has a session, valid or not.
    pub fn is_shown(&self, headers: &HeaderMap) -> bool {
        self.cookie.of(headers).is_some()
    }

    /// Returns the cookie for a token. `None` if a cookie cannot hold the token.
    pub fn begin(&self, token: &str) -> Option<HeaderValue> {
        self.begin_for(token, self.seconds)
    }

    /// Returns the cookie for the secret of a session that lasts `seconds`. `None` if a cookie cannot hold the secret.
    pub fn begin_for(&self, secret: &str, seconds: u64) -> Option<HeaderValue> {
        self.cookie.set(secret, seconds)
    }

    /// Returns the header that deletes the cookie.
    pub fn end(&self) -> Option<HeaderValue> {
        self.cookie.delete()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::header;

    fn headers(cookies: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for cookie in cookies {
            headers.append(header::COOKIE, HeaderValue::from_static(cookie));
        }
        headers
    }

    #[test]
    fn the_cookie_is_found_among_others_and_only_by_its_name() {
        let session = Session::new("http://localhost:3000", 60);
        for (cookies, token) in [
            (&["a=b; coverage-reader=x; c=d"][..], Some("x")),
            (&["a=b", "coverage-reader=x"], Some("x")),
            (&["coverage-reader="], None),
            (&["xcoverage-reader=x"], None),
            (&["__Host-coverage-reader=x"], None),
            (&["coverage-reader"], None),
            (&[], None),
        ] {
            let found = session.token_of(&headers(cookies));
            assert_eq!(found.as_deref(), token, "{cookies:?}");
        }
    }

    #[test]
    fn a_cookie_over_https_is_bound_to_its_host() {
        let session = Session::new("HTTPS://coverage.example.com", 60);
        let cookie = session.begin("cov_x").expect("a cookie");
        assert_eq!(
            cookie.to_str().ok(),
            Some(
                "__Host-coverage-reader=cov_x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure"
            )
        );
        assert!(cookie.is_sensitive());
        let found = session.token_of(&headers(&["__Host-coverage-reader=cov_x"]));
        assert_eq!(found.as_deref(), Some("cov_x"));
        assert_eq!(
            session.token_of(&headers(&["coverage-reader=cov_x"])),
            None,
            "one that another host may have planted"
        );
    }

    #[test]
    fn nothing_but_a_token_gets_into_a_cookie() {
        let session = Session::new("http://localhost", 60);
        for text in ["a;b", "a b", "a\r\nb", "ü", "a=b"] {
            assert_eq!(session.begin(text), None, "{text:?}");
        }
    }
}
