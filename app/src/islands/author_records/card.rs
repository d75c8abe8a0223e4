//! The card around the records of an author, and links to newer and older records.

use super::data::Rows;
use crate::components::row_filter::RowFilter;
use leptos::prelude::*;

/// The card; `order` describes the order of the records, `content` is the content of the table.
pub(crate) fn card<Content: IntoView>(
    rows: &Rows,
    order: String,
    content: Content,
) -> impl IntoView + use<Content> {
    let count = rows.records.len();
    view! {
        <section class="card" aria-labelledby="records">
            <div class="head"><h2 id="records">"Records"</h2><span class="muted small" role="status">{order}</span><span class="grow"></span><RowFilter table="records" rows=count what="records"/></div>
            <table class="by-author" aria-labelledby="records" data-sortable="records">
                {content}
            </table>
            {pager(rows)}
        </section>
    }
}

fn pager(rows: &Rows) -> Option<impl IntoView + use<>> {
    let is_first = rows.query.after.is_none() && rows.order().is_none();
    let newest = (!is_first).then(|| rows.link(None, None));
    let older = rows.next.map(|next| rows.link(Some(next), None));
    (newest.is_some() || older.is_some()).then(|| {
        view! {
            <nav class="pager" aria-label="Pages">
                {newest.map(|href| view! { <a class="btn" href=href>"⇤ Newest"</a> })}
                {older.map(|href| view! { <a class="btn" rel="next" href=href>"Older →"</a> })}
            </nav>
        }
    })
}
