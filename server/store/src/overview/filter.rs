//! Selects the rows of the summary table for an overview request.

use crate::{
    main_records::week_ago::{of_row, percentage_at},
    metric::{has_percentage, percentage_of},
    names::below,
    sql::{ScopedSql, ScopedText, Sql, readable},
    text::containing,
};
use domain::{
    DAY, DROP_DAYS, OverviewQuery, Percentage, Show, StatedMetric, Timestamp, stale_since,
};

/// Conditions on rows `s` of the summary.
#[derive(Clone)]
pub(super) struct Filter {
    pub(super) pattern: Option<String>,
    pub(super) org: Option<String>,
    pub(super) language: Option<String>,
    pub(super) metric: StatedMetric,
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
            metric: query.metric,
            show: query.show,
            target: target.basis_points().into(),
            now,
        }
    }

    pub(super) fn applied_to(&self, sql: Sql) -> ScopedSql {
        const READABLE: ScopedText = ScopedText::new(readable!("s"));
        let mut sql = sql.scoped(READABLE);
        self.push_conditions(&mut sql);
        sql
    }

    /// Adds the conditions, for a query that already has the restriction to what its reader may read.
    pub(super) fn push_conditions(&self, sql: &mut Sql) {
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
        if self.show != Show::All {
            sql.push(" and ");
            self.push_kind(sql, self.show);
        }
    }

    /// Adds whether a row is of a kind; null if that is not known.
    pub(super) fn push_kind(&self, sql: &mut Sql, kind: Show) {
        match kind {
            Show::All => drop(sql.push("true")),
            Show::Below => drop(
                sql.push(&self.percentage())
                    .push(" < ")
                    .push_bind(self.target),
            ),
            Show::Stale => drop(
                sql.push("s.updated_at <= ")
                    .push_bind(stale_since(self.now).0),
            ),
            Show::Dropped => {
                self.push_change(sql, DROP_DAYS);
                sql.push(" < 0");
            }
        }
    }

    /// The basis points of a row `s`; null if they are not known.
    pub(super) fn percentage(&self) -> String {
        percentage_of(self.metric, "s")
    }

    /// The basis points before a row `s`; null if they are not known. Records without a percentage are skipped.
    pub(super) fn percentage_before(&self) -> String {
        if self.metric == StatedMetric::Lines {
            return "s.percentage_before".to_owned();
        }
        format!(
            "(select {} {} and h.id <> s.record_id{} order by h.updated_at desc limit 1)",
            percentage_of(self.metric, "h"),
            of_row!("s"),
            has_percentage(self.metric)
        )
    }

    /// The basis points of a row `s` at the moment `then`. Records without a percentage are skipped.
    fn percentage_at(&self, then: &str) -> String {
        const IS_CONFIRMED: &str = "h.unconfirmed_at is null";
        let of_metric = [IS_CONFIRMED, &has_percentage(self.metric)].concat();
        percentage_at!("s", "$then")
            .replace("$then", then)
            .replace(IS_CONFIRMED, &of_metric)
            .replace(
                "h.percentage_basis_points",
                &percentage_of(self.metric, "h"),
            )
    }

    /// Adds the change over the last `days`, or since the first record if that record is younger; null if there is only one
    /// record.
    pub(super) fn push_change(&self, sql: &mut Sql, days: i64) {
        let is_stored = self.metric == StatedMetric::Lines;
        sql.push("(case ");
        if !is_stored {
            sql.push("when ")
                .push(&self.percentage())
                .push(" is null then null ");
        }
        sql.push("when s.updated_at <= ");
        let then = sql.place(self.now.0 - days * DAY);
        sql.push(&then).push(" then 0");
        if days == DROP_DAYS && is_stored {
            sql.push(" when s.week_ago_from <= ").push(&then);
            sql.push(" and s.week_ago_until > ").push(&then);
            sql.push(" then s.percentage_basis_points - s.percentage_week_ago");
        }
        sql.push(" else ")
            .push(&self.percentage())
            .push(" - ")
            .push(&self.percentage_at(&then))
            .push(" end)");
    }
}
