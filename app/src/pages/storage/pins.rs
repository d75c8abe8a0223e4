//! Pinned HTML reports.

use super::both;
use crate::{
    components::{
        measures::size,
        name::{Name, repository_link},
        time::Age,
    },
    links,
};
use domain::{PinnedReport, Pins, Timestamp};
use leptos::prelude::*;

/// A row for each pinned report, the last pinned first.
#[component]
pub(super) fn PinnedReports(pins: Pins, now: Timestamp) -> impl IntoView {
    let (all, shown) = (pins.all, pins.newest.len() as u64);
    let content = if pins.newest.is_empty() {
        view! {
            <p class="note">
                "No HTML report is pinned. "
                <code>"coverage-dashboard pin NUMBER"</code>
                " keeps the HTML report of a record regardless of the retention rules, for example of a release."
            </p>
        }
        .into_any()
    } else {
        table(pins.newest, now).into_any()
    };
    let about = (all.reports > 0).then(|| both(all));
    let cut = (all.reports > shown).then(|| {
        let text = format!("Only the {shown} pinned last are listed.");
        view! { <p class="muted small note">{text}</p> }
    });
    view! {
        <section class="card" aria-labelledby="pinned">
            <div class="head"><h2 id="pinned">"Pinned HTML reports"</h2><span class="muted small">{about}</span></div>
            {content}
            {cut}
        </section>
    }
}

fn table(pinned: Vec<PinnedReport>, now: Timestamp) -> impl IntoView {
    view! {
        <table class="stored stacked" aria-labelledby="pinned" data-testid="pinned">
            <thead>
                <tr>
                    <th scope="col">"Record"</th>
                    <th scope="col">"Branch"</th>
                    <th scope="col" class="num">"Size"</th>
                    <th scope="col" class="num">"Pinned"</th>
                </tr>
            </thead>
            <tbody>{pinned.into_iter().map(|report| row(report, now)).collect_view()}</tbody>
        </table>
    }
}

fn row(report: PinnedReport, now: Timestamp) -> impl IntoView {
    let record = format!("Record {}", report.record_id);
    let of = format!("{} · {}", report.branch, report.language);
    view! {
        <tr>
            <th scope="row">
                {repository_link(&report.repository, true)}
                " "
                <a class="link" href=links::record(report.record_id)>{record}</a>
            </th>
            <td data-label="Branch"><Name text=of/></td>
            <td class="num" data-label="Size">{size(report.bytes)}</td>
            <td class="num" data-label="Pinned"><Age at=report.pinned_at now/></td>
        </tr>
    }
}
