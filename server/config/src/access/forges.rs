//! The forges whose tokens may upload.

use super::web_url::{kinds, web_url};
use domain::ForgeKind;
use reqwest::Url;
use std::str::FromStr;

/// The kind of API of a forge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiKind {
    /// GitHub, also GitHub Enterprise.
    GitHub,
    /// GitLab, also self-managed.
    GitLab,
    /// Gitea and Forgejo.
    Gitea,
}

impl From<ApiKind> for ForgeKind {
    fn from(kind: ApiKind) -> Self {
        match kind {
            ApiKind::GitHub => Self::GitHub,
            ApiKind::GitLab => Self::GitLab,
            ApiKind::Gitea => Self::Gitea,
        }
    }
}

/// One listed API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VcsApi {
    /// The kind of its API.
    pub kind: ApiKind,
    /// Its address as clients must send it, without a trailing `/`.
    pub text: String,
    /// Its address.
    pub url: Url,
}

/// The listed APIs. Nothing is ever sent to another address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VcsApiUrls(Vec<VcsApi>);

impl VcsApiUrls {
    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the listed APIs.
    pub fn iter(&self) -> impl Iterator<Item = &VcsApi> {
        self.0.iter()
    }

    /// The listed API with the address that a client sent; a trailing `/` is ignored.
    pub fn find(&self, text: &str) -> Option<&VcsApi> {
        let text = text.trim_end_matches('/');
        self.0.iter().find(|api| api.text == text)
    }
}

impl FromStr for VcsApiUrls {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut apis: Vec<VcsApi> = Vec::new();
        for item in kinds(text) {
            let (kind, text) = item?;
            let api = VcsApi {
                kind: match kind.trim() {
                    "github" => ApiKind::GitHub,
                    "gitlab" => ApiKind::GitLab,
                    "gitea" | "forgejo" => ApiKind::Gitea,
                    other => {
                        return Err(format!("{other} must be github, gitlab, gitea or forgejo"));
                    }
                },
                text: text.trim().trim_end_matches('/').to_owned(),
                url: web_url(text.trim())?,
            };
            if apis.iter().any(|other| other.text == api.text) {
                return Err(format!("{} is listed twice", api.text));
            }
            apis.push(api);
        }
        Ok(Self(apis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apis_are_listed_with_their_kinds_and_found_by_the_same_text() {
        let list = "github=https://api.github.com, gitlab=https://gitlab.example.com/api/v4/,forgejo=https://git.example.com/api/v1";
        let apis: VcsApiUrls = list.parse().expect("a list");
        let kind = |text| apis.find(text).map(|api| api.kind);
        assert_eq!(kind("https://api.github.com"), Some(ApiKind::GitHub));
        assert_eq!(kind("https://api.github.com/"), Some(ApiKind::GitHub));
        assert_eq!(
            kind("https://gitlab.example.com/api/v4"),
            Some(ApiKind::GitLab)
        );
        assert_eq!(
            kind("https://git.example.com/api/v1/"),
            Some(ApiKind::Gitea)
        );
        for other in [
            "https://api.github.com.evil.example",
            "https://api.github.com/x",
            "https://api.github.com:443",
            "https://API.github.com",
            "http://api.github.com",
            "https://evil@api.github.com",
            "",
        ] {
            assert_eq!(kind(other), None, "{other}");
        }
    }

    #[test]
    fn an_invalid_api_address_is_refused() {
        for bad in [
            "https://api.github.com",
            "bitbucket=https://api.bitbucket.org",
            "github=api.github.com",
            "github=ftp://api.github.com",
            "github=https://user:secret@api.github.com",
            "github=https://api.github.com?x=1",
            "github=https://api.github.com,gitlab=https://api.github.com/",
        ] {
            assert!(bad.parse::<VcsApiUrls>().is_err(), "{bad}");
        }
        assert!("".parse::<VcsApiUrls>().expect("no list").is_empty());
    }
}
