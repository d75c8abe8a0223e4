//! The repositories of one organisation.

use crate::{
    components::{change::Change, coverage::Coverage, name::Name, time::Age},
    domain::{OrgGroup, RepositoryRow, Timestamp},
    links::{self, ReportLinks},
};
use leptos::prelude::*;

/// A card with a row for each repository and language.
#[component]
pub(super) fn OrgTable(
    /// The organisation.
    group: OrgGroup,
    /// When the page was put together.
    now: Timestamp,
    /// Where the reports are.
    reports: ReportLinks,
) -> impl IntoView {
    let (org, label) = (group.org.to_string(), group.org.to_string());
    let repositories = group
        .rows
        .chunk_by(|a, b| a.repository == b.repository)
        .count();
    view! {
        <section class="card" aria-label=label data-testid="org">
            <div class="head">
                <h2>{org}</h2>
                <span class="muted small">{repositories} {if repositories == 1 { " repository" } else { " repositories" }}</span>
            </div>
            <table class="repos">
                <thead>
                    <tr>
                        <th scope="col">"Repository"</th>
                        <th scope="col" class="c-cov">"Coverage"</th>
                        <th scope="col" class="c-change num" title="Change since the record before">"Change"</th>
                        <th scope="col" class="c-branch">"Branch"</th>
                        <th scope="col" class="c-time">"Uploaded"</th>
                        <th scope="col" class="c-link"><span class="unseen">"Report"</span></th>
                    </tr>
                </thead>
                <tbody>{group.rows.into_iter().map(|row| view! { <Row row now reports=reports.clone()/> }).collect_view()}</tbody>
            </table>
        </section>
    }
}

#[component]
fn Row(row: RepositoryRow, now: Timestamp, reports: ReportLinks) -> impl IntoView {
    let page = links::repository(&row.repository);
    let report = row.has_report.then(|| {
        let label = format!("HTML report of {}", row.repository);
        view! { <a class="small" rel="external" href=reports.report(row.record_id) aria-label=label>"HTML ↗"</a> }
    });
    view! {
        <tr>
            <th scope="row">
                <a href=page class="name">{row.repository.repo.to_string()}</a>
                <span class="chip">{row.language.to_string()}</span>
            </th>
            <td class="c-cov"><Coverage percentage=row.percentage lines=row.lines/></td>
            <td class="c-change num"><Change change=row.change/></td>
            <td class="c-branch"><Name text=row.branch.to_string() class="mono"/></td>
            <td class="c-time"><Age at=row.updated_at now/></td>
            <td class="c-link num">{report}</td>
        </tr>
    }
}
