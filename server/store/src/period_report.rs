//! The report of an org about a period, from the history of the org, the owners of its repositories, and the verdicts of gates.

use crate::{
    Reader, StoreError, Unsigned,
    org::Bounds,
    sql::{ScopedText, readable},
    time::now,
};
use domain::{
    Day, NewSince, OrgName, OrgQuery, Period, PeriodReport, RecordsInPeriod, ReportSources,
    Repository, RepositoryGate, ViewsQuery,
};
use sqlx::FromRow;

/// The most repositories that are counted, as for owners.
const MAX_REPOSITORIES: i64 = 20_000;

/// The records of each repository in a period, on all branches, and how many of them a gate judged. The query looks up the records of
/// each branch by their time: the cost grows with the number of branches and with the records of the period. A repository without an
/// upload since the first day has no such records.
pub(crate) const RECORDS: ScopedText = ScopedText::new(concat!(
    "select p.org_name, p.repo_name, count(*) as records,
            count(case when a.verdict in ('failed', 'passed') then 1 end) as judged,
            count(case when a.verdict = 'failed' then 1 end) as failed
     from repositories p
     cross join branches b
     cross join records r
     left join record_analyses a on a.record_id = r.id
     where (p.org_name = $1 or (p.org_name > $2 and p.org_name < $3)) and p.last_upload_at >= $4
       and b.repository_id = p.id and r.branch_id = b.id and r.updated_at >= $4 and r.updated_at < $5 and ",
    readable!("p"),
    " group by p.id, p.org_name, p.repo_name
     order by failed desc, p.org_name, p.repo_name limit $6"
));

#[derive(FromRow)]
struct Row {
    #[sqlx(flatten)]
    repository: Repository,
    records: Unsigned,
    judged: Unsigned,
    failed: Unsigned,
}

impl From<Row> for RecordsInPeriod {
    fn from(row: Row) -> Self {
        Self {
            records: row.records.0,
            gate: RepositoryGate {
                repository: row.repository,
                failed: row.failed.0,
                judged: row.judged.0,
            },
        }
    }
}

impl Reader {
    /// Returns the report of an org and of its groups about some days, over the repositories that the reader sees; only of one owner, if
    /// one is given. `None` if there are no uploads, or if no repository has this owner.
    pub async fn period_report(
        &self,
        org: &OrgName,
        period: Period,
        owner: Option<&str>,
    ) -> Result<Option<PeriodReport>, StoreError> {
        let Period { from, to } = period;
        // Changes are counted from the end of the day before.
        let query = OrgQuery {
            from: Some(from.days_before(1)),
            to: Some(to),
            ..OrgQuery::new(org.clone())
        };
        let Some(history) = self.org(&query).await? else {
            return Ok(None);
        };
        let bounds = Bounds::of(history.org.as_ref());
        let query = ViewsQuery {
            from: Some(from),
            // Without a last day, the records that are current now count.
            to: (to < Day::of(now())).then_some(to),
            since: Some(NewSince::Day(from)),
            ..ViewsQuery::default()
        };
        let values = (&bounds, from.start(), to.end(), MAX_REPOSITORIES);
        let records: Vec<Row> = self.all(RECORDS.with(values)).await?;
        let parts = ReportSources {
            period,
            history,
            owners: self.owners(org, &query).await?,
            records: records.into_iter().map(RecordsInPeriod::from).collect(),
        };
        Ok(PeriodReport::of(parts, owner))
    }
}
