//! The rows of one page of the audit log.

use crate::components::{name::Name, time::Age};
use domain::{AuditEntry, Timestamp};
use leptos::prelude::*;

/// A row for each change, newest first.
#[component]
pub(super) fn EntryTable(entries: Vec<AuditEntry>, now: Timestamp) -> impl IntoView {
    view! {
        <section class="card" aria-labelledby="changes">
            <div class="head"><h2 id="changes">"Changes"</h2><span class="muted small">"newest first"</span></div>
            <table class="attempts" aria-labelledby="changes">
                <thead>
                    <tr>
                        <th scope="col" class="c-when">"When"</th>
                        <th scope="col" class="c-of">"What"</th>
                        <th scope="col" class="c-outcome">"About"</th>
                        <th scope="col">"Before and after"</th>
                        <th scope="col" class="c-sent">"Who, from where"</th>
                    </tr>
                </thead>
                <tbody>{entries.into_iter().map(|entry| row(entry, now)).collect_view()}</tbody>
            </table>
        </section>
    }
}

fn row(entry: AuditEntry, now: Timestamp) -> impl IntoView {
    let at = entry.at;
    let label = entry.label().to_owned();
    let about = entry.about();
    let about = match about {
        Some(about) => view! { <Name text=about class="name"/> }.into_any(),
        None => view! { <span class="muted">"all repositories"</span> }.into_any(),
    };
    let value = |label: &'static str, value: Option<String>| {
        value.map(|value| view! { <p><span class="muted">{label}</span><bdi>{value}</bdi></p> })
    };
    let kind = entry.actor_kind;
    view! {
        <tr>
            <td class="c-when"><Age at now/><p class="small muted">{at.long()}</p></td>
            <th scope="row" class="c-of"><span class="name">{label}</span><p class="parts small muted"><bdi>{entry.subject}</bdi></p></th>
            <td class="c-outcome">{about}</td>
            <td class="c-values">{value("before: ", entry.old)}{value("after: ", entry.new)}</td>
            <td class="c-sent small muted"><p>{kind}" "<bdi>{entry.actor}</bdi></p><p><bdi>{entry.source}</bdi></p></td>
        </tr>
    }
}
