//! Counts the owners of repositories before a reader asks: after each change, and on each day.

use super::{MAX_REPOSITORIES, Row};
use crate::{StoreError, Writer, run::Run, time::now};
use domain::{ViewKind, ViewsQuery};

/// Like [`super::REPOSITORIES`], of all orgs and without the counts.
pub(crate) const STATES: &str = "
    select p.id, p.org_name, p.repo_name, coalesce(p.forge, p.reporting_forge) as forge, b.id as branch_id, b.name,
           s.records, s.updated_at, s.ids, s.revisions, s.new_covered, s.new_total, s.new_unknown,
           o.state
    from (
        select m.repository_id, count(*) as records, max(m.updated_at) as updated_at,
               cast(sum(m.record_id) as bigint) as ids, cast(sum(r.revision) as bigint) as revisions,
               cast(sum(m.new_covered) as bigint) as new_covered, cast(sum(m.new_total) as bigint) as new_total,
               cast(sum(m.new_unknown) as bigint) as new_unknown
        from main_records m
        join records r on r.id = m.record_id
        group by m.repository_id
    ) s
    join repositories p on p.id = s.repository_id
    join branches b on b.id = p.main_branch_id
    left join repository_owners o on o.repository_id = p.id
    order by p.id limit $1";

impl Writer<'_> {
    /// Counts the owners of all repositories whose counts are not of today or not of their current records. Returns the number of
    /// these repositories.
    ///
    /// # Errors
    ///
    /// If the database fails, for one repository or for all.
    pub async fn count_owners(self) -> Result<u32, StoreError> {
        let rows: Vec<Row> = self.store.all(STATES, [MAX_REPOSITORIES]).await?;
        let query = ViewsQuery {
            kind: Some(ViewKind::Owner),
            ..ViewsQuery::default()
        };
        let (mut counted, mut failed) = (0, None);
        for row in rows {
            if row.state.as_ref() == Some(&row.state(now())) {
                continue;
            }
            match self.store.owners_of(&row, &query).await {
                Ok(_) => counted += 1,
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or(Ok(counted), Err)
    }
}
