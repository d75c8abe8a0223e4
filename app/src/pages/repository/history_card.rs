//! The card around the records of a branch: their number, their order, and links to newer and older records.

use super::Page;
use crate::numbers::grouped;
use domain::HistoryPlace;
use leptos::prelude::*;

/// The card; `order` continues the sentence that counts the records, `content` is the content of the table.
pub(super) fn card<Filter: IntoView, Content: IntoView>(
    page: &Page,
    order: String,
    filter: Filter,
    content: Content,
) -> impl IntoView + use<Filter, Content> {
    let history = &page.detail.history;
    let is_empty = history.rows.is_empty();
    let counted = match history.records {
        1 => "1 record".to_owned(),
        records => format!("{} records", grouped(records)),
    };
    let language = page.query.language.as_ref();
    let in_language = language.map(|language| format!("; only {language} shown"));
    view! {
        <section class="card" aria-labelledby="history">
            <div class="head">
                <h2 id="history">"History"</h2>
                <span class="muted small" role="status"><bdi class="mono">{page.detail.branch.to_string()}</bdi>", "{counted}{in_language}{order}</span>
                <span class="grow"></span>
                {filter}
            </div>
            {is_empty.then(|| view! { <p class="muted note">"There are no records in this part of the history."</p> })}
            <table class="branches history" aria-labelledby="history" data-sortable="history" hidden=is_empty>
                {content}
            </table>
            {pager(page)}
        </section>
    }
}

fn pager(page: &Page) -> Option<impl IntoView + use<>> {
    let history = &page.detail.history;
    let to = |place| format!("{}#history", page.link(|query| query.place = place));
    let (newer, older) = (history.newer.map(to), history.older.map(to));
    let is_sorted = matches!(page.query.place, HistoryPlace::Sorted(_));
    let newest = (newer.is_some() || is_sorted).then(|| to(HistoryPlace::Newest));
    (newest.is_some() || older.is_some()).then(|| {
        view! {
            <nav class="pager" aria-label="Pages of the history">
                {newest.map(|href| view! { <a href=href class="btn">"Newest"</a> })}
                {newer.map(|href| view! { <a href=href class="btn" rel="prev">"← Newer"</a> })}
                {older.map(|href| view! { <a href=href class="btn" rel="next">"Older →"</a> })}
            </nav>
        }
    })
}
