//! The list of what does not count, with reasons.

use super::{counted, on_paper, within};
use crate::{components::name::Name, links};
use domain::{LeftOut, OrgQuery, Over, Reason};
use leptos::prelude::*;

/// The maximum number of names.
const SHOWN: usize = 100;

/// A card with the list; nothing if everything counts.
#[component]
pub(super) fn LeftOutList(left_out: Vec<LeftOut>, query: OrgQuery) -> impl IntoView {
    if left_out.is_empty() {
        return ().into_any();
    }
    let all = (query.over == Over::Same).then(|| OrgQuery {
        over: Over::All,
        ..query.clone()
    });
    let hidden = left_out.len().saturating_sub(SHOWN);
    let shown = left_out.len().min(SHOWN);
    view! {
        <section class="card" aria-labelledby="left-out">
            <div class="head">
                <h2 id="left-out">"Left out"</h2>
                <span class="grow"></span>
                {all.map(|all| view! { <a class="btn small" href=links::org_view(&all)>"Count all repositories"</a> })}
            </div>
            <ul class="left-out" data-testid="left-out">
                {left_out.iter().take(SHOWN).map(|one| item(one, &query)).collect_view()}
            </ul>
            {on_paper::more(shown > on_paper::ENTRIES, counted(u32::try_from(shown).unwrap_or(u32::MAX), "entry", "entries"))}
            {(hidden > 0).then(|| view! { <p class="muted small note">{format!("{hidden} more are not shown here.")}</p> })}
        </section>
    }
    .into_any()
}

fn item(one: &LeftOut, query: &OrgQuery) -> impl IntoView + use<> {
    let name = within(query.org.as_ref(), &one.repository.to_string());
    let reason = match one.reason {
        Reason::New(day) => format!("first record on {}", day.long()),
        Reason::Gone(day) => format!("retired on {}", day.long()),
        Reason::NoLines => "its coverage files do not count lines".to_owned(),
    };
    view! {
        <li>
            <a class="name" href=links::repository_in(&one.repository, query)><Name text=name/></a>
            " "
            <span class="chip">{one.language.to_string()}</span>
            " "
            <span class="muted small">{reason}</span>
        </li>
    }
}
