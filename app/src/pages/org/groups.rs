//! The groups of an org, or all orgs, side by side.

use super::{arithmetic, counted, on_paper, subject, within};
use crate::{
    Target,
    charts::sparkline_of,
    components::{
        change::Change,
        coverage::Coverage,
        name::Name,
        sortable::{Column, RowFilter, Sortable, change, number, percentage, text},
    },
    links,
    numbers::{grouped, whole},
};
use domain::{
    Change as Points, Count, DayPoint, GroupRow, OrgPoint, OrgQuery, OrgReport, Percentage, Period,
    RepositoryCounts, STALE_DAYS,
};
use leptos::prelude::*;

/// The maximum number of rows. The CSV file has all.
const SHOWN: usize = 500;

/// A card with a row for each group, linked to its page; nothing if there are no groups.
#[component]
pub(super) fn Groups(
    /// The report of the org, or of all orgs.
    report: OrgReport,
    /// The query of the page; the links to groups keep its choices.
    query: OrgQuery,
) -> impl IntoView {
    if report.groups.is_empty() {
        return ().into_any();
    }
    let Target(target) = expect_context();
    let all = report.groups.len();
    let hidden = all.saturating_sub(SHOWN);
    let sortable = Sortable::new("groups", columns(&query)).only_if(hidden == 0);
    let shown = all.min(SHOWN);
    let rows = sortable.sorted(&report.groups[..shown]).into_iter();
    let rows = rows.map(|(keys, group)| row(keys, group, &report, &query));
    // The page of all orgs is printed whole: its table is the comparison.
    let is_cut = query.org.is_some() && shown > on_paper::GROUPS;
    let class = match query.org {
        Some(_) => "groups short",
        None => "groups",
    };
    let (title, about) = heading(&report, &query);
    let what = arithmetic::group(&query);
    view! {
        <section class="card" aria-labelledby="groups">
            <div class="head">
                <h2 id="groups">{title}</h2>
                <span class="muted small">{about}</span>
                <span class="grow"></span>
                <RowFilter table="groups" rows=shown what=if query.org.is_some() { "groups" } else { "orgs" }/>
                <a class="btn small" rel="external" download href=links::org_csv(&query, "groups")>{format!("{} as CSV", capital(what))}</a>
            </div>
            <table class=class aria-labelledby="groups" data-testid="groups" data-sortable="groups">
                {sortable.head()}
                <tbody>{rows.collect_view()}</tbody>
                <tfoot>{total(&report, &query)}</tfoot>
            </table>
            {on_paper::more(is_cut, counted(u32::try_from(shown).unwrap_or(u32::MAX), "group", "groups"))}
            {(hidden > 0).then(|| view! { <p class="muted small note">{format!("{hidden} more are in the CSV file.")}</p> })}
            <p class="muted small note">{statement(target)}</p>
        </section>
    }
    .into_any()
}

/// The heading, and how the numbers relate to the groups below.
fn heading(report: &OrgReport, query: &OrgQuery) -> (String, &'static str) {
    let inside = "included in this org's numbers; each includes its own groups";
    match (&query.org, &report.parent) {
        (Some(_), _) => ("Groups".to_owned(), inside),
        (None, None) => ("All orgs".to_owned(), "each includes its groups"),
        (None, Some(only)) => (
            format!("Groups of {only}, the only org"),
            "each includes its own groups",
        ),
    }
}

fn capital(what: &str) -> &'static str {
    match what {
        "org" => "Orgs",
        _ => "Groups",
    }
}

/// Explains the counts of repositories.
fn statement(target: Percentage) -> String {
    format!(
        "On target: how many of the repositories with a value at the end of the period have at least {}. Repositories that do not \
         count for the coverage are included. Stale: how many had no upload in the last {STALE_DAYS} days of the period.",
        whole(target)
    )
}

fn columns(query: &OrgQuery) -> Vec<Column<GroupRow>> {
    let what = capital(arithmetic::group(query))
        .trim_end_matches('s')
        .to_owned();
    vec![
        Column::new("name", &what, "", |row| text(&row.org)),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(row.coverage)
        }),
        Column::new("change", "Change", "num", |row| change(row.change)),
        Column::fixed("Trend", "c-trend"),
        Column::largest_first("repositories", "Repositories", "num", |row| {
            number(Some(row.counts.in_period))
        }),
        Column::new("target", "On target", "num", |row| {
            number(row.counts.share_on_target())
        }),
        Column::largest_first("stale", "Stale", "num", |row| {
            number(Some(row.counts.stale))
        }),
        Column::largest_first("lines", "Lines", "num", |row| {
            number(row.lines.map(|lines| lines.total))
        }),
    ]
}

fn row(
    keys: String,
    group: &GroupRow,
    report: &OrgReport,
    query: &OrgQuery,
) -> impl IntoView + use<> {
    let same_view = OrgQuery {
        org: Some(group.org.clone()),
        ..query.clone()
    };
    let name = within(report.parent.as_ref(), group.org.as_str());
    view! {
        <tr data-keys=keys>
            <th scope="row"><a class="name" href=links::org_view(&same_view)><Name text=name/></a></th>
            {coverage(group.coverage, group.lines)}
            {numbers(group.change, trend(&group.points, report.period), group.counts, group.lines)}
        </tr>
    }
}

/// The row of the whole org, which includes the repositories that are in no group.
fn total(report: &OrgReport, query: &OrgQuery) -> impl IntoView + use<> {
    let (last, name) = (report.last().copied(), subject(query));
    let lines = last.and_then(|point| point.lines);
    view! {
        <tr>
            <th scope="row"><Name text=name/></th>
            {coverage(last.and_then(|point| point.coverage), lines)}
            {numbers(report.change, trend(&report.points, report.period), report.counts, lines)}
        </tr>
    }
}

fn coverage(percentage: Option<Percentage>, lines: Option<Count>) -> impl IntoView {
    let coverage = match percentage {
        Some(percentage) => view! { <Coverage percentage lines/> }.into_any(),
        None => view! { <span class="muted">"no value"</span> }.into_any(),
    };
    view! { <td class="c-cov">{coverage}</td> }
}

fn numbers(
    change: Option<Points>,
    trend: impl IntoView,
    counts: RepositoryCounts,
    lines: Option<Count>,
) -> impl IntoView {
    let share = counts.share_on_target().map_or_else(
        || "–".to_owned(),
        |share| {
            let (part, all) = (
                grouped(counts.on_target.into()),
                grouped(counts.at_end.into()),
            );
            format!("{share}\u{202f}% ({part} of {all})")
        },
    );
    let lines = lines.map_or_else(|| "not counted".to_owned(), |lines| grouped(lines.total));
    view! {
        <td class="num" data-label="Change"><Change change/></td>
        <td class="c-trend">{trend}</td>
        <td class="num" data-label="Repositories">{grouped(counts.in_period.into())}</td>
        <td class="num" data-label="On target">{share}</td>
        <td class="num" data-label="Stale">{grouped(counts.stale.into())}</td>
        <td class="num" data-label="Lines">{lines}</td>
    }
}

fn trend(points: &[OrgPoint], period: Period) -> impl IntoView + use<> {
    let points: Vec<_> = points
        .iter()
        .filter_map(|point| {
            Some(DayPoint {
                at: point.day.start(),
                percentage: point.coverage?,
            })
        })
        .collect();
    sparkline_of(&points, period.from.start(), period.to.start())
}
