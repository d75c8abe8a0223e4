//! The web addresses of forges, for links to their pages.

use super::{
    Access, ApiKind, Issuer, IssuerKind, forge_of,
    listed::{kind_and_url, web_url},
};
use crate::items;
use domain::{ForgeKind, ForgeSite, ForgeSites, OrgName};
use reqwest::Url;
use std::str::FromStr;

/// The forges that the operator names, each for an org with its nested groups, or for all orgs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForgeUrls(Vec<(Option<OrgName>, ForgeSite)>);

impl Access {
    /// The forges whose pages are known.
    pub fn forge_sites(&self) -> ForgeSites {
        let apis = self.vcs_api_urls.iter();
        let apis = apis.map(|api| site(api.kind.into(), &api.url));
        let issuers = self.oidc_issuers.iter().filter_map(of_issuer);
        ForgeSites::new(apis.chain(issuers).collect(), self.forge_urls.0.clone())
    }
}

/// Returns the forge that an API or an issuer belongs to.
fn site(kind: ForgeKind, url: &Url) -> ForgeSite {
    let name = forge_of(url);
    ForgeSite {
        kind,
        url: format!("{}://{name}", url.scheme()),
        name,
    }
}

/// Gitea's identities have the same claims as GitHub's, so the address decides.
fn of_issuer(issuer: &Issuer) -> Option<ForgeSite> {
    let url = &issuer.url;
    let is_github = || {
        let name = forge_of(url);
        name == "github.com" || name.ends_with(".ghe.com") || url.path().starts_with("/_services/")
    };
    let kind = match issuer.kind {
        IssuerKind::GitHub if is_github() => ForgeKind::GitHub,
        IssuerKind::GitHub => ForgeKind::Gitea,
        IssuerKind::GitLab => ForgeKind::GitLab,
        IssuerKind::Other => return None,
    };
    Some(site(kind, url))
}

impl FromStr for ForgeUrls {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let items = items(text).map(|item| {
            let (key, url) = kind_and_url(item)?;
            let of_org = key.rsplit_once(':');
            let (org, kind) = of_org.map_or((None, key), |(org, kind)| (Some(org.trim()), kind));
            let org = org.map(str::parse).transpose();
            let org = org.map_err(|error| format!("{item}: {error}"))?;
            let kind = match kind.trim() {
                "bitbucket" => ForgeKind::Bitbucket,
                kind => {
                    let rule =
                        |_| format!("{kind} must be github, gitlab, gitea, forgejo or bitbucket");
                    kind.parse::<ApiKind>().map_err(rule)?.into()
                }
            };
            Ok((org, site(kind, &web_url(url)?)))
        });
        items.collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use crate::access::testing::parsed;

    fn url_of(arguments: &[&str], repository: &str, forge: Option<&str>) -> Option<String> {
        let sites = parsed(arguments).forge_sites();
        let repository = repository.parse().expect("a repository");
        let site = sites.of(&repository, forge)?;
        Some(format!("{:?} {}", site.kind, site.url))
    }

    #[test]
    fn the_address_of_a_forge_follows_from_its_api_or_issuer() {
        let known = |kind: &str, setting: &str, forge: &str| {
            url_of(&[kind, setting], "acme/x", Some(forge)).unwrap_or_default()
        };
        for (kind, setting, forge, expected) in [
            (
                "--vcs-api-urls",
                "github=https://api.github.com",
                "github.com",
                "GitHub https://github.com",
            ),
            (
                "--vcs-api-urls",
                "github=https://ghe.example/api/v3",
                "ghe.example",
                "GitHub https://ghe.example",
            ),
            (
                "--vcs-api-urls",
                "gitlab=https://x.example/git/api/v4",
                "x.example/git",
                "GitLab https://x.example/git",
            ),
            (
                "--vcs-api-urls",
                "forgejo=http://127.0.0.1:3000/api/v1",
                "127.0.0.1:3000",
                "Gitea http://127.0.0.1:3000",
            ),
            (
                "--oidc-issuers",
                "github=https://token.actions.githubusercontent.com",
                "github.com",
                "GitHub https://github.com",
            ),
            (
                "--oidc-issuers",
                "github=https://ghe.example/_services/token",
                "ghe.example",
                "GitHub https://ghe.example",
            ),
            (
                "--oidc-issuers",
                "github=https://git.example/api/actions",
                "git.example",
                "Gitea https://git.example",
            ),
            (
                "--oidc-issuers",
                "gitlab=https://gitlab.example",
                "gitlab.example",
                "GitLab https://gitlab.example",
            ),
            (
                "--oidc-issuers",
                "other=https://ci.example",
                "ci.example",
                "",
            ),
        ] {
            assert_eq!(known(kind, setting, forge), expected, "{setting}");
        }
    }

    #[test]
    fn the_operator_may_name_the_forge_of_an_org() {
        let urls = [
            "--forge-urls",
            "github=https://github.com, acme/tools:bitbucket=https://bitbucket.org/",
        ];
        let of = |repository| url_of(&urls, repository, None);
        assert_eq!(of("x/y").as_deref(), Some("GitHub https://github.com"));
        assert_eq!(
            of("acme/tools/y").as_deref(),
            Some("Bitbucket https://bitbucket.org")
        );
        assert_eq!(url_of(&[], "x/y", None), None);
        for bad in [
            "https://github.com",
            "svn=https://a.example",
            "a b:github=https://a.example",
            "github=ftp://a.example",
        ] {
            assert!(bad.parse::<super::ForgeUrls>().is_err(), "{bad}");
        }
    }
}
