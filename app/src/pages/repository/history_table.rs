//! The records of the chosen branch, newest first.

use super::Page;
use crate::{
    components::{
        change::Change,
        coverage::Coverage,
        name::Name,
        sortable::{Column, RowFilter, Sortable, change, number, percentage, text},
        time::Age,
    },
    links::{self, ReportLinks},
    numbers::grouped,
};
use domain::{HistoryOrder, HistoryPlace, HistoryRow};
use leptos::prelude::*;

/// A card with a row for each record, and links to newer and older records.
#[component]
pub(super) fn HistoryTable(page: Page) -> impl IntoView {
    let reports: ReportLinks = expect_context();
    let detail = &page.detail;
    let history = &detail.history;
    let is_whole = !matches!(page.query.place, HistoryPlace::Sorted(_))
        && history.newer.is_none()
        && history.older.is_none();
    let sortable = Sortable::new("history", columns())
        .given_in("uploaded", true)
        .only_if(is_whole);
    let head = if is_whole {
        sortable.head().into_any()
    } else {
        head(&page).into_any()
    };
    let filtered = if is_whole { history.rows.len() } else { 0 };
    let order = match page.query.place {
        HistoryPlace::Sorted(order) => {
            format!(", the first {} by {}", history.rows.len(), words(order))
        }
        _ if is_whole => String::new(),
        _ => ", newest first".to_owned(),
    };
    let rows = sortable.sorted(&history.rows).into_iter();
    let rows = rows.map(|(keys, row)| table_row(keys, row, &page, &reports));
    let is_empty = history.rows.is_empty();
    let counted = match history.records {
        1 => "1 record".to_owned(),
        records => format!("{} records", grouped(records)),
    };
    let in_language = page
        .query
        .language
        .as_ref()
        .map(|language| format!("; only {language} shown"));
    view! {
        <section class="card" aria-labelledby="history">
            <div class="head">
                <h2 id="history">"History"</h2>
                <span class="muted small" role="status"><bdi class="mono">{detail.branch.to_string()}</bdi>", "{counted}{in_language}{order}</span>
                <span class="grow"></span>
                <RowFilter table="history" rows=filtered what="records"/>
            </div>
            {is_empty.then(|| view! { <p class="muted note">"There are no records in this part of the history."</p> })}
            <table class="branches history" aria-labelledby="history" data-sortable="history" hidden=is_empty>
                {head}
                <tbody>{rows.collect_view()}</tbody>
            </table>
            {pager(&page)}
        </section>
    }
}

/// The headings of a history of several pages: links to the first page in another order.
fn head(page: &Page) -> impl IntoView + use<> {
    use HistoryOrder::{Drop, Highest, Lowest, Oldest, Rise};
    let place = page.query.place;
    let heading = |title: &'static str,
                   class: &'static str,
                   ascending: HistoryPlace,
                   descending: HistoryPlace| {
        let (sort, next) = if place == ascending {
            (Some("ascending"), descending)
        } else if place == descending {
            (Some("descending"), ascending)
        } else {
            (None, ascending)
        };
        let href = format!("{}#history", page.link(|query| query.place = next));
        // The focus stays at the heading, whose address changes.
        let id = format!("by-{}", title.to_ascii_lowercase());
        view! {
            <th scope="col" class=class aria-sort=sort><a class="sort" id=id href=href>{title}</a></th>
        }
    };
    let sorted = HistoryPlace::Sorted;
    view! {
        <thead>
            <tr>
                <th scope="col">"Commit"</th>
                {heading("Coverage", "c-cov", sorted(Lowest), sorted(Highest))}
                {heading("Change", "c-change num", sorted(Drop), sorted(Rise))}
                <th scope="col" class="c-author">"Author"</th>
                {heading("Uploaded", "c-time", sorted(Oldest), HistoryPlace::Newest)}
                <th scope="col" class="c-link"><span class="unseen">"Report"</span></th>
            </tr>
        </thead>
    }
}

fn words(order: HistoryOrder) -> &'static str {
    match order {
        HistoryOrder::Oldest => "upload, oldest first",
        HistoryOrder::Lowest => "coverage, lowest first",
        HistoryOrder::Highest => "coverage, highest first",
        HistoryOrder::Drop => "change, biggest drop first",
        HistoryOrder::Rise => "change, biggest rise first",
    }
}

fn columns() -> Vec<Column<HistoryRow>> {
    vec![
        Column::fixed("Commit", ""),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(Some(row.percentage))
        }),
        Column::new("change", "Change", "c-change num", |row| change(row.change)),
        Column::new("author", "Author", "c-author", |row| text(&row.author)),
        Column::largest_first("uploaded", "Uploaded", "c-time", |row| {
            number(Some(row.at.0))
        }),
        Column::fixed("Report", "c-link").unseen(),
    ]
}

fn table_row(
    keys: String,
    row: &HistoryRow,
    page: &Page,
    reports: &ReportLinks,
) -> impl IntoView + use<> {
    let commit = row.commit.to_string();
    let (percentage, lines, change) = (row.percentage, row.lines, row.change);
    let (at, now) = (row.at, page.detail.now);
    let report = row.has_report.then(|| {
        let label = format!("HTML report of commit {}, {}", row.commit, row.language);
        view! { <a class="small" rel="external" href=reports.report(row.record_id) aria-label=label>"HTML ↗"</a> }
    });
    let unconfirmed = (!row.is_confirmed).then(|| {
        view! { <span class="chip" title="Nothing proved that the branch contains this commit, so no trend includes the record.">"unconfirmed"</span> }
    });
    view! {
        <tr data-keys=keys>
            <th scope="row">
                <a href=links::record(row.record_id) class="name mono" title=commit.clone()>{row.commit.short().to_owned()}</a>
                <span class="chip">{row.language.to_string()}</span>
                {unconfirmed}
            </th>
            <td class="c-cov"><Coverage percentage lines/></td>
            <td class="c-change num"><Change change/></td>
            <td class="c-author"><a href=links::author(&row.author)><Name text=row.author.to_string()/></a></td>
            <td class="c-time"><Age at now/></td>
            <td class="c-link num">{report}</td>
        </tr>
    }
}

fn pager(page: &Page) -> Option<impl IntoView + use<>> {
    let history = &page.detail.history;
    let to = |place: HistoryPlace| format!("{}#history", page.link(|query| query.place = place));
    let (newer, older) = (history.newer.map(to), history.older.map(to));
    let is_sorted = matches!(page.query.place, HistoryPlace::Sorted(_));
    let newest = (newer.is_some() || is_sorted).then(|| to(HistoryPlace::Newest));
    (newest.is_some() || older.is_some()).then(|| {
        view! {
            <nav class="pager" aria-label="Pages of the history">
                {newest.map(|href| view! { <a href=href class="btn">"Newest"</a> })}
                {newer.map(|href| view! { <a href=href class="btn" rel="prev">"← Newer"</a> })}
                {older.map(|href| view! { <a href=href class="btn" rel="next">"Older →"</a> })}
            </nav>
        }
    })
}
