//! Retires deleted branches, and finds the HTML reports of a branch.

use super::{
    ClaimedBy, Flag, ForgeClaim, Reader, StoreError, Writer,
    audit::{self, AuditChange},
    counts::{self, Counts},
    forge_of_repository, main_branch, main_records,
    text::storable,
    time::next_moment,
};
use crate::{
    actor::Actor,
    holding::{self, Moment},
    run::Run,
};
use domain::{AuditAction, BranchName, Repository, Timestamp};
use sqlx::AnyConnection;
use std::collections::HashSet;

/// A current HTML report of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchReport {
    /// The id of its record.
    pub record_id: i64,
    /// The key of its object.
    pub key: String,
}

/// The branches that have a record; whether each has a current record, and whether it is the configured or the detected main
/// branch.
const BRANCHES: &str = "
    select b.id, b.name,
           case when exists (select 1 from records r where r.branch_id = b.id and r.superseded_at is null)
                then 1 else 0 end as is_current,
           case when b.name = p.configured_branch then 1 else 0 end as is_configured,
           case when b.id = p.main_branch_id then 1 else 0 end as is_main
    from branches b
    join repositories p on p.id = b.repository_id
    where b.repository_id = $1 and exists (select 1 from records r where r.branch_id = b.id)";

/// A list of the existing branches, and its sender.
#[derive(Clone, Copy, Debug)]
pub struct BranchList<'a> {
    /// The names of all existing branches.
    pub active: &'a HashSet<String>,
    /// The forge that owns the repository, if the request comes from one.
    pub forge_claim: Option<&'a ForgeClaim>,
    /// The branch that the list comes from, if known. It must be the main branch.
    pub from_branch: Option<&'a BranchName>,
    /// Who sent the list, for the audit log.
    pub by: &'a Actor,
}

impl BranchList<'_> {
    /// Whether the detected main branch must not change. A list that comes with a forge's token is not confirmed, so it must not
    /// change the main branch.
    fn keeps_main(&self) -> bool {
        self.forge_claim
            .is_some_and(|forge_claim| forge_claim.by == ClaimedBy::Token)
    }
}

impl Writer<'_> {
    /// Retires the branches that are not in the list: their records are no longer current. Keeps a configured main branch, and
    /// the main branch if the list comes with a forge's token. Returns the number of retired branches. The history of a retired
    /// branch stays, and its next upload makes it current again.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoSuchBranch`] if no active branch has a record, [`StoreError::NotMainBranch`], [`StoreError::OtherForge`],
    /// [`StoreError::OtherIdentity`]. After an error, nothing has changed.
    pub async fn retire_branches(
        self,
        repository: &Repository,
        list: BranchList<'_>,
    ) -> Result<usize, StoreError> {
        let mut transaction = self.store.begin().await?;
        let at = Moment::After(next_moment());
        let Some(held) = holding::hold(&mut transaction, repository, at).await? else {
            return Err(StoreError::NoSuchBranch);
        };
        let (repository_id, at) = (held.id, held.last_upload_at);
        forge_of_repository::claim(&mut transaction, repository_id, list.forge_claim).await?;
        if let Some(branch) = list.from_branch
            && !main_branch::of_id(&mut transaction, repository_id)
                .await?
                .speaks_for_all(branch)
        {
            return Err(StoreError::NotMainBranch(branch.clone()));
        }
        let branches: Vec<(i64, String, Flag, Flag, Flag)> =
            transaction.all(BRANCHES, [repository_id]).await?;
        let (mut current, mut retired) = (0_usize, Vec::new());
        let (mut records, mut is_known) = (0, false);
        for (id, name, Flag(is_current), Flag(is_configured), Flag(is_main)) in branches {
            let is_listed = list.active.contains(&name);
            is_known |= is_listed;
            current += usize::from(is_current);
            let stays = is_configured || list.keeps_main() && is_main;
            if !is_listed && is_current && !stays {
                records += retire_branch(&mut transaction, id, at).await?;
                retired.push(name);
            }
        }
        if !is_known {
            return Err(StoreError::NoSuchBranch);
        }
        let no_longer_current = Counts {
            records: 0,
            current: -records,
        };
        counts::add(&mut transaction, repository_id, no_longer_current).await?;
        main_records::refresh(&mut transaction, repository_id).await?;
        let change = AuditChange::of(AuditAction::BranchesRetired, &held.repository, "branches")
            .before(format!("{current} current"))
            .after(retired_names(&retired));
        audit::write(&mut transaction, list.by, &change).await?;
        transaction.commit().await?;
        Ok(retired.len())
    }
}

impl Reader {
    /// Returns the current HTML reports of a branch, the last updated first. `name` is written as in the URLs of the system that
    /// this service replaces: with `_fs_` for each `/`.
    pub async fn branch_reports(
        &self,
        repository: &Repository,
        name: &str,
    ) -> Result<Vec<BranchReport>, StoreError> {
        // If two branches have the same written form, the branch with exactly this name matches.
        const REPORTS: &str = "select r.branch_id, r.id, r.report_key from repositories p
            join branches b on b.repository_id = p.id and replace(b.name, '/', '_fs_') = $2
            join records r on r.branch_id = b.id and r.superseded_at is null and r.report_key is not null
            where p.name_key = $1
            order by case when b.name = $2 then 0 else 1 end, r.updated_at desc, r.id desc";
        let Some(store) = self.sees(repository) else {
            return Ok(Vec::new());
        };
        let rows: Vec<(i64, i64, String)> =
            store.all(REPORTS, (repository, storable(name))).await?;
        let branch = rows.first().map(|(branch, ..)| *branch);
        let of_branch = rows.into_iter().filter(|row| Some(row.0) == branch);
        let reports = of_branch.map(|(_, record_id, key)| BranchReport { record_id, key });
        Ok(reports.collect())
    }
}

fn retired_names(names: &[String]) -> String {
    const NAMED: usize = 20;
    let shown = names.iter().take(NAMED).map(String::as_str);
    let shown = shown.collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => "none retired".to_owned(),
        count if count > NAMED => format!("{count} retired: {shown}, …"),
        count => format!("{count} retired: {shown}"),
    }
}

/// Returns the number of retired records.
async fn retire_branch(
    connection: &mut AnyConnection,
    branch_id: i64,
    at: Timestamp,
) -> Result<i64, StoreError> {
    const RETIRE: &str =
        "update records set superseded_at = $1 where branch_id = $2 and superseded_at is null";
    let retired = connection.changed(RETIRE, (at, branch_id)).await?;
    Ok(i64::try_from(retired).unwrap_or(i64::MAX))
}
