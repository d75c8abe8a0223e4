//! The forges whose tokens may upload.

use super::Listed;
use domain::ForgeKind;
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
pub type VcsApi = Listed<ApiKind>;

impl FromStr for ApiKind {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "github" => Ok(Self::GitHub),
            "gitlab" => Ok(Self::GitLab),
            "gitea" | "forgejo" => Ok(Self::Gitea),
            other => Err(format!("{other} must be github, gitlab, gitea or forgejo")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::ListedUrls;

    type VcsApiUrls = ListedUrls<ApiKind>;

    #[test]
    fn apis_are_listed_with_their_kinds_and_found_by_the_same_text() {
        let list = "github=https://api.github.com, gitlab=https://gitlab.example.com/api/v4/,forgejo=https://git.example.com/api/v1";
        let apis: VcsApiUrls = list.parse().expect("a list");
        let find = |text: &str| apis.iter().find(|api| api.is_at(text));
        let kind = |text| find(text).map(|api| api.kind);
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
