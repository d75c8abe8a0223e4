//! The separate origin of HTML reports.

use http::{HeaderMap, Uri, header, uri::Authority};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A scheme, a host and a port (RFC 6454).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    is_https: bool,
    host: String,
    port: u16,
}

/// Why REPORTS_ORIGIN cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OriginError {
    /// It is not an origin.
    #[error(
        "it must look like https://reports.example.com: http or https, a host, and optionally a port"
    )]
    NotAnOrigin,
    /// It is the dashboard's host. Another scheme is not enough, as a request does not state its scheme.
    #[error(
        "it has to differ from the public URL in its host or port, to keep reports apart from the dashboard"
    )]
    Same,
}

impl Origin {
    /// The origin of a URL.
    pub fn of(url: &Uri) -> Option<Self> {
        let is_https = match url.scheme_str()? {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let authority = url.authority()?;
        Some(Self {
            is_https,
            host: authority.host().to_ascii_lowercase(),
            port: port(authority, is_https)?,
        })
    }

    /// Reads the origin of HTML reports for a dashboard at `public_url`.
    ///
    /// # Errors
    ///
    /// If it is no origin, or has the host and port of the dashboard.
    pub fn for_reports(text: &str, public_url: &str) -> Result<Self, OriginError> {
        let origin: Self = text.parse()?;
        let dashboard = public_url.parse().ok().and_then(|url| Self::of(&url));
        let is_same = |dashboard: &Self| {
            let has_own_port = dashboard.has_own_port() && origin.has_own_port();
            dashboard.host == origin.host && (dashboard.port == origin.port || has_own_port)
        };
        if dashboard.as_ref().is_some_and(is_same) {
            return Err(OriginError::Same);
        }
        Ok(origin)
    }

    /// Its host, in lower case.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether its port is the default of its scheme.
    fn has_own_port(&self) -> bool {
        self.port == if self.is_https { 443 } else { 80 }
    }

    /// Whether a request was sent to this host. Proxies must pass `Host` on.
    pub fn is_host_of(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let is_host = |authority: &Authority| {
            authority.host().eq_ignore_ascii_case(&self.host)
                && port(authority, self.is_https) == Some(self.port)
        };
        // HTTP/2 has the host in the URI, which takes precedence over the header (RFC 9112, section 3.2.2).
        match uri.authority() {
            Some(authority) => is_host(authority),
            None => headers
                .get(header::HOST)
                .and_then(|host| Authority::try_from(host.as_bytes()).ok())
                .is_some_and(|host| is_host(&host)),
        }
    }
}

/// The port of an authority; `None` if it is missing after a colon or not a number.
fn port(authority: &Authority, is_https: bool) -> Option<u16> {
    match authority.port_u16() {
        Some(port) => Some(port),
        None if authority.as_str().ends_with(authority.host()) => {
            Some(if is_https { 443 } else { 80 })
        }
        None => None,
    }
}

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Self, OriginError> {
        let url: Uri = text.parse().map_err(|_| OriginError::NotAnOrigin)?;
        let is_bare = url.path_and_query().is_none_or(|path| path == "/");
        let has_user = url
            .authority()
            .is_none_or(|authority| authority.as_str().contains('@'));
        match Self::of(&url) {
            Some(origin) if is_bare && !has_user && !origin.host.is_empty() => Ok(origin),
            _ => Err(OriginError::NotAnOrigin),
        }
    }
}

/// Writes the origin as browsers do, without the default port.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_https { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.host)?;
        if self.has_own_port() {
            return Ok(());
        }
        write!(f, ":{}", self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<String> {
        Some(text.parse::<Origin>().ok()?.to_string())
    }

    #[test]
    fn an_origin_is_a_scheme_a_host_and_at_most_a_port() {
        for (text, origin) in [
            ("https://Reports.Example.com", "https://reports.example.com"),
            (
                "https://reports.example.com:443/",
                "https://reports.example.com",
            ),
            ("http://localhost:3001", "http://localhost:3001"),
            ("http://[::1]:80", "http://[::1]"),
        ] {
            assert_eq!(parsed(text).as_deref(), Some(origin), "{text}");
        }
        for text in [
            "",
            "reports.example.com",
            "ftp://reports.example.com",
            "https://reports.example.com/x",
            "https://reports.example.com/?x",
            "https://kim@reports.example.com",
            "https://reports.example.com:x",
            "https://reports.example.com:99999",
            "https://",
            "https://a b",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn the_reports_origin_differs_from_the_dashboards() {
        let same = |public_url| Origin::for_reports("https://a.example", public_url);
        assert_eq!(
            same("https://A.example:443/coverage"),
            Err(OriginError::Same)
        );
        assert_eq!(same("http://a.example"), Err(OriginError::Same));
        assert!(same("http://a.example:8080").is_ok() && same("https://b.example").is_ok());
    }

    #[test]
    fn a_request_is_matched_by_host_and_port() {
        let origin: Origin = "https://reports.example.com".parse().expect("an origin");
        let asks = |uri: &str, host: &str| {
            let headers = [(header::HOST, host.parse().expect("a header"))];
            origin.is_host_of(
                &uri.parse().expect("an address"),
                &headers.into_iter().collect(),
            )
        };
        assert!(asks("/reports/1/", "reports.example.com"));
        assert!(asks("/reports/1/", "REPORTS.example.com:443"));
        assert!(asks("https://reports.example.com/", "coverage.example.com"));
        assert!(!asks(
            "https://coverage.example.com/",
            "reports.example.com"
        ));
        for host in [
            "coverage.example.com",
            "reports.example.com:80",
            "reports.example.com:",
            "",
        ] {
            assert!(!asks("/reports/1/", host), "{host}");
        }
    }
}
