//! How much of long lists is printed, so that the report of an org has two sheets. `style/components/org.css` hides the rest.

use leptos::prelude::*;

/// The rows of a table, or of its first part.
pub(super) const ROWS: usize = 10;

/// The rows of the table of groups.
pub(super) const GROUPS: usize = 6;

/// The rows of each other part of a table.
pub(super) const ROWS_OF_PARTS: usize = 3;

/// The cells at each end of the heat map.
pub(super) const CELLS: usize = 10;

pub(super) const ENTRIES: usize = 4;

/// A note on paper that the page has more.
pub(super) fn more(is_cut: bool, all: String) -> impl IntoView {
    is_cut.then(|| {
        view! { <p class="muted small note on-paper">{format!("Not everything is printed: the page has {all}.")}</p> }
    })
}
