//! Links to the previous and next page.

use crate::links;
use domain::OverviewQuery;
use leptos::prelude::*;

/// Links to the pages around the current one; nothing if there is only one page.
#[component]
pub(crate) fn Pager(query: OverviewQuery, pages: u32) -> impl IntoView {
    let to = |page| {
        links::overview(&OverviewQuery {
            page,
            ..query.clone()
        })
    };
    let before = (query.page > 1).then(|| to(query.page - 1));
    let after = (query.page < pages).then(|| to(query.page + 1));
    (pages > 1).then(|| {
        view! {
            <nav class="pager" aria-label="Pages">
                {before.map(|href| view! { <a href=href class="btn" rel="prev">"← Previous"</a> })}
                <span class="muted small">"Page " {query.page} " of " {pages}</span>
                {after.map(|href| view! { <a href=href class="btn" rel="next">"Next →"</a> })}
            </nav>
        }
    })
}
