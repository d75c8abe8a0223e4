//! A cookie of one browser that scripts cannot read.

use crate::cookies::cookie;
use http::{HeaderMap, HeaderValue};

#[derive(Clone, Debug)]
pub(crate) struct BrowserCookie {
    name: String,
    is_https: bool,
}

impl BrowserCookie {
    /// Creates the cookie of a dashboard at `public_url`. Browsers accept a cookie with the prefix `__Host-` only from the host
    /// itself over HTTPS, so no other host of its domain can set one.
    pub(crate) fn new(name: &str, public_url: &str) -> Self {
        let scheme = public_url.split_once("://").map(|(scheme, _)| scheme);
        let is_https = scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"));
        let prefix = if is_https { "__Host-" } else { "" };
        Self {
            name: format!("{prefix}{name}"),
            is_https,
        }
    }

    /// Returns the value in a request.
    pub(crate) fn of<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        cookie(headers, &self.name)
    }

    /// Returns the header that sets the cookie. `None` if a cookie cannot hold the value.
    ///
    /// `Lax`, not `Strict`: with `Strict`, a link from another site or from a report would lead to the login, and the redirect
    /// from the issuer would come without the cookie.
    pub(crate) fn set(&self, value: &str, seconds: u64) -> Option<HeaderValue> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        if !value.bytes().all(fits) {
            return None;
        }
        let (name, secure) = (&self.name, if self.is_https { "; Secure" } else { "" });
        let cookie =
            format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
        let mut cookie = HeaderValue::try_from(cookie).ok()?;
        cookie.set_sensitive(true);
        Some(cookie)
    }

    /// Returns the header that deletes the cookie.
    pub(crate) fn delete(&self) -> Option<HeaderValue> {
        self.set("", 0)
    }
}
