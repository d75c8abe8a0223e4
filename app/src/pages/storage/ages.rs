//! HTML reports by their age.

use super::{reports, share};
use crate::{components::measures::size, numbers::grouped};
use domain::{Age, Storage};
use leptos::prelude::*;
use std::sync::Arc;

/// A row for each age, the youngest first.
#[component]
pub(super) fn Ages(storage: Arc<Storage>) -> impl IntoView {
    let total = storage.total();
    let rows = Age::ALL.iter().copied().zip(storage.ages).map(|(age, stored)| {
        view! {
            <tr>
                <th scope="row">{age.label()}</th>
                <td class="num" data-label="Size">{size(stored.bytes)}</td>
                <td class="num" data-label="Share">{share(stored.share_of(total))}</td>
                <td class="num" data-label="Reports">{grouped(stored.reports)}</td>
            </tr>
        }
    });
    let unknown = (storage.without_size > 0).then(|| {
        let text = format!(
            "{} from releases that did not store the size count as 0 bytes.",
            reports(storage.without_size)
        );
        view! { <p class="muted small note">{text}</p> }
    });
    view! {
        <section class="card" aria-labelledby="by-age">
            <div class="head"><h2 id="by-age">"By age"</h2><span class="muted small">"since the upload"</span></div>
            <table class="stored stacked" aria-labelledby="by-age" data-testid="by-age">
                <thead>
                    <tr>
                        <th scope="col">"Age"</th>
                        <th scope="col" class="num">"Size"</th>
                        <th scope="col" class="num">"Share"</th>
                        <th scope="col" class="num">"Reports"</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
            {unknown}
        </section>
    }
}
