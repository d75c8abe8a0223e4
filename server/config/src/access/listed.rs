//! Web addresses in the settings: of the APIs of forges, of issuers, and of a proxy.

use crate::{items, optional::Setting};
use reqwest::Url;
use std::{ops::Deref, str::FromStr};

/// The address of an API or an issuer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<Kind> {
    /// The kind of the API, or of the claims of the issuer.
    pub kind: Kind,
    /// The address as clients must send it, or as tokens name it in `iss`, without a trailing `/`.
    pub text: String,
    /// The address.
    pub url: Url,
    /// Other hosts that the discovery document of an issuer may name.
    pub others: Vec<Url>,
}

/// A list `kind=URL,kind=URL`. Nothing is ever sent to another address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedUrls<Kind>(Vec<Listed<Kind>>);

impl<Kind> Listed<Kind> {
    pub(super) fn new(kind: Kind, text: &str) -> Result<Self, String> {
        Ok(Self {
            kind,
            text: text.trim_end_matches('/').to_owned(),
            url: web_url(text)?,
            others: Vec::new(),
        })
    }

    /// Whether a client sent this address; a trailing `/` is ignored.
    pub fn is_at(&self, text: &str) -> bool {
        self.text == text.trim_end_matches('/')
    }

    /// Its host, as the login page shows it.
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or(&self.text)
    }

    /// Whether the service may call an address: only on the hosts that the operator lists.
    pub fn may_call(&self, url: &Url) -> bool {
        let has_user = !url.username().is_empty() || url.password().is_some();
        let mut listed = [&self.url].into_iter().chain(&self.others);
        !has_user && listed.any(|listed| listed.origin() == url.origin())
    }
}

impl<Kind> Deref for ListedUrls<Kind> {
    type Target = [Listed<Kind>];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<Kind: FromStr<Err = String>> FromStr for ListedUrls<Kind> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all: Vec<Listed<Kind>> = Vec::new();
        for item in items(text) {
            let (kind, text) = kind_and_url(item)?;
            let listed = Listed::new(kind.parse()?, text)?;
            if all.iter().any(|other| other.text == listed.text) {
                return Err(format!("{} is listed twice", listed.text));
            }
            all.push(listed);
        }
        Ok(Self(all))
    }
}

/// Splits `kind=URL`.
pub(super) fn kind_and_url(item: &str) -> Result<(&str, &str), String> {
    let (kind, url) = item
        .split_once('=')
        .ok_or_else(|| format!("{item} does not state its kind, as in github={item}"))?;
    Ok((kind.trim(), url.trim()))
}

/// A web address without user, query or fragment.
pub(super) fn web_url(text: &str) -> Result<Url, String> {
    let refuse = |why| Err(format!("{text} {why}"));
    let Ok(url) = text.trim_end_matches('/').parse::<Url>() else {
        return refuse("is no URL");
    };
    match url.scheme() {
        "https" | "http" => {}
        _ => return refuse("must begin with https://"),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refuse("must not hold a user or a password");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return refuse("must end with its path");
    }
    Ok(url)
}

/// The proxy for calls to forges and issuers.
impl Setting for Url {
    fn read(text: &str) -> Result<Self, String> {
        web_url(text)
    }
}
