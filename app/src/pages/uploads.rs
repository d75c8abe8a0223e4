//! `/uploads`: the ledger of uploads, with the outcome of each attempt and advice.

mod attempt_table;
mod filter;

use crate::{
    ServiceFacts, SharedReadModel, SomeOrgsOnly,
    address::Address,
    components::{answered::answered, facts::Fact, page_head::PageHead},
    links,
    numbers::grouped,
};
use attempt_table::AttemptTable;
use domain::{LastDay, LedgerPage, LedgerQuery};
use filter::Filter;
use leptos::prelude::*;

/// The ledger; its address holds the filters and the page.
#[component]
pub(crate) fn UploadsPage() -> impl IntoView {
    let query = query_of(&Address::current());
    let model: SharedReadModel = expect_context();
    let answer = async move { model.ledger_page(&query).await };
    answered::<LedgerPage, _>(answer, |page| view! { <Content page/> })
}

fn query_of(address: &Address) -> LedgerQuery {
    LedgerQuery {
        outcome: address.get("outcome").parse().ok(),
        sender: address.get("sender").parse().ok(),
        repository: address.get("repo"),
        code: address.get("code"),
        before: address.get("before").parse().ok(),
    }
}

#[component]
fn Content(page: LedgerPage) -> impl IntoView {
    let is_protected = expect_context::<ServiceFacts>().is_reading_protected;
    let LedgerPage {
        now,
        query,
        last_day,
        attempts,
        next,
    } = page;
    let attempts: Vec<_> = if is_protected {
        attempts
    } else {
        attempts
            .into_iter()
            .map(|attempt| attempt.for_everybody())
            // Otherwise a search could reveal whether a word occurs in hidden names.
            .filter(|attempt| query.repository.is_empty() || attempt.repository().is_some())
            .collect()
    };
    let to = |before| {
        links::uploads(&LedgerQuery {
            before,
            ..query.clone()
        })
    };
    let newest = query.before.is_some().then(|| to(None));
    let older = next.map(|next| to(Some(next)));
    let has_older = older.is_some();
    let names_note = if is_protected {
        "Names are shown as jobs sent them and are not checked."
    } else {
        "Names are shown as jobs sent them and are not checked. Everybody may read this page, so it shows no token names and hides what was sent without an accepted token."
    };
    let SomeOrgsOnly(has_no_storage) = use_context().unwrap_or_default();
    let storage = (!has_no_storage).then(|| {
        view! {
            <p class="muted small">"What the stored HTML reports use: "<a class="link" href=links::STORAGE>"Storage"</a>"."</p>
        }
    });
    view! {
        <PageHead title="Uploads" description="Every attempt to upload code coverage, and its result."/>
        <div>
            <h1>"Uploads"</h1>
            <p class="muted small">"Every upload attempt, newest first, with the answer that its job received. "{names_note}</p>
            {storage}
        </div>
        <Day last_day/>
        <Filter query=query.clone()/>
        {if attempts.is_empty() {
            view! { <Nothing query=query.clone() has_older/> }.into_any()
        } else {
            view! { <AttemptTable attempts now/> }.into_any()
        }}
        {(newest.is_some() || has_older).then(|| view! {
            <nav class="pager" aria-label="Pages">
                {newest.map(|href| view! { <a class="btn" href=href>"⇤ Newest"</a> })}
                {older.map(|href| view! { <a class="btn" rel="next" href=href>"Older →"</a> })}
            </nav>
        })}
    }
}

/// The last 24 hours.
#[component]
fn Day(last_day: LastDay) -> impl IntoView {
    let more = if last_day.is_cut { "+" } else { "" };
    let share = last_day.refused_share();
    let share = share.map_or_else(|| "–".to_owned(), |share| format!("{share}\u{202f}%"));
    let of_newest = if last_day.is_cut {
        format!(" of the newest {}", grouped(last_day.attempts.into()))
    } else {
        String::new()
    };
    let refused = match last_day.refused {
        1 => format!("1 attempt{of_newest}"),
        refused => format!("{} attempts{of_newest}", grouped(refused.into())),
    };
    view! {
        <dl class="facts" aria-label="The last 24 hours">
            <Fact label="Attempts" note="in the last 24 hours">{grouped(last_day.attempts.into())}{more}</Fact>
            <Fact label="Refused" note=refused>{share}</Fact>
            <Fact label="Without a valid token" note="refused for that, or before the token was checked">{grouped(last_day.unknown.into())}</Fact>
        </dl>
    }
}

#[component]
fn Nothing(query: LedgerQuery, has_older: bool) -> impl IntoView {
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
        view! { <a class="btn" href=links::UPLOADS>"Show all"</a> }
    } else {
        view! { <a class="btn" href=links::SETUP>"Set up uploads"</a> }
    };
    view! {
        <section class="card message">
            <h2>{heading}</h2>
            <p>{sentence}</p>
            <p>{way_on}</p>
        </section>
    }
}

#[cfg(test)]
mod tests;
