//! The current record of one branch and language.

use super::Page;
use crate::{
    components::{change::Change, coverage::Coverage, name::Name, time::Age},
    links::{self, ReportLinks},
};
use domain::{BranchRow, CompareQuery, HistoryPlace};
use leptos::prelude::*;

/// A row with its `data-keys`.
pub(super) fn branch_row(
    keys: String,
    row: &BranchRow,
    page: &Page,
) -> impl IntoView + use<> {
    let reports: ReportLinks = expect_context();
    let is_main = row.branch == page.detail.main_branch;
    let branch_page = page.link(|query| {
        query.branch = (!is_main).then(|| row.branch.clone());
        query.place = HistoryPlace::Newest;
    });
    let is_chosen = (row.branch == page.detail.branch).then_some("true");
    let (percentage, lines, at, now) = (row.percentage, row.lines, row.updated_at, page.detail.now);
    let commit = row.commit.to_string();
    let report = row.has_report.then(|| {
        let label = format!("HTML report of {}, {}", row.branch, row.language);
        view! {
            <a class="small" rel="external" href=reports.report(row.record_id) aria-label=label>"HTML ↗"</a>
            <a class="small" rel="external" href=reports.download(row.record_id) aria-label=download_label(row)>"zip ↓"</a>
        }
    });
    let against_base = match row.against_base {
        _ if is_main => view! { <span class="muted small">"main branch"</span> }.into_any(),
        Some((base, change)) => {
            let title = format!("Compare {} with its base", row.branch);
            let href = links::compare(&CompareQuery::between(base, row.record_id));
            view! { <a href=href title=title><Change change=Some(change)/></a> }.into_any()
        }
        None => view! { <Change change=None/> }.into_any(),
    };
    view! {
        <tr aria-current=is_chosen data-keys=keys>
            <th scope="row">
                <a href=branch_page class="name mono"><Name text=row.branch.to_string()/></a>
                <span class="chip">{row.language.to_string()}</span>
            </th>
            <td class="c-cov"><Coverage percentage lines/></td>
            <td class="c-change num">{against_base}</td>
            <td class="c-commit mono"><a href=links::record(row.record_id) title=commit.clone()>{row.commit.short().to_owned()}</a></td>
            <td class="c-author"><a href=links::author(&row.author)><Name text=row.author.to_string()/></a></td>
            <td class="c-time"><Age at now/></td>
            <td class="c-link num">{report}</td>
        </tr>
    }
}

/// The label of a link to the HTML report as a zip file.
pub(super) fn download_label(row: &BranchRow) -> String {
    format!(
        "Download zip of the report of {}, {}, commit {}",
        row.branch, row.language, row.commit
    )
}
