//! The orgs that the members of groups may read.

use crate::items;
use domain::OrgName;
use std::str::FromStr;
use store::{ReadScope, Scope};

/// A list of orgs, each with a group whose members may read it. An empty list lets everyone read every org.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOrgs(Vec<(Scope, String)>);

impl ReadOrgs {
    /// Whether everyone may read every org.
    pub fn is_every(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an entry names this group.
    pub fn names(&self, group: &str) -> bool {
        self.0.iter().any(|(_, named)| named == group)
    }

    /// What a member of these groups may read. Groups are compared exactly.
    pub fn scope_of(&self, groups: &[String]) -> ReadScope {
        if self.is_every() {
            return ReadScope::ALL;
        }
        ReadScope::of(self.listed(groups).cloned())
    }

    /// The orgs of the entries that name one of these groups.
    pub(super) fn listed(&self, groups: &[String]) -> impl Iterator<Item = &Scope> {
        let of_groups = self.0.iter().filter(|(_, group)| groups.contains(group));
        of_groups.map(|(scope, _)| scope)
    }
}

impl FromStr for ReadOrgs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut items = items(text).peekable();
        // An empty list lets everyone read everything, so a text with only commas is an error.
        if items.peek().is_none() && !text.trim().is_empty() {
            return Err("it has a comma and no entry".to_owned());
        }
        let items = items.map(|item| {
            // An org has no `=`; a group may have one.
            let (org, group) = item
                .split_once('=')
                .map(|(org, group)| (org.trim(), group.trim()))
                .filter(|(_, group)| !group.is_empty())
                .ok_or_else(|| format!("{item} does not name a group, as in {item}=developers"))?;
            let scope = match org {
                "*" => Scope::All,
                org => {
                    let org: Result<OrgName, _> = org.parse();
                    Scope::Org(org.map_err(|error| format!("{item}: {error}"))?)
                }
            };
            Ok((scope, group.to_owned()))
        });
        items.collect::<Result<_, String>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(list: &str, groups: &[&str]) -> ReadScope {
        let list: ReadOrgs = list.parse().expect("a list");
        list.scope_of(&groups.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    fn covers(scope: &ReadScope, name: &str) -> bool {
        scope.covers(&name.parse().expect("a repository"))
    }

    #[test]
    fn members_of_groups_read_the_orgs_of_their_groups() {
        let list = "acme=payments, acme/tools = /tools , labs=cn=labs; ou=x, *=admins";
        let payments = scope(list, &["payments", "other"]);
        assert!(covers(&payments, "acme/tools/x") && !covers(&payments, "labs/x"));
        let both = scope(list, &["cn=labs; ou=x", "/tools"]);
        assert!(covers(&both, "labs/x") && covers(&both, "acme/tools/x"));
        assert!(!covers(&both, "acme/x"));
        assert!(scope(list, &["admins"]).is_all());
        for none in [&[][..], &["Payments"], &["tools"], &[""]] {
            assert!(scope(list, none).is_nothing(), "{none:?}");
        }
    }

    #[test]
    fn without_a_list_everyone_reads_everything() {
        assert!(scope("", &[]).is_all());
        assert!(scope(" ", &["any"]).is_all());
    }

    #[test]
    fn an_org_without_a_group_is_refused() {
        for wrong in ["acme", "acme=", "=developers", "a//b=developers", " , "] {
            assert!(wrong.parse::<ReadOrgs>().is_err(), "{wrong}");
        }
    }
}
