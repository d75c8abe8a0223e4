//! Reads the cookies of a request (RFC 6265, section 5.4).
//!
//! Not with `headers::Cookie`: it does not split at a `;` between quotes. One quote in a cookie of another service on the same
//! host would hide all cookies after it.

use http::{HeaderMap, header};

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

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

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
