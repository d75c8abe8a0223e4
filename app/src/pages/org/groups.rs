//! The groups of an org, or all orgs, side by side.

use super::{arithmetic, on_paper, subject, within};
use crate::{
    Target,
    charts::sparkline,
    components::{
        card::{aside, card, note, number as cell},
        change::Change,
        coverage::Coverage,
        name::Name,
        sortable::{Column, RowFilter, Sortable, change, number, percentage, text},
    },
    links,
    numbers::{counted, grouped, whole as percent},
};
use domain::{
    Change as Points, DayPoint, GroupRow, OrgPoint, OrgQuery, OrgReport, Over, Percentage, Period,
    RepositoryCounts, STALE_DAYS,
};
use leptos::prelude::*;

/// The maximum number of rows. The CSV file has all.
const SHOWN: usize = 500;

/// A card with a row for each group, linked to its page; nothing if there are no groups.
pub(super) fn groups(report: &OrgReport, query: &OrgQuery) -> Option<AnyView> {
    if report.groups.is_empty() {
        return None;
    }
    let Target(target) = expect_context();
    let all = report.groups.len();
    let hidden = all.saturating_sub(SHOWN);
    let sortable = Sortable::new("groups", columns(query))
        .given_in("name", false)
        .only_if(hidden == 0);
    let shown = all.min(SHOWN);
    let rows = sortable.rows(&report.groups[..shown], |keys, group| {
        let same_view = OrgQuery {
            org: Some(group.org.clone()),
            ..query.clone()
        };
        let text = within(report.parent.as_ref(), group.org.as_str());
        let name = view! { <a class="name" href=links::org_view(&same_view)><Name text/></a> };
        let numbers = (group.whole, group.change);
        row(
            Some(keys),
            name,
            numbers,
            group.counts,
            trend(&group.points, report.period),
            query,
        )
    });
    // The page of all orgs is printed whole: its table is the comparison.
    let is_cut = query.org.is_some() && shown > on_paper::GROUPS;
    let class = match query.org {
        Some(_) => "groups short",
        None => "groups",
    };
    // The heading, and how the numbers relate to the groups below.
    let (title, about) = match (&query.org, &report.parent) {
        (Some(_), _) => (
            "Groups".to_owned(),
            "included in this org's numbers; each includes its own groups",
        ),
        (None, None) => ("All orgs".to_owned(), "each includes its groups"),
        (None, Some(only)) => (
            format!("Groups of {only}, the only org"),
            "each includes its own groups",
        ),
    };
    let (_, capital, several) = arithmetic::group(query);
    let about = match report.change {
        Some(_) => format!("{about}; change since {}", report.period.from.long()),
        None => about.to_owned(),
    };
    let beside = view! {
        {aside(about)}
        <span class="grow"></span>
        <RowFilter table="groups" rows=shown what=several/>
        <a class="btn small" rel="external" download href=links::org_csv(query, "groups")>{format!("{capital}s as CSV")}</a>
    };
    let content = view! {
        <table class=class aria-labelledby="groups" data-testid="groups" data-sortable="groups">
            {sortable.head()}
            <tbody>{rows}</tbody>
            <tfoot>{total(report, query)}</tfoot>
        </table>
        {on_paper::more(is_cut, counted(shown as u64, "group", "groups"))}
        {(hidden > 0).then(|| note(format!("{hidden} more are in the CSV file.")))}
        {note(statement(target, query.over))}
    };
    Some(card("groups", title, beside, content))
}

fn statement(target: Percentage, over: Over) -> String {
    let change = match over {
        Over::Same => {
            "Change and trend: of the repositories that have a value at both ends of the period. "
        }
        Over::All => "",
    };
    format!(
        "{change}On target: how many repositories have at least {} at the end of the period. Stale: how many had no upload in its last \
         {STALE_DAYS} days.",
        percent(target)
    )
}

fn columns(query: &OrgQuery) -> Vec<Column<GroupRow>> {
    let (_, what, _) = arithmetic::group(query);
    vec![
        Column::new("name", what, "", |row| text(&row.org)),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(row.whole.coverage)
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
        Column::largest_first("lines", query.metric.label(), "num", |row| {
            number(row.whole.lines.map(|lines| lines.total))
        }),
    ]
}

/// The row of the whole org, which includes the repositories that are in no group.
fn total(report: &OrgReport, query: &OrgQuery) -> AnyView {
    let name = view! { <Name text=subject(query)/> };
    let numbers = (report.whole, report.change);
    row(
        None,
        name,
        numbers,
        report.counts,
        trend(&report.points, report.period),
        query,
    )
}

/// A row; its numbers are the coverage with its lines, and the change.
fn row(
    keys: Option<String>,
    name: impl IntoView,
    (whole, change): (OrgPoint, Option<Points>),
    counts: RepositoryCounts,
    trend: impl IntoView,
    query: &OrgQuery,
) -> AnyView {
    let metric = query.metric;
    let lines = whole.lines;
    let coverage = match whole.coverage {
        Some(percentage) => view! { <Coverage percentage lines unit=metric.word()/> }.into_any(),
        None => view! { <span class="muted">"no value"</span> }.into_any(),
    };
    let share = counts.share_on_target().map(|share| {
        let (part, all) = (counts.on_target.into(), counts.at_end.into());
        format!("{share}\u{202f}% ({} of {})", grouped(part), grouped(all))
    });
    let lines = lines.map_or_else(|| "not counted".to_owned(), |lines| grouped(lines.total));
    view! {
        <tr data-keys=keys>
            <th scope="row">{name}</th>
            <td class="c-cov">{coverage}</td>
            {cell("Change", view! { <Change change/> })}
            <td class="c-trend">{trend}</td>
            {cell("Repositories", grouped(counts.in_period.into()))}
            {cell("On target", share.unwrap_or_else(|| "–".to_owned()))}
            {cell("Stale", grouped(counts.stale.into()))}
            {cell(metric.label(), lines)}
        </tr>
    }
    .into_any()
}

fn trend(points: &[OrgPoint], period: Period) -> impl IntoView + use<> {
    let points = points.iter().filter_map(|point| {
        Some(DayPoint {
            at: point.day.start(),
            percentage: point.coverage?,
        })
    });
    let points: Vec<_> = points.collect();
    let period = (period.from.start(), period.to.start());
    sparkline(&points, period, false)
}
