//! `/uploads`: the ledger of uploads, with the outcome of each attempt and advice.

mod attempt_table;
mod filter;

use crate::{
    ServiceFacts, SharedReadModel, SomeOrgsOnly,
    address::Address,
    components::{
        answered::answered,
        card::message,
        facts::{self, figure},
        form::by_time,
        page_head::PageHead,
    },
    links,
    numbers::grouped,
};
use attempt_table::attempts;
use domain::{LastDay, LedgerPage, LedgerQuery, UploadAttempt};
use filter::filter;
use leptos::prelude::*;

/// The ledger; its address holds the filters and the page.
#[component]
pub(crate) fn UploadsPage() -> impl IntoView {
    let address = Address::current();
    let query = LedgerQuery::of(&|name| address.values(name));
    let model: SharedReadModel = expect_context();
    answered(async move { model.ledger_page(&query).await }, content)
}

fn content(mut page: LedgerPage) -> impl IntoView {
    let is_protected = expect_context::<ServiceFacts>().is_reading_protected;
    let query = &page.query;
    if !is_protected {
        let shown = page.attempts.into_iter().map(UploadAttempt::for_everybody);
        // Otherwise a search could reveal whether a word occurs in hidden names.
        page.attempts = shown
            .filter(|attempt| query.repository.is_empty() || attempt.repository().is_some())
            .collect();
    }
    let to = |before| {
        links::uploads(&LedgerQuery {
            before,
            ..query.clone()
        })
    };
    let pager = by_time(query.before.is_none(), page.next, to);
    let filter = filter(query);
    let shown = if page.attempts.is_empty() {
        nothing(query, page.next.is_some())
    } else {
        attempts(&page.attempts, query, page.now)
    };
    let hidden = (!is_protected).then(|| view! { <p class="muted small">"Everybody may read this page, so it shows no token names, and nothing of what was sent without an accepted token."</p> });
    let SomeOrgsOnly(has_no_storage) = use_context().unwrap_or_default();
    let storage = (!has_no_storage).then(|| {
        view! { " "<a class="link" href=links::STORAGE>"Storage of HTML reports"</a> }
    });
    view! {
        <PageHead title="Uploads" description="Every attempt to upload code coverage, and its result."/>
        <div>
            <h1>"Uploads"</h1>
            <p class="muted small">"Whether an upload arrived, and if not, why. Names are shown as jobs sent them."{storage}</p>
        </div>
        {figures(page.last_day)}
        {filter}
        {shown}
        {pager}
        {hidden}
    }
}

/// The last 24 hours.
fn figures(last_day: LastDay) -> impl IntoView {
    let more = if last_day.is_cut { "+" } else { "" };
    let accepted = last_day.attempts.saturating_sub(last_day.refused);
    let of_last_day = |number: u32, what: &str| {
        let about = format!("{what} in the last 24 hours");
        let class = (number > 0 && what == "refused").then_some("outcome refused");
        let number = grouped(number.into()) + more;
        figure(view! { <span class=class>{number}</span> }, about)
    };
    let tiles = [
        of_last_day(accepted, "accepted"),
        of_last_day(last_day.refused, "refused"),
        of_last_day(last_day.unknown, "sent without a valid token"),
    ];
    facts::figures("The last 24 hours", tiles)
}

fn nothing(query: &LedgerQuery, has_older: bool) -> AnyView {
    // For a reader of some orgs, rows are searched as with a filter.
    let (heading, sentence) = if has_older {
        (
            "Nothing found so far",
            "No attempt searched so far matches. There are older attempts.",
        )
    } else if query.has_filter() {
        ("Nothing found", "No attempt matches.")
    } else if query.before.is_some() {
        ("Nothing further", "There are no older attempts.")
    } else {
        (
            "No uploads yet",
            "Nothing has tried to upload to this service.",
        )
    };
    let way_on = if query.has_filter() || query.before.is_some() {
        (links::UPLOADS.to_owned(), "Show all")
    } else {
        (links::SETUP.to_owned(), "Set up uploads")
    };
    message(heading, sentence, Some(way_on))
}

#[cfg(test)]
mod tests;
