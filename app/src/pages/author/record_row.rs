//! One record of an author.

use crate::{
    components::{change::Change, coverage::Coverage, name::Name, time::Age},
    links::{self, ReportLinks},
};
use domain::{AuthorRecord, Timestamp};
use leptos::prelude::*;

/// A row with its `data-keys`.
pub(super) fn author_row(
    keys: String,
    record: &AuthorRecord,
    now: Timestamp,
) -> impl IntoView + use<> {
    let reports: ReportLinks = expect_context();
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
        view! { <a href=reports.report(*record_id) rel="external" aria-label=label>"HTML ↗"</a> }
    });
    view! {
        <tr data-keys=keys>
            <th scope="row">
                <a class="name" href=links::repository(repository)><Name text=repository.to_string()/></a>
                <span class="chip">{language.to_string()}</span>
                <span class="of-branch"><a href=links::branch(repository, branch)><Name text=branch.to_string()/></a></span>
            </th>
            <td class="c-commit mono"><a href=links::record(*record_id) title=format!("Record {of}")>{commit.short().to_owned()}</a></td>
            <td class="c-cov"><Coverage percentage=*percentage lines=*lines/></td>
            <td class="c-change num"><Change change=*change/></td>
            <td class="c-time"><Age at=*updated_at now/></td>
            <td class="c-link num small">{report}</td>
        </tr>
    }
}
