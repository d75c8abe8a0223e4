//! The records of an author.

use crate::{
    components::{
        change::Change,
        coverage::Coverage,
        name::Name,
        sortable::{Column, RowFilter, Sortable, change, number, percentage, text},
        time::Age,
    },
    links::{self, ReportLinks},
};
use domain::{AuthorRecord, Timestamp};
use leptos::prelude::*;

/// A row for each record, newest first.
#[component]
pub(super) fn RecordTable(
    /// The records.
    records: Vec<AuthorRecord>,
    /// Whether these are all records of the author.
    is_whole: bool,
    /// When the page was built.
    now: Timestamp,
) -> impl IntoView {
    let reports: ReportLinks = expect_context();
    let sortable = Sortable::new("records", columns())
        .given_in("uploaded", true)
        .only_if(is_whole);
    let order = (!is_whole).then_some("newest first");
    let count = records.len();
    let rows = sortable.sorted(&records).into_iter();
    let rows = rows.map(|(keys, record)| row(keys, record.clone(), now, &reports));
    view! {
        <section class="card" aria-labelledby="records">
            <div class="head"><h2 id="records">"Records"</h2><span class="muted small">{order}</span><span class="grow"></span><RowFilter table="records" rows=count what="records"/></div>
            <table class="by-author" aria-labelledby="records" data-sortable="records">
                {sortable.head()}
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </section>
    }
}

fn columns() -> Vec<Column<AuthorRecord>> {
    vec![
        Column::new("name", "Repository and branch", "", |row| {
            text(format!(
                "{} {} {}",
                row.repository, row.branch, row.language
            ))
        }),
        Column::fixed("Commit", "c-commit"),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(Some(row.percentage))
        }),
        Column::new("change", "Change", "c-change num", |row| change(row.change)),
        Column::largest_first("uploaded", "Uploaded", "c-time", |row| {
            number(Some(row.updated_at.0))
        }),
        Column::fixed("Report", "c-link").unseen(),
    ]
}

fn row(
    keys: String,
    record: AuthorRecord,
    now: Timestamp,
    reports: &ReportLinks,
) -> impl IntoView + use<> {
    let AuthorRecord {
        record_id,
        repository,
        branch,
        commit,
        language,
        percentage,
        lines,
        change,
        updated_at,
        has_report,
    } = record;
    let of = format!("of {repository}, {branch}, {language}, commit {commit}");
    let report = has_report.then(|| {
        let label = format!("HTML report {of}");
        view! { <a href=reports.report(record_id) rel="external" aria-label=label>"HTML ↗"</a> }
    });
    view! {
        <tr data-keys=keys>
            <th scope="row">
                <a class="name" href=links::repository(&repository)><Name text=repository.to_string()/></a>
                <span class="chip">{language.to_string()}</span>
                <span class="of-branch"><a href=links::branch(&repository, &branch)><Name text=branch.to_string()/></a></span>
            </th>
            <td class="c-commit mono"><a href=links::record(record_id) title=format!("Record {of}")>{commit.short().to_owned()}</a></td>
            <td class="c-cov"><Coverage percentage lines/></td>
            <td class="c-change num"><Change change/></td>
            <td class="c-time"><Age at=updated_at now/></td>
            <td class="c-link num small">{report}</td>
        </tr>
    }
}
