//! The filter of the ledger.

use crate::{
    components::form::{choice, hidden, labelled, list, option},
    links,
};
use domain::{LedgerQuery, Outcome, REFUSALS, Sender};
use leptos::prelude::*;

/// Outcome and sender as links; repository and code as fields.
pub(super) fn filter(query: &LedgerQuery) -> impl IntoView + use<> {
    let link = |is_current: bool, name: &'static str, choose: &dyn Fn(&mut LedgerQuery)| {
        let mut chosen = query.clone();
        chosen.before = None;
        choose(&mut chosen);
        choice(links::uploads(&chosen), is_current, name)
    };
    let outcome = |outcome: Option<Outcome>, name: &'static str| {
        link(query.outcome == outcome, name, &|chosen| {
            chosen.outcome = outcome;
            // Each code belongs to only one outcome.
            chosen.code.clear();
        })
    };
    let sender = |sender: Option<Sender>, name: &'static str| {
        let is_current = query.sender == sender;
        link(is_current, name, &|chosen| chosen.sender = sender)
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
        sender(None, "Any"),
        sender(Some(Sender::Known), "Valid"),
        sender(Some(Sender::Unknown), "Not valid"),
    ];
    view! {
        <div class="controls">
            {labelled("Outcome", outcomes)}
            {labelled("Token", senders)}
            <form class="controls" method="get" action=links::UPLOADS>
                {hidden(query.parameters(), &["repo", "code", "before"])}
                <label>"Repository"
                    <input id="of-repository" type="search" name="repo" value=query.repository.clone() placeholder="Org or repository" autocomplete="off" data-submit/>
                </label>
                {list("What happened", Some("of-code"), "code", "Anything", codes)}
                <button class="btn unscripted" type="submit">"Show"</button>
                {is_filtered.then(|| view! { <a class="btn" href=links::UPLOADS>"Show all"</a> })}
            </form>
        </div>
    }
}
