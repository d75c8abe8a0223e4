//! One repository in one language.

use crate::{
    charts::sparkline,
    components::{
        change::Change,
        coverage::Coverage,
        name::{Name, repository_link},
        time::Age,
    },
    links::{self, ReportLinks},
};
use domain::{Percentage, RepositoryRow, STALE_DAYS, Timestamp};
use leptos::prelude::*;

#[component]
pub(super) fn Row(
    row: RepositoryRow,
    /// Whether the name includes the org.
    has_org: bool,
    /// The number of days of the second change.
    days: i64,
    now: Timestamp,
    target: Percentage,
) -> impl IntoView {
    let reports: ReportLinks = expect_context();
    let report = row.has_report.then(|| {
        let label = format!("HTML report of {}, {}", row.repository, row.language);
        view! { <a class="small" rel="external" href=reports.report(row.record_id) aria-label=label>"HTML ↗"</a> }
    });
    let is_stale = row.is_stale(now);
    let stale = is_stale.then(|| {
        let title = format!("No upload for {STALE_DAYS} days");
        view! { <span class="chip stale" title=title>"stale"</span> }
    });
    view! {
        <tr>
            <th scope="row">
                <span class="names">
                    {repository_link(&row.repository, has_org)}
                    <span class="chip">{row.language.to_string()}</span>
                    {stale}
                </span>
            </th>
            <td class="c-cov"><Coverage percentage=row.percentage lines=row.lines target=target/></td>
            <td class="c-change num"><span class="label">"Last "</span><Change change=row.change/></td>
            <td class="c-days num">
                <span class="label">{days} " days "</span>
                <Change change=row.period_change/>
            </td>
            <td class="c-trend">{sparkline(&row.trend, now, is_stale)}</td>
            <td class="c-branch"><Name text=row.branch.to_string() class="mono"/></td>
            <td class="c-time"><Age at=row.updated_at now href=links::record(row.record_id)/></td>
            <td class="c-link num">{report}</td>
        </tr>
    }
}
