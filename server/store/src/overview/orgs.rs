//! Orgs as a whole: their number of repositories, and with their groups their coverage, weighted by lines or by what another metric
//! counts.

use crate::{
    Flag, Reader, StoreError, Unsigned, metric,
    sql::{ScopedSql, ScopedText, Sql, readable},
};
use domain::{Count, OrgName, OrgSummary, Percentage, StatedMetric};
use std::collections::BTreeSet;

/// Larger counts are ignored as wrong: no program has a trillion lines, and sums stay in range.
const MOST_LINES: i64 = 1_000_000_000_000;

impl Reader {
    pub(super) async fn org_summaries(
        &self,
        orgs: BTreeSet<String>,
        metric: StatedMetric,
    ) -> Result<Vec<OrgSummary>, StoreError> {
        if orgs.is_empty() {
            return Ok(Vec::new());
        }
        let rows: Vec<(OrgName, Unsigned, Unsigned, Unsigned, Flag)> =
            self.all(query(&orgs, metric)).await?;
        let rows = rows.into_iter();
        let summaries = rows.map(|(org, repositories, covered, total, groups)| OrgSummary {
            org,
            repositories: repositories.into(),
            percentage: Percentage::of(Count {
                covered: covered.into(),
                total: total.into(),
            }),
            has_groups: groups.into(),
        });
        Ok(summaries.collect())
    }
}

/// The coverage of an org, with its groups: of the current records of the main branches of all repositories, in every language.
/// `OrgReport::whole` computes the same for any day.
pub(super) fn query(orgs: &BTreeSet<String>, metric: StatedMetric) -> ScopedSql {
    const READABLE: ScopedText = ScopedText::new(readable!("s"));
    let mut sql = Sql::new("select o.org_name, o.repositories");
    let columns = metric::columns(metric);
    for column in columns {
        sql.push(", cast(coalesce(sum(case when g.")
            .push(columns[1])
            .push(" <= ")
            .push_bind(MOST_LINES)
            .push(" then g.")
            .push(column)
            .push(" end), 0) as bigint)");
    }
    // `0` is the character after `/`.
    sql.push(
        ", max(case when g.org_name = o.org_name then 0 else 1 end)
           from (select s.org_name, count(distinct s.repository_id) as repositories
                 from main_records s where s.org_name in (",
    );
    sql.push_list(orgs.iter().cloned()).push(") and ");
    let mut sql = sql.scoped(READABLE);
    sql.push(
        " group by s.org_name) o
           cross join main_records g
           where (g.org_name = o.org_name or (g.org_name > o.org_name || '/' and g.org_name < o.org_name || '0')) and ",
    );
    sql.push(readable!("g"))
        .push(" group by o.org_name, o.repositories order by o.org_name");
    sql
}
