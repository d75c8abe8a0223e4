//! The records of an author. If one page has all of them, the browser sorts its rows.

use crate::{
    components::{
        card::card,
        change::Change,
        coverage::Coverage,
        name::{Name, repository_link},
        sortable::{Column, RowFilter, Sortable, change, number, percentage, text, words},
        time::Age,
    },
    links::{self, ReportLinks},
};
use domain::{AuthorDetail, AuthorRecord, Timestamp};
use leptos::prelude::*;
use std::cmp::Reverse;

/// A card with a row for each record, newest first, and `pager` below it.
pub(super) fn records(mut detail: AuthorDetail, pager: Option<AnyView>) -> AnyView {
    let mut sortable = Sortable::new("records", columns()).given_in("uploaded", true);
    let order = if detail.is_whole {
        // The table's own order, which decides between rows with the same value.
        detail
            .records
            .sort_by_key(|row| Reverse((row.record.updated_at, row.record.record_id)));
        // The headings show the order.
        detail.query.order = None;
        String::new()
    } else {
        sortable = sortable.in_parts(detail.query.order.as_ref(), &["after"]);
        match &detail.query.order {
            Some(order) => format!("the first {} by {}", detail.records.len(), words(order)),
            None => "newest first".to_owned(),
        }
    };
    let count = detail.records.len();
    let all = &detail.records;
    let rows = sortable.rows(all, |keys, record| {
        let is_of = |row: &&AuthorRecord| row.repository == record.repository;
        let mut others = all.iter().filter(is_of);
        let has_languages = others.any(|row| row.record.language != record.record.language);
        row(keys, record, has_languages, detail.now)
    });
    let beside = view! {
        <span class="muted small" role="status">{order}</span>
        <span class="grow"></span>
        <RowFilter table="records" rows=count what="records"/>
    };
    let content = view! {
        <table class="by-author" aria-labelledby="records" data-sortable="records">
            {sortable.head()}
            <tbody>{rows}</tbody>
        </table>
        {pager}
    };
    card("records", "Records", beside, content)
}

/// A row with its `data-keys`.
fn row(
    keys: String,
    record: &AuthorRecord,
    has_languages: bool,
    now: Timestamp,
) -> impl IntoView + use<> {
    let reports: ReportLinks = expect_context();
    let AuthorRecord {
        repository,
        branch,
        record,
    } = record;
    let (id, commit, language) = (record.record_id, &record.commit, &record.language);
    let of = format!("of {repository}, {branch}, {language}, commit {commit}");
    let report = record.has_report.then(|| {
        let label = format!("HTML report {of}");
        view! { <a href=reports.report(id) rel="external" aria-label=label>"HTML ↗"</a> }
    });
    let chip = has_languages.then(|| {
        view! { " "<span class="chip">{language.to_string()}</span> }
    });
    view! {
        <tr data-keys=keys>
            <th scope="row">{repository_link(repository, true)}{chip}</th>
            <td class="c-record">
                <a class="name mono small" href=links::record(id) title=format!("Record {of}")>{commit.short().to_owned()}</a>
                " "
                <span class="of-branch mono"><a href=links::branch(repository, branch)><Name text=branch.to_string()/></a></span>
            </td>
            <td class="c-cov"><Coverage percentage=record.percentage lines=record.lines/></td>
            <td class="c-change num"><Change change=record.change/></td>
            <td class="c-time"><Age at=record.updated_at now/></td>
            <td class="c-link num small">{report}</td>
        </tr>
    }
}

fn columns() -> Vec<Column<AuthorRecord>> {
    vec![
        Column::new("name", "Repository", "", |row: &AuthorRecord| {
            text(format!(
                "{} {} {}",
                row.repository, row.branch, row.record.language
            ))
        }),
        Column::fixed("Commit and branch", "c-record"),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(Some(row.record.percentage))
        }),
        Column::new("change", "Change on its branch", "c-change num", |row| {
            change(row.record.change)
        }),
        Column::largest_first("uploaded", "Uploaded", "c-time", |row| {
            number(Some(row.record.updated_at.0))
        }),
        Column::fixed("Report", "c-link").unseen(),
    ]
}
