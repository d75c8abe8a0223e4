//! Renames and merges one repository.

use super::{
    HowNamesChange, NameChangeError, NamesChanged, gates, moving,
    scopes::{self, Scoped},
};
use crate::{
    Named, counts,
    holding::lock,
    names::{org_for_new, stored_org, stored_repository},
};
use domain::Repository;
use sqlx::AnyConnection;

pub(super) async fn change(
    connection: &mut AnyConnection,
    from: &Repository,
    to: &Repository,
    how: HowNamesChange,
) -> Result<NamesChanged, NameChangeError> {
    lock(connection, &[&from.org, &to.org]).await?;
    let Some(stored) = stored_repository(connection, from).await? else {
        return Err(match stored_org(connection, &from.to_string()).await? {
            Some(_) => NameChangeError::IsGroup(from.clone()),
            None => NameChangeError::Unknown(Named::Repository(from.clone())),
        });
    };
    let Some(detached) = moving::hold(connection, &stored).await? else {
        return Err(NameChangeError::Unknown(Named::Repository(from.clone())));
    };
    moving::detach(connection, &detached).await?;
    let to = match stored_repository(connection, to).await? {
        Some(target) => target,
        None => match how {
            HowNamesChange::Rename => new_name(connection, &stored, to).await?,
            HowNamesChange::Merge => return Err(no_target(&stored, to)),
        },
    };
    moving::hold(connection, &to).await?;
    let moved = moving::attach(connection, &detached, &to, how).await?;
    counts::delete_empty_org(connection, &stored.org).await?;
    let scoped = Scoped::Repository {
        from: &stored,
        to: &to,
    };
    gates::changed(connection, scoped, how).await?;
    scopes::changed(connection, vec![moved], scoped, how).await
}

fn no_target(stored: &Repository, to: &Repository) -> NameChangeError {
    let named = Named::Repository(to.clone());
    if stored.has_name_of(to) {
        NameChangeError::Same(named)
    } else {
        NameChangeError::NoTarget(named)
    }
}

/// Returns the spelling of a name that does not exist yet.
async fn new_name(
    connection: &mut AnyConnection,
    stored: &Repository,
    to: &Repository,
) -> Result<Repository, NameChangeError> {
    let new = Repository {
        org: org_for_new(connection, &to.org).await?,
        repo: to.repo.clone(),
    };
    if new != *stored {
        Ok(new)
    } else if to == stored {
        Err(NameChangeError::Same(Named::Repository(new)))
    } else {
        Err(NameChangeError::OrgDecides(new))
    }
}
