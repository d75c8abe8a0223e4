//! The pull requests of the last days, each with its newest record.

use super::Page;
use crate::{
    components::{coverage::Coverage, name::Name, on_forge::forge_pages, time::Age},
    links::{self, ForgePages},
    numbers::grouped,
};
use domain::{Count, Percentage, PullRequestRow, Timestamp, Verdict};
use leptos::prelude::*;

/// A card with a row for each pull request and language; nothing without pull requests.
#[component]
pub(super) fn PullRequests(page: Page) -> impl IntoView {
    let detail = &page.detail;
    let rows = detail.pull_requests.iter();
    let pages = forge_pages(
        &detail.repository,
        detail.forge.as_deref(),
        detail.run_url.as_ref(),
    );
    let rows = rows.map(|request| row(request, detail.now, pages.as_ref()));
    let rows = rows.collect_view();
    (!detail.pull_requests.is_empty()).then(|| {
        view! {
            <section class="card" aria-labelledby="pull-requests">
                <div class="head">
                    <h2 id="pull-requests">"Pull requests"</h2>
                    <span class="muted small">{format!("uploaded in the last {} days", PullRequestRow::DAYS)}</span>
                </div>
                <table class="stored stacked" aria-labelledby="pull-requests" data-testid="pull-requests">
                    <thead>
                        <tr>
                            <th scope="col">"Pull request"</th>
                            <th scope="col" class="num">"Changed lines"</th>
                            <th scope="col">"Coverage"</th>
                            <th scope="col">"Gate"</th>
                            <th scope="col">"Uploaded"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </section>
        }
    })
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
            <td class="num" data-label="Changed lines">{changed(request.changed)}</td>
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
            let of = format!("{} of {}", grouped(count.covered), grouped(count.total));
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
