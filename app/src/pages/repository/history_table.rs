//! The records of the chosen branch, newest first. If one page has all of them, the browser sorts its rows.

use super::{Page, trend::period};
use crate::{
    components::{
        card::{card, note},
        change::Change,
        coverage::{Coverage, Target},
        name::Name,
        pull_requests::{gate_cell, request_link},
        sortable::{Column, RowFilter, Sortable, change, number, percentage, text, words},
        time::Age,
    },
    links::{self, ReportLinks},
    numbers::{counted, whole},
};
use domain::{
    Against, Day, HISTORY_PAGE, HistoryPosition, HistoryRow, RecordQuery, Repository,
    RepositoryDetail, Timestamp, TrendRange,
};
use leptos::prelude::*;

/// A card with a row for each record, and links to newer and older records.
pub(super) fn history(page: &Page) -> AnyView {
    let history = &page.detail.history;
    let order = match &page.query.place {
        HistoryPosition::Sorted(order) if history.records > HISTORY_PAGE => Some(order),
        _ => None,
    };
    let is_whole = order.is_none() && history.newer.is_none() && history.older.is_none();
    let has_gate = history.rows.iter().any(|row| row.verdict.is_some());
    let has_reports = history.rows.iter().any(|row| row.record.has_report);
    let mut languages = history.rows.iter().map(|row| &row.record.language);
    let first = languages.next();
    let has_languages = languages.any(|language| Some(language) != first);
    let mut sortable = Sortable::new("history", columns(is_whole, has_gate, has_reports))
        .given_in("uploaded", true);
    if !is_whole {
        sortable = sortable.in_parts(order, &["before", "after"]);
    }
    let described = match order {
        _ if is_whole => String::new(),
        Some(order) => format!(", the first {} by {}", history.rows.len(), words(order)),
        None => ", newest first".to_owned(),
    };
    let records = sortable.rows(&history.rows, |keys, record| {
        let shown = (has_gate, has_reports, has_languages);
        row(keys, record, &page.detail, shown)
    });
    let count = history.rows.len();
    let filter = is_whole.then(|| view! { <RowFilter table="history" rows=count what="records"/> });
    let counted = counted(history.records, "record", "records");
    let language = page.query.language.as_ref();
    let in_language = language.map(|language| format!(" in {language}"));
    let is_empty = history.rows.is_empty();
    let limits = (!is_empty).then(|| limits(&page.detail.repository, has_gate));
    let beside = view! {
        <span class="muted small" role="status">
            <bdi class="mono">{page.detail.branch.to_string()}</bdi>", "{counted}{in_language}", "{days(page)}{described}
        </span>
        <span class="grow"></span>
        {filter}
    };
    let content = view! {
        <div class="controls trend-controls">{period(page)}</div>
        {is_empty.then(|| nothing(page))}
        <table class="branches history" aria-labelledby="history" data-sortable="history" hidden=is_empty>
            {sortable.head()}
            <tbody>{records}</tbody>
        </table>
        {limits}
        {pager(page)}
    };
    card("history", "History", beside, content)
}

/// What the line on a bar means.
pub(super) fn limits(repository: &Repository, has_gate: bool) -> AnyView {
    let Target(target) = expect_context();
    let rules = has_gate.then(|| {
        let href = links::gate(repository);
        view! { " The "<a class="link" href=href>"gate"</a>" has its own limits." }
    });
    let target = format!("The line on each bar is the target, {}.", whole(target));
    note(view! { {target}{rules} })
}

/// The period in words.
fn days(page: &Page) -> String {
    let query = &page.query;
    if !query.has_dates() {
        return query.range.long().to_owned();
    }
    let (now, day) = (page.detail.now, |at| Day::of(at).long());
    let until = Timestamp(query.until(now).0 - 1);
    match query.since(now) {
        Some(since) => format!("{} to {}", day(since), day(until)),
        None => format!("until {}", day(until)),
    }
}

fn nothing(page: &Page) -> AnyView {
    let all = page.link(|query| {
        query.place = HistoryPosition::Newest;
        (query.range, query.from, query.to) = (TrendRange::All, None, None);
    });
    view! {
        <div class="message">
            <p>"There are no records in this part of the history."</p>
            <p><a class="btn" href=all>"Show all time"</a></p>
        </div>
    }
    .into_any()
}

fn pager(page: &Page) -> Option<impl IntoView + use<>> {
    let history = &page.detail.history;
    let to = |place| format!("{}#history", page.link(|query| query.place = place));
    let (newer, older) = (history.newer.map(to), history.older.map(to));
    let is_sorted =
        matches!(page.query.place, HistoryPosition::Sorted(_)) && history.records > HISTORY_PAGE;
    let newest = (newer.is_some() || is_sorted).then(|| to(HistoryPosition::Newest));
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

/// A row with its `data-keys`.
fn row(
    keys: String,
    row: &HistoryRow,
    detail: &RepositoryDetail,
    (has_gate, has_reports, has_languages): (bool, bool, bool),
) -> impl IntoView + use<> {
    let now = detail.now;
    let reports: ReportLinks = expect_context();
    let commit = row.record.commit.to_string();
    let (percentage, lines, change, at) = (
        row.record.percentage,
        row.record.lines,
        row.record.change,
        row.record.updated_at,
    );
    let report = row.record.has_report.then(|| {
        let label = format!("HTML report of commit {}, {}", row.record.commit, row.record.language);
        view! { <a class="small" rel="external" href=reports.report(row.record.record_id) aria-label=label>"HTML ↗"</a> }
    });
    let (state, why) = match row.is_complete {
        true => (
            "unconfirmed",
            ": nothing proved that the branch contains its commit.",
        ),
        false => ("incomplete", " while it waits for parts."),
    };
    let left_out = (!row.is_confirmed).then(|| {
        view! { <span class="chip" title=format!("No trend includes this record{why}")>{state}</span> }
    });
    let request = row.pull_request.as_ref();
    let request = request.map(|number| request_link(&detail.repository, number));
    let moved = match change {
        Some(_) => {
            let why = links::record_page(&RecordQuery {
                id: row.record.record_id,
                against: Against::Before,
                ..RecordQuery::default()
            });
            let href = format!("{why}#moved");
            view! { <a href=href title="why it changed"><Change change/></a> }.into_any()
        }
        None => view! { <Change change/> }.into_any(),
    };
    let gate = has_gate.then(|| gate_cell(row.record.record_id, row.verdict));
    view! {
        <tr data-keys=keys>
            <th scope="row">
                <a href=links::record(row.record.record_id) class="name mono" title=commit>{row.record.commit.short().to_owned()}</a>
                {has_languages.then(|| view! { <span class="chip">{row.record.language.to_string()}</span> })}
                {request}
                {left_out}
            </th>
            <td class="c-cov"><Coverage percentage lines/></td>
            <td class="c-change num">{moved}</td>
            {gate}
            <td class="c-author"><a href=links::author(&row.record.author)><Name text=row.record.author.to_string()/></a></td>
            <td class="c-time small">{at.day()}", "<Age at now/></td>
            {has_reports.then(|| view! { <td class="c-link num">{report}</td> })}
        </tr>
    }
}

/// Only a whole history can be sorted by author. Without a gate or a report, no column is about it.
fn columns(is_whole: bool, has_gate: bool, has_reports: bool) -> Vec<Column<HistoryRow>> {
    let author: fn(&HistoryRow) -> _ = |row| text(&row.record.author);
    let mut columns: Vec<Column<HistoryRow>> = vec![
        Column::fixed("Commit", ""),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(Some(row.record.percentage))
        }),
        Column::new("change", "Change", "c-change num", |row| {
            change(row.record.change)
        }),
    ];
    columns.extend(has_gate.then(|| Column::fixed("Gate", "c-gate")));
    columns.extend([
        match is_whole {
            true => Column::new("author", "Author", "c-author", author),
            false => Column::fixed("Author", "c-author"),
        },
        Column::largest_first("uploaded", "Uploaded", "c-time", |row| {
            number(Some(row.record.updated_at.0))
        }),
    ]);
    columns.extend(has_reports.then(|| Column::fixed("Report", "c-link").unseen()));
    columns
}
