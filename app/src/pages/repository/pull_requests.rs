//! The pull requests of the last days, each with its newest record.

use crate::{
    components::{
        card::{aside, card, number as cell, stacked},
        coverage::Coverage,
        name::Name,
        on_forge::forge_pages,
        time::Age,
    },
    links::{self, ForgePages},
    numbers::covered_of,
};
use domain::{Count, Percentage, PullRequestRow, RepositoryDetail, Timestamp, Verdict};
use leptos::prelude::*;

/// A card with a row for each pull request and language; nothing without pull requests.
pub(super) fn pull_requests(detail: &RepositoryDetail) -> Option<AnyView> {
    let run = detail.run_url.as_ref();
    let pages = forge_pages(&detail.repository, detail.forge.as_deref(), run);
    let rows = detail.pull_requests.iter();
    let rows = rows.map(|request| row(request, detail.now, pages.as_ref()));
    let columns = [
        ("Pull request", ""),
        ("Changed lines", "num"),
        ("Coverage", ""),
        ("Gate", ""),
        ("Uploaded", ""),
    ];
    let table = stacked(
        "pull-requests",
        "pull-requests",
        columns,
        rows.collect_view(),
    );
    let about = format!("uploaded in the last {} days", PullRequestRow::DAYS);
    (!detail.pull_requests.is_empty())
        .then(|| card("pull-requests", "Pull requests", aside(about), table))
}

fn row(
    request: &PullRequestRow,
    now: Timestamp,
    pages: Option<&ForgePages>,
) -> impl IntoView + use<> {
    let out = pages.map(|pages| {
        let label = format!("Pull request {} on {}", request.number, pages.name());
        let href = pages.pull_request(&request.number);
        view! { <a class="link" rel="external" href=href aria-label=label>"↗"</a>" " }
    });
    let number = format!("#{}", request.number);
    let branch = request.branch.to_string();
    let language = request.language.to_string();
    let href = format!("{}#changes", links::record(request.record_id));
    view! {
        <tr>
            <th scope="row">
                <a href=href>{number}</a>" "
                {out}
                <Name text=branch class="mono"/>" "
                <span class="chip">{language}</span>
            </th>
            {cell("Changed lines", changed(request.changed))}
            <td data-label="Coverage"><Coverage percentage=request.percentage lines=None/></td>
            <td data-label="Gate">{verdict(request.verdict)}</td>
            <td data-label="Uploaded"><Age at=request.updated_at now=now/></td>
        </tr>
    }
}

fn changed(changed: Option<Count>) -> String {
    match changed {
        None => "not known".to_owned(),
        Some(Count { total: 0, .. }) => "none coverable".to_owned(),
        Some(count) => {
            let of = covered_of(count);
            match Percentage::of(count) {
                Some(percentage) => format!("{of}, {percentage} %"),
                None => of,
            }
        }
    }
}

fn verdict(verdict: Option<Verdict>) -> impl IntoView + use<> {
    match verdict {
        None => view! { <span class="muted">"–"</span> }.into_any(),
        Some(verdict) => {
            let class = format!("verdict {}", verdict.word());
            view! { <span class=class>{verdict.word()}</span> }.into_any()
        }
    }
}
