//! Renames and merges all repositories of an org and of its subgroups.

use super::{
    HowNamesChange, NameChangeError, NamesChanged, gates, moving,
    scopes::{self, Scoped},
};
use crate::{
    Named, counts,
    holding::lock,
    names::{org_for_new, stored_org, stored_repository},
};
use domain::{OrgName, Repository};
use sqlx::AnyConnection;
use std::collections::BTreeSet;

pub(super) async fn change(
    connection: &mut AnyConnection,
    from: &OrgName,
    to: &OrgName,
    how: HowNamesChange,
) -> Result<NamesChanged, NameChangeError> {
    lock(connection, &[from, to]).await?;
    let stored = stored_org(connection, from.as_str()).await?;
    let unknown = || NameChangeError::Unknown(Named::Org(from.clone()));
    let stored: OrgName = stored.ok_or_else(unknown)?.try_into()?;
    if stored == *to {
        return Err(NameChangeError::Same(Named::Org(stored)));
    }
    let detached = moving::hold_org(connection, &stored).await?;
    for one in &detached {
        moving::detach(connection, one).await?;
    }
    if how == HowNamesChange::Merge && stored_org(connection, to.as_str()).await?.is_none() {
        return Err(NameChangeError::NoTarget(Named::Org(to.clone())));
    }
    let to = org_for_new(connection, to).await?;
    if stored == to {
        return Err(NameChangeError::Same(Named::Org(stored)));
    }
    moving::hold_org(connection, &to).await?;
    let (mut moved, mut orgs) = (Vec::with_capacity(detached.len()), BTreeSet::new());
    for one in &detached {
        let below = one.org_below(&stored);
        let org: OrgName = format!("{to}{below}").try_into()?;
        let wanted = Repository {
            org: org_for_new(connection, &org).await?,
            repo: one.repository.repo.clone(),
        };
        let taken = stored_repository(connection, &wanted).await?;
        let name = taken.unwrap_or(wanted);
        let one = moving::attach(connection, one, &name, how).await?;
        orgs.insert(one.from.org.clone());
        moved.push(one);
    }
    for org in &orgs {
        counts::delete_empty_org(connection, org).await?;
    }
    let scoped = Scoped::Org {
        from: &stored,
        to: &to,
    };
    gates::changed(connection, scoped, how).await?;
    scopes::changed(connection, moved, scoped, how).await
}
