//! The current record of every branch and language.

use super::download_label;
use crate::{
    components::{change::Change, coverage::Coverage, name::Name, time::Age},
    domain::{BranchRow, RepositoryDetail},
    links::{self, ReportLinks},
};
use leptos::prelude::*;

/// A card with a row for each branch and language; a branch's name leads to its trend.
#[component]
pub(super) fn BranchTable(
    /// The repository.
    detail: RepositoryDetail,
    /// Where the reports are.
    reports: ReportLinks,
) -> impl IntoView {
    let cut = (detail.branch_count as usize > detail.branches.len()).then(|| {
        format!(
            "The {} most recent of {} are shown.",
            detail.branches.len(),
            detail.branch_count
        )
    });
    view! {
        <section class="card" aria-labelledby="branches">
            <div class="head">
                <h2 id="branches">"Branches"</h2>
                <span class="muted small">"change against " <bdi>{detail.main_branch.to_string()}</bdi></span>
            </div>
            <table class="branches">
                <thead>
                    <tr>
                        <th scope="col">"Branch"</th>
                        <th scope="col" class="c-cov">"Coverage"</th>
                        <th scope="col" class="c-change num">"Change"</th>
                        <th scope="col" class="c-commit">"Commit"</th>
                        <th scope="col" class="c-author">"Author"</th>
                        <th scope="col" class="c-time">"Uploaded"</th>
                        <th scope="col" class="c-link"><span class="unseen">"Report"</span></th>
                    </tr>
                </thead>
                <tbody>{detail.branches.iter().map(|row| table_row(row, &detail, &reports)).collect_view()}</tbody>
            </table>
            {cut.map(|cut| view! { <p class="muted small note">{cut}</p> })}
        </section>
    }
}

fn table_row(
    row: &BranchRow,
    detail: &RepositoryDetail,
    reports: &ReportLinks,
) -> impl IntoView + use<> {
    let page = links::branch(&detail.repository, &row.branch);
    let is_chosen = (row.branch == detail.branch).then_some("true");
    let (percentage, lines, at, now) = (row.percentage, row.lines, row.updated_at, detail.now);
    let (branch, commit) = (row.branch.to_string(), row.commit.to_string());
    let short: String = commit.chars().take(8).collect();
    let report = row.has_report.then(|| {
        let label = format!("HTML report of {}, {}", row.branch, row.language);
        view! {
            <a class="small" rel="external" href=reports.report(row.record_id) aria-label=label>"HTML ↗"</a>
            <a class="small" rel="external" href=reports.download(row.record_id) aria-label=download_label(row)>"zip ↓"</a>
        }
    });
    let change = row.against_main;
    let against_main = match row.branch == detail.main_branch {
        true => view! { <span class="muted small">"main branch"</span> }.into_any(),
        false => view! { <Change change/> }.into_any(),
    };
    view! {
        <tr aria-current=is_chosen>
            <th scope="row">
                <a href=page class="name mono"><Name text=branch/></a>
                <span class="chip">{row.language.to_string()}</span>
            </th>
            <td class="c-cov"><Coverage percentage lines/></td>
            <td class="c-change num">{against_main}</td>
            <td class="c-commit mono" title=commit>{short}</td>
            <td class="c-author"><Name text=row.author.to_string()/></td>
            <td class="c-time"><Age at now/></td>
            <td class="c-link num">{report}</td>
        </tr>
    }
}
