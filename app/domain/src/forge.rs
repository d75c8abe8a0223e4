//! The web addresses of forges, and the forge of a repository.

use crate::{OrgName, Repository, RunUrl};

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
    /// Creates the list from the forges that authorize uploads and the forges that the operator names for orgs.
    pub fn new(listed: Vec<ForgeSite>, of_orgs: Vec<(Option<OrgName>, ForgeSite)>) -> Self {
        Self { listed, of_orgs }
    }

    fn all(&self) -> impl Iterator<Item = &ForgeSite> {
        let of_orgs = self.of_orgs.iter().map(|(_, site)| site);
        self.listed.iter().chain(of_orgs)
    }

    /// The forge of a repository, if it is known. `forge` is the name of the forge that authorized an upload. If it is `None`,
    /// the operator's setting for the org decides, or for the nearest org above.
    pub fn of(&self, repository: &Repository, forge: Option<&str>) -> Option<&ForgeSite> {
        if let Some(name) = forge {
            return self.all().find(|site| site.name == name);
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

    /// The forge that ran a job of a repository, derived from the address of the job's page. The address contains the
    /// repository's name and then a path. `None` for other CI systems, and if the host and the path do not determine the kind
    /// of the forge.
    pub fn of_run(&self, repository: &Repository, run: &RunUrl) -> Option<ForgeSite> {
        let run = run.to_string();
        let (scheme, rest) = run.split_once("://")?;
        let within = format!("/{}/", repository.key());
        let at = rest.to_ascii_lowercase().find(&within)?;
        let (name, page) = (rest[..at].to_ascii_lowercase(), &rest[at + within.len()..]);
        if let Some(known) = self.all().find(|site| site.name == name) {
            return Some(known.clone());
        }
        let is_actions = page.starts_with("actions/runs/");
        let kind = match name.as_str() {
            "github.com" if is_actions => ForgeKind::GitHub,
            _ if is_actions && name.ends_with(".ghe.com") => ForgeKind::GitHub,
            "codeberg.org" if is_actions => ForgeKind::Gitea,
            "bitbucket.org" => ForgeKind::Bitbucket,
            _ if page.starts_with("-/jobs/") || page.starts_with("-/pipelines/") => {
                ForgeKind::GitLab
            }
            _ => return None,
        };
        let url = format!("{scheme}://{name}");
        Some(ForgeSite { kind, name, url })
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

    #[test]
    fn the_page_of_a_job_tells_its_forge_where_the_repository_is_in_it() {
        let sites = ForgeSites::new(vec![site("git.example")], vec![]);
        let of = |run: &str| {
            let repository = "Acme/pay".parse().expect("a repository");
            let site = sites.of_run(&repository, &run.parse().expect("an address"))?;
            Some((site.kind, site.url))
        };
        let at = |kind, url: &str| Some((kind, url.to_owned()));
        for (run, expected) in [
            (
                "https://github.com/acme/pay/actions/runs/17",
                at(ForgeKind::GitHub, "https://github.com"),
            ),
            (
                "https://x.example/git/acme/pay/-/jobs/9",
                at(ForgeKind::GitLab, "https://x.example/git"),
            ),
            (
                "https://git.example/acme/pay/actions/runs/17",
                at(ForgeKind::Gitea, "https://git.example"),
            ),
            (
                "https://codeberg.org/acme/pay/actions/runs/17",
                at(ForgeKind::Gitea, "https://codeberg.org"),
            ),
            // GitHub Enterprise and Gitea have the same path.
            ("https://other.example/acme/pay/actions/runs/17", None),
            ("https://github.com/acme/other/actions/runs/17", None),
            ("https://ci.example/job/acme/pay/12/", None),
        ] {
            assert_eq!(of(run), expected, "{run}");
        }
    }
}
