//! The records of an author.

use crate::{
    components::{change::Change, coverage::Coverage, name::Name, time::Age},
    links::{self, ReportLinks},
};
use domain::{AuthorRecord, Timestamp};
use leptos::prelude::*;

/// A row for each record, newest first.
#[component]
pub(super) fn RecordTable(records: Vec<AuthorRecord>, now: Timestamp) -> impl IntoView {
    let reports: ReportLinks = expect_context();
    view! {
        <section class="card" aria-labelledby="records">
            <div class="head"><h2 id="records">"Records"</h2><span class="muted small">"newest first"</span></div>
            <table class="by-author" aria-labelledby="records">
                <thead>
                    <tr>
                        <th scope="col">"Repository and branch"</th>
                        <th scope="col" class="c-commit">"Commit"</th>
                        <th scope="col" class="c-cov">"Coverage"</th>
                        <th scope="col" class="c-change num">"Change"</th>
                        <th scope="col" class="c-time">"Uploaded"</th>
                        <th scope="col" class="c-link"><span class="unseen">"Report"</span></th>
                    </tr>
                </thead>
                <tbody>{records.into_iter().map(|record| row(record, now, &reports)).collect_view()}</tbody>
            </table>
        </section>
    }
}

fn row(record: AuthorRecord, now: Timestamp, reports: &ReportLinks) -> impl IntoView + use<> {
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
        <tr>
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
