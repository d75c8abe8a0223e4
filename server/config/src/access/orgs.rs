//! Org bindings: the orgs that tokens of forges and identities may upload for.

use crate::items;
use domain::OrgName;
use std::str::FromStr;

/// A list of orgs. Each is for every forge, or bound to one by its host (`github.com:acme`). An empty list allows every
/// org of every forge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UploadOrgs(Vec<(Option<String>, OrgName)>);

/// Which forges may upload for an org.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrgBinding {
    /// Every listed forge.
    ToAny,
    /// Only this forge.
    ToThis,
}

impl UploadOrgs {
    /// Whether every org is allowed.
    pub fn is_every(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether each org is bound to one forge.
    pub fn are_bound(&self) -> bool {
        let is_bound = |(forge, org): &(Option<String>, OrgName)| {
            forge
                .as_ref()
                .is_some_and(|forge| self.binding(forge, org) == Some(OrgBinding::ToThis))
        };
        !self.is_every() && self.0.iter().all(is_bound)
    }

    /// The forges that orgs are bound to.
    pub fn forges(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|(forge, _)| forge.as_deref())
    }

    /// The binding that lets `forge` upload for an org; `None` if it may not. An entry also counts for the groups below it; the
    /// nearest entry decides.
    pub fn binding(&self, forge: &str, org: &OrgName) -> Option<OrgBinding> {
        if self.is_every() {
            return Some(OrgBinding::ToAny);
        }
        let holding = || self.0.iter().filter(|(_, allowed)| allowed.contains(org));
        let nearest = holding().map(|(_, allowed)| allowed.as_str().len()).max()?;
        let deciding = || {
            let bounds = holding().filter(|(_, allowed)| allowed.as_str().len() == nearest);
            bounds.map(|(bound, _)| bound.as_deref())
        };
        let may = deciding().any(|bound| bound.is_none_or(|bound| bound == forge));
        let is_alone = deciding().all(|bound| bound == Some(forge));
        may.then_some(if is_alone {
            OrgBinding::ToThis
        } else {
            OrgBinding::ToAny
        })
    }
}

impl FromStr for UploadOrgs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let orgs = items(text).map(|item| {
            // Hosts may have a port, orgs have no `:`.
            let (forge, org) = match item.rsplit_once(':') {
                Some((forge, org)) => (Some(as_host(forge)), org),
                None => (None, item),
            };
            let org = org.parse().map_err(|error| format!("{item}: {error}"))?;
            Ok((forge, org))
        });
        orgs.collect::<Result<_, _>>().map(Self)
    }
}

/// Hosts ignore case, paths do not.
fn as_host(forge: &str) -> String {
    match forge.split_once('/') {
        Some((host, path)) => format!("{}/{path}", host.to_ascii_lowercase()),
        None => forge.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binding(orgs: &str, forge: &str, org: &str) -> Option<OrgBinding> {
        let orgs: UploadOrgs = orgs.parse().expect("orgs");
        orgs.binding(forge, &org.parse().expect("an org"))
    }

    #[test]
    fn an_org_includes_the_groups_below_it() {
        for org in ["acme", "acme/platform", "tools/ci/x", "ACME", "Tools/CI/x"] {
            assert_eq!(
                binding("acme, tools/ci", "github.com", org),
                Some(OrgBinding::ToAny),
                "{org}"
            );
        }
        for org in ["tools", "acme2", "ACME2"] {
            assert_eq!(binding("acme, tools/ci", "github.com", org), None, "{org}");
        }
    }

    #[test]
    fn an_org_may_be_bound_to_one_forge() {
        let orgs = "GitHub.com:acme,git.example.com:3000:acme/tools,labs";
        assert_eq!(
            binding(orgs, "github.com", "acme/x"),
            Some(OrgBinding::ToThis)
        );
        assert_eq!(binding(orgs, "gitlab.com", "acme"), None);
        assert_eq!(
            binding(orgs, "git.example.com:3000", "acme/tools"),
            Some(OrgBinding::ToThis)
        );
        assert_eq!(binding(orgs, "git.example.com:3000", "acme"), None);
        assert_eq!(binding(orgs, "gitlab.com", "labs"), Some(OrgBinding::ToAny));
    }

    #[test]
    fn the_nearest_org_of_the_list_decides() {
        let orgs = "a.com:acme,b.com/Git:acme/secret,c.com:labs,d.com:labs";
        assert_eq!(
            binding(orgs, "b.com/Git", "acme/secret/x"),
            Some(OrgBinding::ToThis)
        );
        assert_eq!(binding(orgs, "a.com", "acme/secret/x"), None);
        assert_eq!(
            binding(orgs, "a.com", "acme/open"),
            Some(OrgBinding::ToThis)
        );
        assert_eq!(
            binding("acme,b.com:acme/secret", "a.com", "acme/secret"),
            None
        );
        assert_eq!(
            binding(orgs, "c.com", "labs"),
            Some(OrgBinding::ToAny),
            "two could have it"
        );
        assert!(
            !orgs
                .parse::<UploadOrgs>()
                .is_ok_and(|orgs| orgs.are_bound())
        );
    }

    #[test]
    fn no_list_means_every_org() {
        assert_eq!(binding("", "github.com", "any"), Some(OrgBinding::ToAny));
        assert!("a//b".parse::<UploadOrgs>().is_err());
        let are_bound = |text: &str| {
            text.parse::<UploadOrgs>()
                .is_ok_and(|orgs| orgs.are_bound())
        };
        assert!(are_bound("a.com:x,b.com:y") && !are_bound("a.com:x,y") && !are_bound(""));
    }
}
