//! The repositories that need attention: the first few of each kind, and their number.

use super::Filter;
use crate::{
    Reader, StoreError, Unsigned,
    sql::{ScopedSql, Sql},
};
use domain::{Attention, AttentionList, AttentionRow, DROP_DAYS, OverviewQuery, Show};

const SHOWN: i64 = 5;

/// In the order of [`counting`].
pub(super) const KINDS: [Show; 3] = [Show::Dropped, Show::Below, Show::Stale];

impl Reader {
    /// Returns the repositories that need attention, if the requested page shows them.
    pub(super) async fn attention(
        &self,
        query: &OverviewQuery,
        filter: &Filter,
    ) -> Result<Option<Attention>, StoreError> {
        if !query.has_attention() {
            return Ok(None);
        }
        let [dropped, below, stale] = KINDS.map(|kind| self.all(listing(filter, kind)));
        let counts = self.one(counting(filter));
        let (counts, dropped, below, stale) = tokio::try_join!(counts, dropped, below, stale)?;
        let (all_dropped, all_below, all_stale): (Unsigned, Unsigned, Unsigned) = counts;
        let list = |repositories: Unsigned, rows: Vec<AttentionRow>| AttentionList {
            repositories: repositories.into(),
            rows,
        };
        Ok(Some(Attention {
            dropped: list(all_dropped, dropped),
            below: list(all_below, below),
            stale: list(all_stale, stale),
        }))
    }
}

/// Counts the repositories of each kind in one scan.
pub(super) fn counting(filter: &Filter) -> ScopedSql {
    let mut sql = Sql::new("select ");
    let mut between = "";
    for number in 0..KINDS.len() {
        sql.push(between)
            .push(&format!("cast(coalesce(sum(k.is_{number}), 0) as bigint)"));
        between = ", ";
    }
    sql.push(" from (select s.repository_id");
    for (number, kind) in KINDS.into_iter().enumerate() {
        sql.push(", max(case when ");
        filter.push_kind(&mut sql, kind);
        sql.push(&format!(" then 1 else 0 end) as is_{number}"));
    }
    sql.push(" from main_records s where ");
    let mut sql = filter.applied_to(sql);
    sql.push(" group by s.repository_id) k");
    sql
}

/// The first repositories of a kind.
pub(super) fn listing(filter: &Filter, kind: Show) -> ScopedSql {
    let order = match kind {
        Show::Dropped => "change",
        Show::Stale => "s.updated_at desc",
        Show::Below | Show::All => "percentage",
    };
    let mut sql = Sql::new("select s.org_name, s.repo_name, s.language, s.updated_at, ");
    sql.push(&filter.percentage()).push(" as percentage, ");
    match kind {
        Show::Dropped => filter.push_change(&mut sql, DROP_DAYS),
        _ => drop(sql.push("cast(null as bigint)")),
    }
    sql.push(" as change from main_records s where ");
    let of_kind = Filter {
        show: kind,
        ..filter.clone()
    };
    let mut sql = of_kind.applied_to(sql);
    sql.push(" order by ").push(order);
    sql.push(", s.org_name, s.repo_name, s.language limit ")
        .push_bind(SHOWN);
    sql
}
