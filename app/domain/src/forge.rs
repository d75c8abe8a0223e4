//! The web addresses of forges, and which of them a repository is on.

use crate::{OrgName, Repository};

/// A kind of forge. It decides the paths of its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForgeKind {
    /// GitHub, also GitHub Enterprise.
    GitHub,
    /// GitLab, also self-managed.
    GitLab,
    /// Gitea and Forgejo.
    Gitea,
    /// Bitbucket Cloud. Its tokens cannot upload; only its pages are known.
    Bitbucket,
}

/// The web address of a forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgeSite {
    /// Its kind.
    pub kind: ForgeKind,
    /// Its host, with a port or path if it has one, such as `github.com`.
    pub name: String,
    /// Its address without a trailing `/`, such as `https://github.com`.
    pub url: String,
}

/// The forges that pages link to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForgeSites {
    /// The forges whose tokens or identities may upload.
    listed: Vec<ForgeSite>,
    /// The forges of the repositories of an org, or of all others.
    of_orgs: Vec<(Option<OrgName>, ForgeSite)>,
}

impl ForgeSites {
    /// Creates the list: the forges that authorize uploads, and those that the operator names for orgs.
    pub fn new(listed: Vec<ForgeSite>, of_orgs: Vec<(Option<OrgName>, ForgeSite)>) -> Self {
        Self { listed, of_orgs }
    }

    /// The forge of a repository, if it is known: the one with the name `forge`, where a forge authorized an upload, else the one
    /// that the operator names for its org. The nearest org decides.
    pub fn of(&self, repository: &Repository, forge: Option<&str>) -> Option<&ForgeSite> {
        let set = || self.of_orgs.iter().map(|(_, site)| site);
        if let Some(name) = forge {
            return self
                .listed
                .iter()
                .chain(set())
                .find(|site| site.name == name);
        }
        let length = |org: &Option<OrgName>| org.as_ref().map_or(0, |org| org.as_str().len());
        let holding = self
            .of_orgs
            .iter()
            .filter(|(org, _)| org.as_ref().is_none_or(|org| org.contains(&repository.org)));
        holding
            .max_by_key(|(org, _)| length(org))
            .map(|(_, site)| site)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(name: &str) -> ForgeSite {
        ForgeSite {
            kind: ForgeKind::Gitea,
            name: name.to_owned(),
            url: format!("https://{name}"),
        }
    }

    #[test]
    fn the_forge_that_authorized_an_upload_decides_then_the_nearest_org() {
        let org = |name: &str| Some(name.parse().expect("an org"));
        let sites = ForgeSites::new(
            vec![site("a.example")],
            vec![
                (None, site("all.example")),
                (org("acme/tools"), site("tools.example")),
                (org("acme"), site("acme.example")),
            ],
        );
        let of = |repository: &str, forge| {
            let repository = repository.parse().expect("a repository");
            sites.of(&repository, forge).map(|site| site.name.as_str())
        };
        assert_eq!(of("acme/x", Some("a.example")), Some("a.example"));
        assert_eq!(of("acme/x", Some("tools.example")), Some("tools.example"));
        assert_eq!(of("acme/x", Some("gone.example")), None, "not guessed");
        assert_eq!(of("acme/x", None), Some("acme.example"));
        assert_eq!(of("ACME/Tools/x", None), Some("tools.example"));
        assert_eq!(of("acme2/x", None), Some("all.example"));
        let none = ForgeSites::default();
        assert_eq!(none.of(&"a/b".parse().expect("a repository"), None), None);
    }
}
