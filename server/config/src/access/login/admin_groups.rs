//! The orgs that the members of groups may administer.

use super::ReadOrgs;
use std::str::FromStr;
use store::Scope;

/// A list of orgs, each with a group whose members may administer it. With an empty list, no person may.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdminGroups(ReadOrgs);

impl AdminGroups {
    /// Whether no person may administer.
    pub fn is_empty(&self) -> bool {
        self.0.is_every()
    }

    /// Whether an entry names this group.
    pub fn names(&self, group: &str) -> bool {
        self.0.names(group)
    }

    /// What a member of these groups may administer. Groups are compared exactly.
    pub fn scopes_of(&self, groups: &[String]) -> Vec<Scope> {
        self.0.listed(groups).cloned().collect()
    }
}

impl FromStr for AdminGroups {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_members_of_a_listed_group_administer() {
        let scopes = |list: &str, groups: &[&str]| {
            let groups: Vec<_> = groups.iter().map(ToString::to_string).collect();
            let list: AdminGroups = list.parse().expect("a list");
            let scopes = list.scopes_of(&groups);
            let scopes: Vec<_> = scopes.iter().map(ToString::to_string).collect();
            scopes.join(" ")
        };
        let list = "acme=leads,labs=leads,*=ops";
        assert_eq!(scopes(list, &["leads", "x"]), "acme/… labs/…");
        assert_eq!(scopes(list, &["ops"]), "every repository");
        assert_eq!(scopes(list, &["Leads", ""]), "");
        assert_eq!(scopes("", &["leads"]), "");
    }
}
