//! Selects the rows of the summary table for an overview request.

use crate::{
    main_records::week_ago::percentage_at,
    names::below,
    sql::{ScopedSql, ScopedText, Sql, readable},
    text::containing,
};
use domain::{DAY, DROP_DAYS, OverviewQuery, Percentage, Show, Timestamp, stale_since};

/// Conditions on rows `s` of the summary.
#[derive(Clone)]
pub(super) struct Filter {
    pub(super) pattern: Option<String>,
    pub(super) org: Option<String>,
    pub(super) language: Option<String>,
    pub(super) show: Show,
    pub(super) target: i64,
    pub(super) now: Timestamp,
}

impl Filter {
    pub(super) fn new(query: &OverviewQuery, target: Percentage, now: Timestamp) -> Self {
        let is_searched = !query.keyword.is_empty();
        Self {
            pattern: is_searched.then(|| containing(&query.keyword)),
            org: query.org.clone().map(String::from),
            language: query.language.clone().map(String::from),
            show: query.show,
            target: target.basis_points().into(),
            now,
        }
    }

    pub(super) fn applied_to(&self, sql: Sql) -> ScopedSql {
        const READABLE: ScopedText = ScopedText::new(readable!("s"));
        let mut sql = sql.scoped(READABLE);
        if let Some(pattern) = &self.pattern {
            sql.push(" and ")
                .push_like("lower(s.org_name || '/' || s.repo_name)", pattern);
        }
        if let Some(org) = &self.org {
            let [begin, end] = below(org);
            sql.push(" and (s.org_name = ").push_bind(org.clone());
            sql.push(" or (s.org_name > ").push_bind(begin);
            sql.push(" and s.org_name < ").push_bind(end).push("))");
        }
        if let Some(language) = &self.language {
            sql.push(" and s.language = ").push_bind(language.clone());
        }
        match self.show {
            Show::All => {}
            Show::Below => {
                sql.push(" and s.percentage_basis_points < ")
                    .push_bind(self.target);
            }
            Show::Stale => {
                sql.push(" and s.updated_at <= ")
                    .push_bind(stale_since(self.now).0);
            }
            Show::Dropped => {
                sql.push(" and ");
                self.push_change(&mut sql, DROP_DAYS);
                sql.push(" < 0");
            }
        }
        sql
    }

    /// Adds the change over the last `days`, or since the first record if that record is younger; null if there is only one
    /// record.
    pub(super) fn push_change(&self, sql: &mut Sql, days: i64) {
        sql.push("(case when s.updated_at <= ");
        let then = sql.place(self.now.0 - days * DAY);
        sql.push(&then).push(" then 0");
        if days == DROP_DAYS {
            sql.push(" when s.week_ago_from <= ").push(&then);
            sql.push(" and s.week_ago_until > ").push(&then);
            sql.push(" then s.percentage_basis_points - s.percentage_week_ago");
        }
        sql.push(" else s.percentage_basis_points - ")
            .push(&percentage_at!("s", "$then").replace("$then", &then))
            .push(" end)");
    }
}
