//! The card around the branches: their number, the filter by name, the pages, and how the main branch is found.

use super::Page;
use crate::{components::form::hidden, links};
use leptos::prelude::*;

/// The card; `content` is the content of the table.
pub(super) fn card<Filter: IntoView, Content: IntoView>(
    page: &Page,
    filter: Filter,
    content: Content,
) -> impl IntoView + use<Filter, Content> {
    let is_empty = page.detail.branches.rows.is_empty();
    let keyword = page.query.keyword.clone();
    view! {
        <section class="card" aria-labelledby="branches">
            <div class="head">
                <h2 id="branches">"Branches"</h2>
                <span class="muted small" role="status">{counted(page)}</span>
                <span class="grow"></span>
                {filter}
            </div>
            {is_empty.then(|| view! { <p class="muted note">"No active branch has “"<bdi>{keyword}</bdi>"” in its name."</p> })}
            <table class="branches" aria-labelledby="branches" data-sortable="branches" hidden=is_empty>
                {content}
            </table>
            {pager(page)}
            {main_branch_hint(page)}
        </section>
    }
}

fn counted(page: &Page) -> String {
    let count = page.detail.branches.matching;
    let noun = if count == 1 { "row" } else { "rows" };
    match page.query.keyword.as_str() {
        "" => format!("{count} {noun}, one for each branch and language"),
        keyword => format!("{count} {noun} with “{keyword}”"),
    }
}

/// A form that filters the branches of all pages by name.
pub(super) fn filter(page: &Page) -> impl IntoView + use<> {
    let query = &page.query;
    view! {
        <form method="get" action=links::repository(&page.detail.repository) class="controls">
            {hidden(query.parameters(), &["keyword", "p"])}
            <input
                type="search"
                name="keyword"
                id="find-branch"
                placeholder="Filter branches"
                aria-label="Filter branches"
                autocomplete="off"
                dir="auto"
                value=query.keyword.clone()
                data-submit=""
            />
            <button class="btn unscripted" type="submit">"Filter"</button>
        </form>
    }
}

fn pager(page: &Page) -> Option<impl IntoView + use<>> {
    let (number, pages) = (page.detail.branches.page, page.detail.branches.pages);
    (pages > 1).then(|| {
        let before = (number > 1).then(|| page.link(|query| query.page = number - 1));
        let after = (number < pages).then(|| page.link(|query| query.page = number + 1));
        view! {
            <nav class="pager" aria-label="Pages of branches">
                {before.map(|href| view! { <a href=href class="btn" rel="prev">"← Previous"</a> })}
                <span class="muted small">{format!("Page {number} of {pages}")}</span>
                {after.map(|href| view! { <a href=href class="btn" rel="next">"Next →"</a> })}
            </nav>
        }
    })
}

/// Explains how the main branch is found and how to set another one.
fn main_branch_hint(page: &Page) -> impl IntoView + use<> {
    let command = format!("coverage-dashboard main-branch {} BRANCH", page.detail.repository);
    let main = page.detail.main_branch.to_string();
    view! {
        <details class="note small">
            <summary>"Is "<bdi class="mono">{main}</bdi>" not the main branch?"</summary>
            <p class="muted">
                "The main branch is the one called main, master, develop or trunk, or else the one with the most records. \
                 The operator of this server can set another one: "
            </p>
            <pre tabindex="0">{command}</pre>
        </details>
    }
}
