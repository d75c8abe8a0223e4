//! The data that decides whether an event is worth a notification.

use super::PAGE;
use crate::{Flag, StoreError, Unsigned, Writer, run::Run};
use domain::{OrgName, Percentage, Repository, Timestamp};
use sqlx::FromRow;
use std::collections::BTreeSet;

/// A repository without uploads for some time.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct SilentRepository {
    /// The id of the repository.
    pub id: i64,
    /// The name of the repository.
    #[sqlx(flatten)]
    pub repository: Repository,
    /// The time of the last upload.
    pub last_upload_at: Timestamp,
}

const IS_ON_MAIN: &str = "
    select case when p.main_branch_id = r.branch_id then 1 else 0 end as is_on_main
    from records r
    join repositories p on p.id = r.repository_id
    where r.id = $1 and r.unconfirmed_at is null";

/// Excludes repositories whose silence has a notification. The subject is the same as in [`SilentRepository::subject`].
pub(crate) const SILENT: &str = "
    select p.id, p.org_name, p.repo_name, p.last_upload_at from repositories p
    where p.last_upload_at between $1 and $2 and p.record_count > 0
      and not exists (
        select 1 from notifications n
        where n.subject = 'silent ' || cast(p.id as text) || ' ' || cast(p.last_upload_at as text) || ' ' || $4)
    order by p.last_upload_at limit $3";

/// The previous record on the same branch and in the same language.
const BEFORE: &str = "
    select h.percentage_basis_points from records r
    join records h on h.branch_id = r.branch_id and h.language = r.language
    where r.id = $1 and h.updated_at < r.updated_at and h.unconfirmed_at is null
    order by h.updated_at desc limit 1";

/// The subjects of notifications are unique.
pub(crate) const NOTIFIED: &str = "select count(*) from notifications n where n.subject = $1";

const ORGS: &str = "select o.org_name from orgs o where o.current_count > 0 order by o.org_name";

impl SilentRepository {
    /// The subject of the notification about this silence after `days` days.
    pub fn subject(&self, days: u16) -> String {
        format!("silent {} {} {days}", self.id, self.last_upload_at.0)
    }
}

impl Writer<'_> {
    /// Returns whether a record is on the main branch of its repository; `None` if it does not exist, or if nothing proved that
    /// its branch contains its commit.
    pub async fn is_on_main(self, id: i64) -> Result<Option<Flag>, StoreError> {
        let found: Option<i64> = self.store.first_value(IS_ON_MAIN, [id]).await?;
        Ok(found.map(Flag::from))
    }

    /// Returns whether a notification with this subject is stored, whether or not it has deliveries.
    pub async fn is_notified(self, subject: &str) -> Result<bool, StoreError> {
        let Unsigned(found) = self.store.value(NOTIFIED, [subject]).await?;
        Ok(found > 0)
    }

    /// Returns the orgs that no other org contains, by name.
    pub async fn top_orgs(self) -> Result<BTreeSet<OrgName>, StoreError> {
        let orgs: Vec<OrgName> = self.store.values(ORGS, ()).await?;
        Ok(orgs.iter().map(OrgName::top).collect())
    }

    /// Returns the coverage of the previous record on the same branch and in the same language.
    pub async fn percentage_before(self, id: i64) -> Result<Option<Percentage>, StoreError> {
        let found: Option<i64> = self.store.first_value(BEFORE, [id]).await?;
        Ok(found.map(Percentage::from))
    }

    /// Returns the next repositories whose last upload was between two times, in microseconds since 1970, and whose silence of
    /// `days` days has no notification yet.
    pub async fn silent_repositories(
        self,
        from: i64,
        until: i64,
        days: u16,
    ) -> Result<Vec<SilentRepository>, StoreError> {
        self.store
            .all(SILENT, (from, until, PAGE, days.to_string()))
            .await
    }
}
