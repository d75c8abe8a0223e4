//! The filter of the ledger.

use crate::{
    components::form::{choice, choices, hidden, list, option},
    links,
};
use domain::{LedgerQuery, Outcome, REFUSALS, Sender};
use leptos::prelude::*;

/// Outcome and sender as links; repository and code as fields.
pub(super) fn filter(query: &LedgerQuery) -> impl IntoView + use<> {
    let first = LedgerQuery {
        before: None,
        ..query.clone()
    };
    let outcome = |outcome: Option<Outcome>, name: &'static str| {
        let chosen = LedgerQuery {
            outcome,
            // Each code belongs to only one outcome.
            code: String::new(),
            ..first.clone()
        };
        choice(links::uploads(&chosen), query.outcome == outcome, name)
    };
    let sender = |sender: Option<Sender>, name: &'static str| {
        let chosen = LedgerQuery {
            sender,
            ..first.clone()
        };
        choice(links::uploads(&chosen), query.sender == sender, name)
    };
    let codes = [
        ("created", "New record"),
        ("replaced", "Record replaced"),
        ("kept", "Record kept"),
        ("closed", "No file: part skipped, or finished"),
        ("skipped", "Part skipped before its commit"),
    ];
    let refusals = REFUSALS.iter().map(|refusal| (refusal.code, refusal.name));
    let codes = codes.into_iter().chain(refusals);
    let codes = codes.map(|(code, name)| option(code, query.code == code, name));
    let is_filtered = query.has_filter();
    let outcomes = [
        outcome(None, "All"),
        outcome(Some(Outcome::Taken), "Accepted"),
        outcome(Some(Outcome::Refused), "Refused"),
    ];
    let senders = [
        sender(None, "Any sender"),
        sender(Some(Sender::Known), "Token accepted"),
        sender(Some(Sender::Unknown), "Not accepted"),
    ];
    view! {
        <div class="controls">
            {choices("Outcome", outcomes)}
            {choices("Token", senders)}
            <form class="controls" method="get" action=links::UPLOADS>
                {hidden(query.parameters(), &["repo", "code", "before"])}
                <label>"Repository"
                    <input id="of-repository" type="search" name="repo" value=query.repository.clone() placeholder="acme/payments" autocomplete="off" data-submit/>
                </label>
                {list("What happened", Some("of-code"), "code", "Anything", codes)}
                <button class="btn unscripted" type="submit">"Show"</button>
                {is_filtered.then(|| view! { <a class="btn" href=links::UPLOADS>"Show all"</a> })}
            </form>
        </div>
    }
}
