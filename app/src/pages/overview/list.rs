//! The list: sorted by name, one card for each org; in any other order, one card for all.

use super::{row::Row, wording};
use crate::{components::coverage::Percent, links};
use domain::{
    OrgName, OrgSummary, OverviewQuery, Percentage, RepositoryRow, Sort, TREND_DAYS, Timestamp,
};
use leptos::prelude::*;

/// The rows of one page.
#[component]
pub(super) fn List(
    /// The query of the page.
    query: OverviewQuery,
    /// The rows, in the order of the query.
    rows: Vec<RepositoryRow>,
    /// Their orgs.
    orgs: Vec<OrgSummary>,
    /// When the page was built.
    now: Timestamp,
    /// The target coverage.
    target: Percentage,
) -> impl IntoView {
    let days = query.change_days();
    if rows.is_empty() {
        return None;
    }
    let cards = match query.sort {
        Sort::Name => rows
            .chunk_by(|one, other| one.repository.org == other.repository.org)
            .map(|rows| {
                let org = &rows[0].repository.org;
                let summary = orgs.iter().find(|summary| summary.org == *org);
                view! {
                    <section class="card" aria-label=org.to_string() data-testid="org">
                        {heading(org, summary, rows)}
                        {table(rows, format!("Repositories of {org}"), false, days, now, target)}
                    </section>
                }
            })
            .collect_view()
            .into_any(),
        sort => view! {
            <section class="card" aria-labelledby="list">
                <div class="head"><h2 id="list">{wording::ordered(sort)}</h2></div>
                {table(&rows, wording::ordered(sort).to_owned(), true, days, now, target)}
            </section>
        }
        .into_any(),
    };
    Some(cards)
}

/// The heading of an org; its numbers cover the whole org, not only the shown rows.
fn heading(
    org: &OrgName,
    summary: Option<&OrgSummary>,
    rows: &[RepositoryRow],
) -> impl IntoView + use<> {
    let shown = rows
        .chunk_by(|one, other| one.repository == other.repository)
        .count();
    let shown = u32::try_from(shown).unwrap_or(u32::MAX);
    let count = match summary.map_or(shown, |summary| summary.repositories) {
        all if all > shown => format!("{shown} of {}", wording::repositories(all)),
        all => wording::repositories(all),
    };
    let weighted = if summary.is_some_and(|summary| summary.has_groups) {
        "without its groups, weighted by lines"
    } else {
        "weighted by lines"
    };
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
    view! {
        <div class="head">
            <h2><a href=links::org(org)><bdi>{org.to_string()}</bdi></a></h2>
            <span class="muted small">{count}</span>
            <span class="grow"></span>
            {percentage}
        </div>
    }
}

fn table(
    rows: &[RepositoryRow],
    label: String,
    has_org: bool,
    days: i64,
    now: Timestamp,
    target: Percentage,
) -> impl IntoView + use<> {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| view! { <Row row=row.clone() has_org days now target/> })
        .collect();
    view! {
        <table class="repos" aria-label=label>
            <thead>
                <tr>
                    <th scope="col">"Repository"</th>
                    <th scope="col" class="c-cov">"Coverage"</th>
                    <th scope="col" class="c-change num" title="Change since the previous record">"Last"</th>
                    <th scope="col" class="c-days num" title=format!("Change over {days} days, or since the first record")>{days} " days"</th>
                    <th scope="col" class="c-trend" title=format!("The last {TREND_DAYS} days")>"Trend"</th>
                    <th scope="col" class="c-branch">"Branch"</th>
                    <th scope="col" class="c-time">"Uploaded"</th>
                    <th scope="col" class="c-link"><span class="unseen">"Report"</span></th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}
