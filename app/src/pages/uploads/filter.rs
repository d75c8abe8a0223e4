//! The filter of the ledger.

use crate::{components::kept::kept, links};
use domain::{LedgerQuery, Outcome, REFUSALS, Sender};
use leptos::prelude::*;

/// Outcome and sender as links; repository and code as fields.
#[component]
pub(super) fn Filter(query: LedgerQuery) -> impl IntoView {
    let first = LedgerQuery {
        before: None,
        ..query.clone()
    };
    let outcome = |outcome: Option<Outcome>, name: &'static str| {
        let current = (query.outcome == outcome).then_some("true");
        let href = links::uploads(&LedgerQuery {
            outcome,
            // Each code belongs to only one outcome.
            code: String::new(),
            ..first.clone()
        });
        view! { <a href=href aria-current=current>{name}</a> }
    };
    let sender = |sender: Option<Sender>, name: &'static str| {
        let current = (query.sender == sender).then_some("true");
        let href = links::uploads(&LedgerQuery {
            sender,
            ..first.clone()
        });
        view! { <a href=href aria-current=current>{name}</a> }
    };
    let code = |code: &'static str, name: &'static str| {
        let is_chosen = query.code == code;
        view! { <option value=code selected=is_chosen>{name}</option> }
    };
    let codes = [
        ("created", "New record"),
        ("replaced", "Record replaced"),
        ("kept", "Record kept"),
        ("closed", "No file: part skipped, or finished"),
        ("skipped", "Part skipped before its commit"),
    ]
    .into_iter()
    .chain(REFUSALS.iter().map(|refusal| (refusal.code, refusal.name)));
    let is_filtered = query.has_filter();
    view! {
        <div class="controls">
            <nav class="seg" aria-label="Outcome">
                {outcome(None, "All")}
                {outcome(Some(Outcome::Taken), "Accepted")}
                {outcome(Some(Outcome::Refused), "Refused")}
            </nav>
            <nav class="seg" aria-label="Token">
                {sender(None, "Any sender")}
                {sender(Some(Sender::Known), "Token accepted")}
                {sender(Some(Sender::Unknown), "Not accepted")}
            </nav>
            <form class="controls" method="get" action=links::UPLOADS>
                {kept(query.parameters(), &["repo", "code", "before"])}
                <label>"Repository"
                    <input id="of-repository" type="search" name="repo" value=query.repository.clone() placeholder="acme/payments" autocomplete="off" data-submit/>
                </label>
                <label>"What happened"
                    <select id="of-code" name="code" data-submit>
                        <option value="">"Anything"</option>
                        {codes.map(|(value, name)| code(value, name)).collect_view()}
                    </select>
                </label>
                <button class="btn unscripted" type="submit">"Show"</button>
                {is_filtered.then(|| view! { <a class="btn" href=links::UPLOADS>"Show all"</a> })}
            </form>
        </div>
    }
}
