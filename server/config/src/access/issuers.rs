//! The issuers whose identities may upload (OpenID Connect).

use super::web_url::{kinds, web_url};
use reqwest::Url;
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// The kind of its claims.
    pub kind: IssuerKind,
    /// Its identifier as its tokens name it in `iss`.
    pub text: String,
    /// Its address.
    pub url: Url,
    /// Other hosts that its discovery document may name.
    pub others: Vec<Url>,
}

impl Issuer {
    /// Whether the service may call an address: only on the hosts that the operator lists.
    pub fn may_call(&self, url: &Url) -> bool {
        let has_user = !url.username().is_empty() || url.password().is_some();
        let mut listed = [&self.url].into_iter().chain(&self.others);
        !has_user && listed.any(|listed| listed.origin() == url.origin())
    }
}

/// The listed issuers. No other issuer is trusted or called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OidcIssuers(Vec<Issuer>);

impl OidcIssuers {
    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the listed issuers.
    pub fn iter(&self) -> impl Iterator<Item = &Issuer> {
        self.0.iter()
    }
}

impl FromStr for OidcIssuers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut issuers: Vec<Issuer> = Vec::new();
        for item in kinds(text) {
            let (kind, text) = item?;
            let issuer = Issuer {
                kind: match kind.trim() {
                    "github" | "gitea" | "forgejo" => IssuerKind::GitHub,
                    "gitlab" => IssuerKind::GitLab,
                    "other" => IssuerKind::Other,
                    other => {
                        return Err(format!("{other} must be github, gitlab, gitea or other"));
                    }
                },
                text: text.trim().trim_end_matches('/').to_owned(),
                url: web_url(text.trim())?,
                others: Vec::new(),
            };
            if issuers.iter().any(|other| other.text == issuer.text) {
                return Err(format!("{} is listed twice", issuer.text));
            }
            issuers.push(issuer);
        }
        Ok(Self(issuers))
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
        for item in text
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
        {
            let name = match item.split_once('=') {
                Some(("repository", claim)) => (&mut names.repository, claim),
                Some(("ref", claim)) => (&mut names.r#ref, claim),
                Some(("sha", claim)) => (&mut names.sha, claim),
                _ => {
                    return Err(format!(
                        "{item} must be repository=…, ref=… or sha=… with the name of a claim"
                    ));
                }
            };
            *name.0 = name.1.to_owned();
        }
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
