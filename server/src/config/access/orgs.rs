//! The orgs that source-hosting services and issuers of identities may vouch for.

use app::domain::OrgName;
use std::str::FromStr;

/// A list of orgs; an empty one stands for every org.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UploadOrgs(Vec<OrgName>);

impl UploadOrgs {
    /// Whether every org is allowed.
    pub fn is_every(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an org is in the list, or in the tree of groups below one of it.
    pub fn allows(&self, org: &OrgName) -> bool {
        self.is_every() || self.0.iter().any(|allowed| allowed.contains(org))
    }
}

impl FromStr for UploadOrgs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = text.split(',').map(str::trim);
        names
            .filter(|name| !name.is_empty())
            .map(|name| name.parse().map_err(|error| format!("{name} {error}")))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_org_stands_for_the_groups_below_it_too() {
        let orgs: UploadOrgs = "acme, tools/ci".parse().expect("orgs");
        let allows = |org: &str| orgs.allows(&org.parse().expect("an org"));
        assert!(allows("acme") && allows("acme/platform") && allows("tools/ci/x"));
        assert!(!allows("tools") && !allows("acme2") && !allows("ACME"));
    }

    #[test]
    fn no_list_stands_for_every_org() {
        let orgs: UploadOrgs = "".parse().expect("orgs");
        assert!(orgs.is_every() && orgs.allows(&"any".parse().expect("an org")));
        assert!("a//b".parse::<UploadOrgs>().is_err());
    }
}
