//! The repositories that need attention: the first few of each kind, and their number.

use super::Filter;
use crate::{
    Reader, StoreError, Unsigned,
    sql::{ScopedSql, Sql, readable},
};
use domain::{Attention, AttentionList, AttentionRow, DROP_DAYS, OverviewQuery, Show};
use sqlx::FromRow;

const SHOWN: i64 = 5;

#[derive(FromRow)]
struct Row {
    #[sqlx(try_from = "Unsigned")]
    repositories: u32,
    #[sqlx(flatten)]
    shown: AttentionRow,
}

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
        let (dropped, below, stale) = tokio::try_join!(
            self.attention_list(filter, Show::Dropped),
            self.attention_list(filter, Show::Below),
            self.attention_list(filter, Show::Stale)
        )?;
        Ok(Some(Attention {
            dropped,
            below,
            stale,
        }))
    }

    async fn attention_list(
        &self,
        filter: &Filter,
        kind: Show,
    ) -> Result<AttentionList, StoreError> {
        let of_kind = Filter {
            show: kind,
            ..filter.clone()
        };
        let rows: Vec<Row> = self.all(query(&of_kind, kind)).await?;
        Ok(AttentionList {
            repositories: rows.first().map_or(0, |row| row.repositories),
            rows: rows.into_iter().map(|row| row.shown).collect(),
        })
    }
}

/// The first repositories of a kind, and in each row the number of all. Counting reads the rows again: that costs less than a
/// copy of all rows of the kind.
pub(super) fn query(filter: &Filter, kind: Show) -> ScopedSql {
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
    sql.push(" as change, (select count(distinct s.repository_id) from main_records s where ");
    let mut sql = filter.applied_to(sql);
    sql.push(") as repositories from main_records s where ")
        .push(readable!("s"));
    filter.push_conditions(&mut sql);
    sql.push(" order by ").push(order);
    sql.push(", s.org_name, s.repo_name, s.language limit ")
        .push_bind(SHOWN);
    sql
}
