//! A table of pull requests, and the cells that other tables of their records have too.

use super::{
    card::{number as cell, stacked},
    coverage::{Coverage, Percent},
    name::Name,
    time::Age,
};
use crate::{
    links::{self, ForgePages},
    numbers::covered_of,
};
use domain::{Count, Percentage, PullRequestRow, Repository, Timestamp, Verdict};
use leptos::prelude::*;

/// A table with a row for each pull request and language, under the heading with the id `pull-requests`.
pub(crate) fn table(
    repository: &Repository,
    rows: &[PullRequestRow],
    now: Timestamp,
    pages: Option<&ForgePages>,
) -> AnyView {
    let rows = rows.iter();
    let rows = rows.map(|request| row(repository, request, now, pages));
    let columns = [
        ("Pull request", "c-name"),
        ("Changed lines", "num c-of"),
        ("Coverage", ""),
        ("Gate", ""),
        ("Uploaded", ""),
    ];
    stacked(
        "pull-requests",
        "pull-requests",
        columns,
        rows.collect_view(),
    )
}

fn row(
    repository: &Repository,
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
    let href = links::pull_request(repository, &request.number);
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

/// The coverage of changed lines.
pub(crate) fn changed(changed: Option<Count>) -> AnyView {
    match changed {
        None => "not known".into_any(),
        Some(count) => share(count, "none coverable"),
    }
}

/// A percentage and its counts; `none` if nothing was counted.
pub(crate) fn share(count: Count, none: &'static str) -> AnyView {
    match Percentage::of(count) {
        Some(percentage) => view! {
            <span class="share">
                <span>{percentage.to_string()}<Percent/></span>" "
                <span class="muted small">{covered_of(count)}</span>
            </span>
        }
        .into_any(),
        None => none.into_any(),
    }
}

/// The verdict of the gate; a dash without a gate.
pub(crate) fn verdict(verdict: Option<Verdict>) -> AnyView {
    match verdict {
        None => view! { <span class="muted" title="no gate is set">"–"</span> }.into_any(),
        Some(verdict) => {
            let class = format!("verdict {}", verdict.word());
            view! { <span class=class>{verdict.word()}</span> }.into_any()
        }
    }
}
