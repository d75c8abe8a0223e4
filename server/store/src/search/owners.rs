//! Finds owners whose names contain the words of a search, with the orgs in which they own files.

use super::{
    FoundOwner, MOST_FOUND,
    compared::{Names, all_names},
};
use crate::{
    Reader, StoreError, Unsigned,
    sql::{ScopedText, readable, readable_record},
};
use domain::{OrgName, ViewName};

pub(crate) const OWNERS: &str = all_names!("owner_lines", "name");

const NAMES: Names = Names {
    all: OWNERS,
    readable: ScopedText::new(concat!(
        "select distinct o.name from owner_lines o where ",
        readable_record!("o"),
        " order by o.name limit $1"
    )),
};

/// The orgs with a repository in which the owner `$1` has files.
const ORGS: ScopedText = ScopedText::new(concat!(
    "select distinct p.org_name from owner_lines o
     join repositories p on p.id = o.repository_id
     where o.name = $1 and exists (select 1 from main_records m where m.repository_id = p.id) and ",
    readable!("p"),
    " order by p.org_name limit $2"
));

impl Reader {
    pub(super) async fn owners_found(&self, text: &str) -> Result<Vec<FoundOwner>, StoreError> {
        let mut found = Vec::new();
        for owner in self.names_found(&NAMES, text).await? {
            let missing = MOST_FOUND - found.len();
            if missing == 0 {
                break;
            }
            if owner == ViewName::NoOwner.name() {
                continue;
            }
            let orgs = ORGS.with((&owner, Unsigned::from(missing)));
            let orgs: Vec<(OrgName,)> = self.all(orgs).await?;
            for (org,) in orgs {
                // Names are the same without regard to case.
                let is_same = |found: &FoundOwner| {
                    found.org == org && found.owner.eq_ignore_ascii_case(&owner)
                };
                if !found.iter().any(is_same) {
                    let owner = owner.clone();
                    found.push(FoundOwner { org, owner });
                }
            }
        }
        Ok(found)
    }
}
