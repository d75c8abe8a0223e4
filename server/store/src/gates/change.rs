//! Sets and removes the gates of the operator, with their rows in the audit log.

use super::{key, stored};
use crate::{
    Named, Operator, Scope, StoreError,
    actor::Actor,
    audit::{self, AuditChange},
    holding, names,
    run::Run,
    time::now,
};
use domain::{AuditAction, GateRules, OrgName};
use sqlx::AnyConnection;

impl Operator<'_> {
    /// Sets rules of an org or a repository, which need not exist. Rules that `set` does not name stay. Returns all rules that
    /// are set for it directly.
    ///
    /// # Errors
    ///
    /// [`StoreError::Rules`] if the stored rules cannot be read. After an error, nothing has changed.
    pub async fn set_gate(
        self,
        of: &Named,
        set: &GateRules,
        by: &Actor,
    ) -> Result<GateRules, StoreError> {
        const SET: &str = "
        insert into gates (org_key, repo_key, rules, set_at) values ($1, $2, $3, $4)
        on conflict (org_key, repo_key) do update set rules = excluded.rules, set_at = excluded.set_at";
        let mut transaction = self.store.begin().await?;
        // This also excludes renames, which move gates.
        holding::lock(&mut transaction, &[org_of(of)]).await?;
        let before = stored(&mut transaction, of).await?.unwrap_or_default();
        let rules = set.clone().over(before.clone());
        if rules == before {
            return transaction.unchanged(rules).await;
        }
        let (org, repo) = key(of);
        let text = serde_json::to_string(&rules).map_err(StoreError::Rules)?;
        transaction.run(SET, (org, repo, text, now())).await?;
        let change = audited(&mut transaction, AuditAction::GateSet, of).await?;
        let change = change.before(text_of(&before)).after(text_of(&rules));
        audit::write(&mut transaction, by, &change).await?;
        transaction.commit().await?;
        Ok(rules)
    }

    /// Removes the rules of an org or a repository, and returns them; `None` if it has none.
    pub async fn clear_gate(self, of: &Named, by: &Actor) -> Result<Option<GateRules>, StoreError> {
        let mut transaction = self.store.begin().await?;
        holding::lock(&mut transaction, &[org_of(of)]).await?;
        // Even unreadable rules can be removed.
        let before = match stored(&mut transaction, of).await {
            Ok(None) => {
                return transaction.unchanged(None).await;
            }
            Ok(Some(rules)) => rules,
            Err(StoreError::Rules(_)) => GateRules::default(),
            Err(error) => return Err(error),
        };
        delete(&mut transaction, of).await?;
        let change = audited(&mut transaction, AuditAction::GateCleared, of).await?;
        let change = change.before(text_of(&before)).after("none");
        audit::write(&mut transaction, by, &change).await?;
        transaction.commit().await?;
        Ok(Some(before))
    }
}

pub(crate) async fn delete(connection: &mut AnyConnection, of: &Named) -> Result<(), StoreError> {
    const DELETE: &str = "delete from gates where org_key = $1 and repo_key = $2";
    let (org, repo) = key(of);
    connection.run(DELETE, (org, repo)).await
}

/// The row of the audit log, with the stored spelling of names.
async fn audited(
    connection: &mut AnyConnection,
    action: AuditAction,
    of: &Named,
) -> Result<AuditChange, StoreError> {
    let scope = match of {
        Named::Org(org) => Scope::Org(names::org_for_new(connection, org).await?),
        Named::Repository(repository) => {
            Scope::Repository(names::as_stored(connection, repository).await?)
        }
    };
    Ok(AuditChange::of_scope(action, &scope, "gate"))
}

fn org_of(of: &Named) -> &OrgName {
    match of {
        Named::Org(org) => org,
        Named::Repository(repository) => &repository.org,
    }
}

fn text_of(rules: &GateRules) -> String {
    if rules.is_empty() {
        "none".to_owned()
    } else {
        rules.to_string()
    }
}
