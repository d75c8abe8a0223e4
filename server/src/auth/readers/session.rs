//! The session of a browser that is logged in with a token: a cookie.
//!
//! It holds the token itself, which scripts cannot read. So a session has exactly the rights of its token, and ends
//! with it at once in every process; nothing is stored, and there is no second secret. The cost: anybody who can read
//! the browser's cookies has the token, not only a session, until the operator revokes it.

use crate::http::cookies::cookie;
use axum::http::{HeaderMap, HeaderValue};

/// Browsers accept a cookie with this prefix only from the host itself over HTTPS, so no other host of its domain can
/// set one.
const NAME_OVER_HTTPS: &str = "__Host-coverage-reader";
const NAME_OVER_HTTP: &str = "coverage-reader";

/// Creates and reads the cookie.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    is_https: bool,
    seconds: u64,
}

impl Session {
    /// Creates the sessions of a dashboard at `public_url`.
    pub(in crate::auth) fn new(public_url: &str, seconds: u64) -> Self {
        let scheme = public_url.split_once("://").map(|(scheme, _)| scheme);
        Self {
            is_https: scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https")),
            seconds,
        }
    }

    /// Returns the token in a request's cookie.
    pub(in crate::auth) fn token_of(&self, headers: &HeaderMap) -> Option<String> {
        cookie(headers, self.name()).map(str::to_owned)
    }

    /// Whether a request has a session, valid or not.
    pub(crate) fn is_shown(&self, headers: &HeaderMap) -> bool {
        self.token_of(headers).is_some()
    }

    /// Returns the cookie for a token. `None` if a cookie cannot hold it.
    pub(in crate::auth) fn begin(&self, token: &str) -> Option<HeaderValue> {
        let fits = token
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        fits.then(|| self.cookie(token, self.seconds))?
    }

    /// Returns a cookie that deletes the session's.
    pub(crate) fn end(&self) -> Option<HeaderValue> {
        self.cookie("", 0)
    }

    fn name(&self) -> &'static str {
        if self.is_https {
            NAME_OVER_HTTPS
        } else {
            NAME_OVER_HTTP
        }
    }

    /// `Lax` and not `Strict`, since otherwise a link from elsewhere or from a report would lead to the login.
    fn cookie(&self, value: &str, seconds: u64) -> Option<HeaderValue> {
        let (name, secure) = (self.name(), if self.is_https { "; Secure" } else { "" });
        let cookie =
            format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
        let mut cookie = HeaderValue::try_from(cookie).ok()?;
        cookie.set_sensitive(true);
        Some(cookie)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header;

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
