//! The records of the chosen branch, newest first.

use super::Page;
use crate::{
    components::{change::Change, coverage::Coverage, name::Name, time::Age},
    links::{self, ReportLinks},
    numbers::grouped,
};
use domain::{HistoryPlace, HistoryRow};
use leptos::prelude::*;

/// A card with a row for each record, and links to newer and older records.
#[component]
pub(super) fn HistoryTable(page: Page) -> impl IntoView {
    let reports: ReportLinks = expect_context();
    let detail = &page.detail;
    let history = &detail.history;
    let rows = history
        .rows
        .iter()
        .map(|row| table_row(row, &page, &reports));
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
                <span class="muted small"><bdi class="mono">{detail.branch.to_string()}</bdi>", "{counted}{in_language}", newest first"</span>
            </div>
            {is_empty.then(|| view! { <p class="muted note">"There are no records in this part of the history."</p> })}
            <table class="branches history" aria-labelledby="history" hidden=is_empty>
                <thead>
                    <tr>
                        <th scope="col">"Commit"</th>
                        <th scope="col" class="c-cov">"Coverage"</th>
                        <th scope="col" class="c-change num">"Change"</th>
                        <th scope="col" class="c-author">"Author"</th>
                        <th scope="col" class="c-time">"Uploaded"</th>
                        <th scope="col" class="c-link"><span class="unseen">"Report"</span></th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
            {pager(&page)}
        </section>
    }
}

fn table_row(row: &HistoryRow, page: &Page, reports: &ReportLinks) -> impl IntoView + use<> {
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
        <tr>
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
    let newest = newer.as_ref().map(|_| to(HistoryPlace::Newest));
    (newer.is_some() || older.is_some()).then(|| {
        view! {
            <nav class="pager" aria-label="Pages of the history">
                {newest.map(|href| view! { <a href=href class="btn">"Newest"</a> })}
                {newer.map(|href| view! { <a href=href class="btn" rel="prev">"← Newer"</a> })}
                {older.map(|href| view! { <a href=href class="btn" rel="next">"Older →"</a> })}
            </nav>
        }
    })
}
