//! Links between the numbered pages of a list.

use leptos::prelude::*;

/// Links to the pages around `page`; nothing if there is only one page.
pub(crate) fn pager(
    class: &'static str,
    label: &'static str,
    (page, pages): (u32, u32),
    to: impl Fn(u32) -> String,
) -> Option<AnyView> {
    let before = (page > 1).then(|| to(page - 1));
    let after = (page < pages).then(|| to(page + 1));
    let pager = view! {
        <nav class=class aria-label=label>
            {before.map(|href| view! { <a href=href class="btn" rel="prev">"← Previous"</a> })}
            <span class="muted small">{format!("Page {page} of {pages}")}</span>
            {after.map(|href| view! { <a href=href class="btn" rel="next">"Next →"</a> })}
        </nav>
    };
    (pages > 1).then(|| pager.into_any())
}
