//! The counters of both records, side by side.

use crate::{
    components::{change::Change, coverage::Percent},
    numbers::grouped,
};
use domain::{Change as Points, ComparedRecord, Count, CountedTwice, heading};
use leptos::prelude::*;

/// A card with a row for each counter.
#[component]
pub(super) fn Counts(base: ComparedRecord, head: ComparedRecord) -> impl IntoView {
    let rows: Vec<_> = base.counts_of_both(&head).iter().map(row).collect();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="card" aria-labelledby="counts">
                <div class="head"><h2 id="counts">"What was counted"</h2></div>
                <table class="counts" aria-labelledby="counts">
                    <thead>
                        <tr>
                            <th scope="col"><span class="unseen">"What"</span></th>
                            <th scope="col" class="num">"Base"</th>
                            <th scope="col" class="num">"Head"</th>
                            <th scope="col" class="num">"Change in points"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </section>
        }
    })
}

fn row(counted: &CountedTwice) -> impl IntoView + use<> {
    let change = counted
        .base
        .zip(counted.head)
        .map(|(base, head)| Points::between(base.percentage(), head.percentage()));
    view! {
        <tr>
            <th scope="row">{heading(&counted.counter)}</th>
            <td class="num">{of(counted.base)}</td>
            <td class="num">{of(counted.head)}</td>
            <td class="num"><Change change/></td>
        </tr>
    }
}

fn of(count: Option<Count>) -> impl IntoView + use<> {
    match count {
        None => view! { <span class="muted" title="not counted">"–"</span> }.into_any(),
        Some(count) => {
            let of = format!("{} of {}", grouped(count.covered), grouped(count.total));
            view! { {count.percentage().to_string()}<Percent/><span class="of muted small">{of}</span> }
                .into_any()
        }
    }
}
