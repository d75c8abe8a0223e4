//! The card around the records of an author, and links to newer and older records.

use crate::{components::sortable::RowFilter, links};
use domain::{AuthorDetail, AuthorQuery, RecordPlace};
use leptos::prelude::*;

/// The card; `order` describes the order of the records, `content` is the content of the table.
pub(super) fn card<Content: IntoView>(
    detail: &AuthorDetail,
    order: String,
    content: Content,
) -> impl IntoView + use<Content> {
    let count = detail.records.len();
    view! {
        <section class="card" aria-labelledby="records">
            <div class="head"><h2 id="records">"Records"</h2><span class="muted small" role="status">{order}</span><span class="grow"></span><RowFilter table="records" rows=count what="records"/></div>
            <table class="by-author" aria-labelledby="records" data-sortable="records">
                {content}
            </table>
            {pager(&detail.query, detail.next)}
        </section>
    }
}

/// Links to the newest and the older records; nothing if there are none.
pub(super) fn pager(query: &AuthorQuery, next: Option<RecordPlace>) -> Option<impl IntoView + use<>> {
    let at = |after| {
        links::author_records(&AuthorQuery {
            after,
            order: None,
            ..query.clone()
        })
    };
    let is_first = query.after.is_none() && query.order.is_none();
    let newest = (!is_first).then(|| at(None));
    let older = next.map(|next| at(Some(next)));
    (newest.is_some() || older.is_some()).then(|| {
        view! {
            <nav class="pager" aria-label="Pages">
                {newest.map(|href| view! { <a class="btn" href=href>"⇤ Newest"</a> })}
                {older.map(|href| view! { <a class="btn" rel="next" href=href>"Older →"</a> })}
            </nav>
        }
    })
}
