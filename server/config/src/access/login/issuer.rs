//! The issuer at which people log in.

use crate::{
    access::{Issuer, IssuerKind, web_url::web_url},
    optional::Setting,
};
use reqwest::Url;

/// An issuer, and the hosts that the service may call for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginIssuer(pub Issuer);

impl LoginIssuer {
    /// Its host, as the login page shows it.
    pub fn host(&self) -> &str {
        self.0.url.host_str().unwrap_or(&self.0.text)
    }
}

impl Setting for LoginIssuer {
    fn read(text: &str) -> Result<Self, String> {
        let mut items = text
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty());
        let issuer = items.next().unwrap_or_default();
        let others: Vec<Url> = items.map(web_url).collect::<Result<_, _>>()?;
        Ok(Self(Issuer {
            kind: IssuerKind::Other,
            text: issuer.trim_end_matches('/').to_owned(),
            url: web_url(issuer)?,
            others,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_may_have_further_hosts() {
        let read = LoginIssuer::read("https://accounts.example.com/, https://keys.example.com");
        let LoginIssuer(issuer) = read.expect("an issuer");
        assert_eq!(issuer.text, "https://accounts.example.com");
        assert!(issuer.may_call(&"https://keys.example.com/v1".parse().expect("a URL")));
        assert!(issuer.may_call(&"https://accounts.example.com/token".parse().expect("a URL")));
        for elsewhere in [
            "https://example.com/",
            "http://keys.example.com/",
            "https://keys.example.com:8443/",
        ] {
            assert!(
                !issuer.may_call(&elsewhere.parse().expect("a URL")),
                "{elsewhere}"
            );
        }
        for wrong in [
            "sso.example.com",
            "https://a.example,b",
            "https://me@sso.example.com",
        ] {
            assert!(LoginIssuer::read(wrong).is_err(), "{wrong}");
        }
    }
}
