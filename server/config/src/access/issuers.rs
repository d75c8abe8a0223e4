//! The issuers whose identities may upload (OpenID Connect).

use super::{Listed, listed::web_url};
use crate::{items, optional::Setting};
use std::str::FromStr;

/// The kind of claims that an issuer makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssuerKind {
    /// GitHub Actions, also of GitHub Enterprise, and of Gitea and Forgejo, which make the same claims.
    GitHub,
    /// GitLab CI, also self-managed.
    GitLab,
    /// Any other issuer; [`ClaimNames`] names its claims.
    Other,
}

/// One listed issuer.
pub type Issuer = Listed<IssuerKind>;

impl FromStr for IssuerKind {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "github" | "gitea" | "forgejo" => Ok(Self::GitHub),
            "gitlab" => Ok(Self::GitLab),
            "other" => Ok(Self::Other),
            other => Err(format!("{other} must be github, gitlab, gitea or other")),
        }
    }
}

/// The issuer at which people log in, and after it the other hosts that the service may call for it.
impl Setting for Issuer {
    fn read(text: &str) -> Result<Self, String> {
        let mut items = items(text);
        let issuer = items.next().unwrap_or_default();
        Ok(Self {
            others: items.map(web_url).collect::<Result<_, _>>()?,
            ..Self::new(IssuerKind::Other, issuer)?
        })
    }
}

/// The names of the claims of issuers of the kind `other`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimNames {
    /// The repository, as `org/repo`.
    pub repository: String,
    /// The branch, with or without `refs/heads/` before it.
    pub r#ref: String,
    /// The commit.
    pub sha: String,
}

impl FromStr for ClaimNames {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut names = Self {
            repository: "repository".to_owned(),
            r#ref: "ref".to_owned(),
            sha: "sha".to_owned(),
        };
        for item in items(text) {
            match item.split_once('=') {
                Some(("repository", claim)) => claim.clone_into(&mut names.repository),
                Some(("ref", claim)) => claim.clone_into(&mut names.r#ref),
                Some(("sha", claim)) => claim.clone_into(&mut names.sha),
                _ => {
                    return Err(format!(
                        "{item} must be repository=…, ref=… or sha=… with the name of a claim"
                    ));
                }
            }
        }
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::ListedUrls;

    type OidcIssuers = ListedUrls<IssuerKind>;

    #[test]
    fn issuers_are_listed_with_their_kinds() {
        let list = "github=https://token.actions.githubusercontent.com,gitlab=https://gitlab.example.com/,other=https://ci.example.com/oidc";
        let issuers: OidcIssuers = list.parse().expect("a list");
        let listed: Vec<_> = issuers
            .iter()
            .map(|issuer| (issuer.kind, issuer.text.as_str()))
            .collect();
        assert_eq!(
            listed,
            [
                (
                    IssuerKind::GitHub,
                    "https://token.actions.githubusercontent.com"
                ),
                (IssuerKind::GitLab, "https://gitlab.example.com"),
                (IssuerKind::Other, "https://ci.example.com/oidc"),
            ]
        );
        assert!(
            "jenkins=https://ci.example.com"
                .parse::<OidcIssuers>()
                .is_err()
        );
    }

    #[test]
    fn claims_may_have_configured_names() {
        let names: ClaimNames = "ref=build_branch, sha=build_commit".parse().expect("names");
        assert_eq!(names.repository, "repository");
        assert_eq!(
            (names.r#ref.as_str(), names.sha.as_str()),
            ("build_branch", "build_commit")
        );
        assert!("branch=x".parse::<ClaimNames>().is_err());
    }

    #[test]
    fn an_issuer_may_have_further_hosts() {
        let read = Issuer::read("https://accounts.example.com/, https://keys.example.com");
        let issuer = read.expect("an issuer");
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
            assert!(Issuer::read(wrong).is_err(), "{wrong}");
        }
    }
}
