//! The numbers of the chosen branch, large.

use super::download_label;
use crate::{
    components::{
        change::Change,
        coverage::{Percent, grouped},
        time::Age,
    },
    domain::{BranchRow, RepositoryDetail, Timestamp},
    links::ReportLinks,
};
use leptos::prelude::*;

/// One figure for each language of the branch; or a sentence where the branch is not current any more.
#[component]
pub(super) fn Headline(
    /// The repository.
    detail: RepositoryDetail,
    /// Where the reports are.
    reports: ReportLinks,
) -> impl IntoView {
    let several = detail.chosen().count() > 1;
    let figures = detail
        .chosen()
        .map(|row| figure(row, detail.now, several, &reports))
        .collect_view();
    let is_retired = detail.chosen().next().is_none();
    view! {
        <div class="figures" data-testid="headline">{figures}</div>
        {is_retired.then(|| view! {
            <p class="muted">"The branch "<bdi class="mono">{detail.branch.to_string()}</bdi>" is not active any more; its history is below."</p>
        })}
    }
}

fn figure(
    row: &BranchRow,
    now: Timestamp,
    names_language: bool,
    reports: &ReportLinks,
) -> impl IntoView + use<> {
    let lines = row.lines.map(|lines| {
        format!(
            "{} of {} lines",
            grouped(lines.covered),
            grouped(lines.total)
        )
    });
    view! {
        <div class="hero">
            <div class=format!("figure {}", row.percentage.level().class())>{row.percentage.to_string()}<small><Percent/></small></div>
            <p>
                {lines.map(|lines| view! { <span>{lines}</span>" · " })}
                {names_language.then(|| view! { <span class="chip">{row.language.to_string()}</span>" · " })}
                <bdi class="mono">{row.branch.to_string()}</bdi>
                <br/>
                {row.change.map(|change| view! { <Change change=Some(change)/>" since the record before · " })}
                <Age at=row.updated_at now/>
                " by "
                <bdi>{row.author.to_string()}</bdi>
            </p>
            {row.has_report.then(|| view! {
                <a class="btn" rel="external" href=reports.report(row.record_id)>"Open HTML report ↗"</a>
                <a class="btn" rel="external" href=reports.download(row.record_id) aria-label=download_label(row)>"Download"</a>
            })}
        </div>
    }
}
