//! The list: sorted by name, one card for each org; in any other order, one card for all.

use super::orders::{heading as sorting, ordered};
use crate::{
    charts::sparkline,
    components::{
        card::card,
        change::Change,
        coverage::{Coverage, Percent},
        name::{Name, repository_link},
        new_code,
        pager::pager,
        time::Age,
    },
    links::{self, ReportLinks},
    numbers::repositories,
};
use domain::{
    DAY, Metric, Order, OrgName, OrgQuery, OrgSummary, Overview, OverviewColumn, OverviewQuery,
    RepositoryQuery, RepositoryRow, STALE_DAYS, Sort, StatedMetric, TREND_DAYS, Timestamp,
};
use leptos::prelude::*;

/// The tables between the links to their orders and to the other pages.
pub(super) fn list(overview: &Overview) -> impl IntoView + use<> {
    let (query, rows) = (&overview.query, &overview.rows);
    let table = |rows: &[RepositoryRow], label: String| table(rows, label, overview);
    let cards = if query.sort.column == OverviewColumn::Name {
        rows.chunk_by(|one, other| one.repository.org == other.repository.org)
            .map(|rows| {
                let org = &rows[0].repository.org;
                let summary = overview.orgs.iter().find(|summary| summary.org == *org);
                view! {
                    <section class="card" aria-label=org.to_string() data-testid="org">
                        {heading(org, summary, rows, query.metric)}
                        {table(rows, format!("Repositories of {org}"))}
                    </section>
                }
            })
            .collect_view()
            .into_any()
    } else {
        let title = ordered(query.sort);
        card("list", title, None::<()>, table(rows, title.to_owned()))
    };
    let to = |page| {
        links::overview(&OverviewQuery {
            page,
            ..query.clone()
        })
    };
    view! {
        // The title of a column, such as "7 days", does not say which order it gives. The browser announces these words.
        <div class="repositories" data-order=format!("{}.", ordered(query.sort))>
            {cards}
            {pager("pager", "Pages", (query.page, overview.pages), to)}
        </div>
    }
}

/// The heading of an org; its numbers cover the whole org, not only the shown rows. The groups have headings of their own.
fn heading(
    org: &OrgName,
    summary: Option<&OrgSummary>,
    rows: &[RepositoryRow],
    metric: StatedMetric,
) -> impl IntoView + use<> {
    let shown = rows
        .chunk_by(|one, other| one.repository == other.repository)
        .count();
    let shown = u32::try_from(shown).unwrap_or(u32::MAX);
    let count = match summary.map_or(shown, |summary| summary.repositories) {
        all if all > shown => format!("{shown} of {}", repositories(all)),
        all => repositories(all),
    };
    let groups = match summary.is_some_and(|summary| summary.has_groups) {
        true => "with its groups, ",
        false => "",
    };
    let weighted = format!("coverage {groups}weighted by {metric}");
    let percentage = summary
        .and_then(|summary| summary.percentage)
        .map(|percentage| {
            view! {
                <span class="together">
                    <span class="small muted">{weighted}</span>
                    " "
                    <b>{percentage.to_string()}<Percent/></b>
                </span>
            }
        });
    let org_query = OrgQuery {
        metric,
        ..OrgQuery::new(org.clone())
    };
    view! {
        <div class="head">
            <h2><a href=links::org_view(&org_query)><bdi>{org.to_string()}</bdi></a></h2>
            <span class="muted small">{count}</span>
            <span class="grow"></span>
            {percentage}
        </div>
    }
}

fn table(rows: &[RepositoryRow], label: String, overview: &Overview) -> impl IntoView + use<> {
    let query = &overview.query;
    let days = query.change_days();
    // Every table of the page has the same columns.
    let has_new = overview.rows.iter().any(|row| row.new_code.is_some());
    let rows: Vec<_> = rows
        .iter()
        .map(|each| row(each, query, overview.now, has_new))
        .collect();
    let new = has_new.then(|| view! { <th scope="col" class="c-new num">"New code"</th> });
    let by_change = format!("Change over {days} days, or since the first record");
    view! {
        <table class="repos" aria-label=label>
            <thead>
                <tr>
                    {sorting(query, Sort::default(), "Repository".to_owned(), "", None)}
                    {sorting(query, Order::ascending(OverviewColumn::Coverage), "Coverage".to_owned(), "c-cov", None)}
                    {new}
                    <th scope="col" class="c-change num" title="Since the previous record">"Last change"</th>
                    {sorting(query, Order::ascending(OverviewColumn::Change), format!("{days} days"), "c-days num", Some(by_change))}
                    <th scope="col" class="c-trend" title=format!("The last {TREND_DAYS} days")>"Trend"</th>
                    <th scope="col" class="c-branch">"Branch"</th>
                    {sorting(query, Order::descending(OverviewColumn::Uploaded), "Uploaded".to_owned(), "c-time", None)}
                    <th scope="col" class="c-link"><span class="unseen">"Report"</span></th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

fn row(
    row: &RepositoryRow,
    query: &OverviewQuery,
    now: Timestamp,
    has_new: bool,
) -> impl IntoView + use<> {
    let days = query.change_days();
    // Only the list by name has the org above the rows.
    let has_org = query.sort.column != OverviewColumn::Name;
    let reports: ReportLinks = expect_context();
    let report = row.has_report.then(|| {
        let label = format!("HTML report of {}, {}", row.repository, row.language);
        view! { <a class="small" rel="external" href=reports.report(row.record_id) aria-label=label>"HTML ↗"</a> }
    });
    let unit = query.metric.word();
    let coverage = match row.percentage {
        Some(percentage) => view! { <Coverage percentage lines=row.lines unit/> }.into_any(),
        None => view! { <span class="muted small">"not counted"</span> }.into_any(),
    };
    let new = row.new_code.and_then(|(new, day)| {
        let (percentage, lines) = new_code::new_code(new)?;
        let of_new = RepositoryQuery {
            metric: Metric::New,
            ..RepositoryQuery::default()
        };
        let href = links::repository_page(&row.repository, &of_new);
        let text = format!("{percentage}\u{202f}%");
        let label = format!(
            "New code {text} of {lines}: {}, {}",
            row.repository, row.language
        );
        Some(view! {
            <a href=href title=new_code::about(new, day) aria-label=label>{text}</a>
        })
    });
    let new = match new {
        Some(new) => new.into_any(),
        None => view! { <span class="muted">"–"</span> }.into_any(),
    };
    let new = has_new.then(|| view! { <td class="c-new num small">{new}</td> });
    let since = Timestamp(now.0 - TREND_DAYS * DAY);
    let is_stale = row.is_stale(now);
    let stale = is_stale.then(|| {
        let title = format!("No upload for {STALE_DAYS} days");
        view! { <span class="chip stale" title=title>"stale"</span> }
    });
    // A first record has no changes and no trend.
    let is_first = row.change.is_none() && row.period_change.is_none();
    view! {
        <tr class=is_first.then_some("first")>
            <th scope="row">
                <span class="names">
                    {repository_link(&row.repository, has_org)}
                    <span class="chip">{row.language.to_string()}</span>
                    {stale}
                </span>
            </th>
            <td class="c-cov">{coverage}</td>
            {new}
            <td class="c-change num"><span class="label">"Last change "</span><Change change=row.change/></td>
            <td class="c-days num">
                <span class="label">{days} " days "</span>
                <Change change=row.period_change/>
            </td>
            <td class="c-trend">{sparkline(&row.trend, (since, now), is_stale)}</td>
            <td class="c-branch"><Name text=row.branch.to_string() class="mono"/></td>
            <td class="c-time"><Age at=row.updated_at now href=links::record(row.record_id)/></td>
            <td class="c-link num">{report}</td>
        </tr>
    }
}
