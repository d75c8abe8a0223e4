//! Reads the cookies of a request (RFC 6265, section 5.4), and writes cookies that scripts cannot read.
//!
//! Not with `headers::Cookie`: it does not split at a `;` between quotes. One quote in a cookie of another service on the same
//! host would hide all cookies after it.

use http::{HeaderMap, HeaderValue, header};

/// Returns the first non-empty cookie of that name.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    pairs(headers)
        .find_map(|(cookie, value)| (cookie == name && !value.is_empty()).then_some(value))
}

/// Returns the names of all cookies in the order of the header: browsers send older cookies first.
pub fn cookie_names(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    pairs(headers).map(|(name, _)| name)
}

fn pairs(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
}

/// A cookie of one browser that scripts cannot read.
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

    pub(crate) fn delete(&self) -> Option<HeaderValue> {
        self.set("", 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_in_another_cookie_hides_no_cookie() {
        let mut headers = HeaderMap::new();
        for cookies in ["a=; b=\"1; a=2;c=x=y", "d=4"] {
            headers.append(header::COOKIE, HeaderValue::from_static(cookies));
        }
        assert_eq!(
            ["a", "b", "c", "d", "e"].map(|name| cookie(&headers, name)),
            [Some("2"), Some("\"1"), Some("x=y"), Some("4"), None]
        );
    }
}
