//! The repositories that need attention: the first few of each kind, and their number.

use super::Filter;
use crate::{
    Reader, StoreError, Unsigned,
    sql::{ScopedSql, Sql},
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

/// The repositories of a kind are found once, with their changes. Then they are counted and sorted.
pub(super) fn query(filter: &Filter, kind: Show) -> ScopedSql {
    let order = match kind {
        Show::Dropped => "f.week_change",
        Show::Stale => "f.updated_at desc",
        Show::Below | Show::All => "f.percentage",
    };
    let mut sql = Sql::new(
        "with found as materialized (
             select s.repository_id, s.org_name, s.repo_name, s.language, s.updated_at, ",
    );
    sql.push(&filter.percentage()).push(" as percentage, ");
    match kind {
        Show::Dropped => filter.push_change(&mut sql, DROP_DAYS),
        _ => drop(sql.push("cast(null as bigint)")),
    }
    sql.push(" as week_change from main_records s where ");
    let mut sql = filter.applied_to(sql);
    sql.push(
        ")
         select f.org_name, f.repo_name, f.language, f.percentage, f.updated_at,
                f.week_change as change,
                (select count(distinct f.repository_id) from found f) as repositories
         from found f order by ",
    );
    sql.push(order);
    sql.push(", f.org_name, f.repo_name, f.language limit ")
        .push_bind(SHOWN);
    sql
}
