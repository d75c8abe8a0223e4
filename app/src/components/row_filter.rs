//! A field that filters the rows of a table while the reader types.

use leptos::prelude::*;

/// A table with more rows than this can be filtered while typing.
const FILTERED: usize = 20;

/// A field that filters the rows of a table while the reader types, if there are many.
#[component]
pub(crate) fn RowFilter(
    table: &'static str,
    rows: usize,
    /// What the rows are, such as `groups`.
    what: &'static str,
) -> impl IntoView {
    let label = format!("Filter {what}");
    (rows > FILTERED).then(|| {
        view! {
            <span class="controls row-filter scripted">
                <span class="muted small" role="status"></span>
                <input type="search" placeholder=label.clone() aria-label=label autocomplete="off" dir="auto" data-filter=table/>
            </span>
        }
    })
}
