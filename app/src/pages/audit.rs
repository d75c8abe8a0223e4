//! `/audit`: the audit log, for administrators.

use crate::{
    AppError, AuditAccess, SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        card::{aside, card, head, message},
        form::{by_time, list, option},
        name::Name,
        page_head::PageHead,
        time::Age,
    },
    links,
};
use domain::{AuditAction, AuditEntry, AuditPage as Log, AuditQuery, Timestamp};
use leptos::prelude::*;

/// The audit log; its address holds the filters and the page.
#[component]
pub(crate) fn AuditPage() -> impl IntoView {
    let address = Address::current();
    let query = AuditQuery::of(&|name| address.values(name));
    let model: SharedReadModel = expect_context();
    let access: AuditAccess = use_context().unwrap_or_default();
    let limit = access.limit();
    let answer = async move {
        let scopes = access.0.ok_or(AppError::AdminOnly)?;
        model.audit_page(&query, &scopes).await
    };
    view! {
        <PageHead title="Audit log" description="Who changed what, when, and from where."/>
        {answered(answer, |page| content(page, limit))}
    }
}

fn content(page: Log, limit: Option<String>) -> impl IntoView {
    let query = &page.query;
    let to = |before| {
        links::audit(&AuditQuery {
            before,
            ..query.clone()
        })
    };
    let pager = by_time(query.before.is_none(), page.next, to);
    let scope_note = limit.map(|limit| format!(" You see only changes in {limit}."));
    let filter = filter(query);
    let entries = if page.entries.is_empty() {
        nothing(query, page.next.is_some())
    } else {
        let entries = page.entries.into_iter();
        table(entries.map(|entry| row(entry, page.now)).collect_view())
    };
    view! {
        <div>
            <h1>"Audit log"</h1>
            <p class="muted small">
                "Who changed tokens, main branches and records, when, and from where; newest first. Entries are never changed or removed."
                <bdi>{scope_note}</bdi>" "<a class="link" href=links::SETTINGS>"Settings and tokens"</a>
            </p>
        </div>
        {filter}
        {entries}
        {pager}
    }
}

fn filter(query: &AuditQuery) -> impl IntoView + use<> {
    let actions = AuditAction::ALL.iter().map(|action| {
        let is_chosen = query.action == Some(*action);
        option(action.word(), is_chosen, action.label())
    });
    let is_filtered = query.has_filter();
    view! {
        <form class="controls" method="get" action=links::AUDIT>
            <label>"Repository"
                <input id="of-repository" type="search" name="repo" value=query.repository.clone() placeholder="acme/payments" autocomplete="off" data-submit/>
            </label>
            {list("Action", Some("of-action"), "action", "Anything", actions)}
            <button class="btn unscripted" type="submit">"Show"</button>
            {is_filtered.then(|| view! { <a class="btn" href=links::AUDIT>"Show all"</a> })}
        </form>
    }
}

fn nothing(query: &AuditQuery, has_older: bool) -> AnyView {
    let is_part = query.has_filter() || query.before.is_some();
    let (heading, sentence) = if has_older {
        (
            "Nothing found so far",
            "No entry searched so far matches. There are older entries.",
        )
    } else if is_part {
        ("Nothing found", "No entry matches.")
    } else {
        ("No changes yet", "Nothing has changed since the log began.")
    };
    let all = is_part.then(|| (links::AUDIT.to_owned(), "Show all"));
    message(heading, sentence, all)
}

fn table(rows: impl IntoView) -> AnyView {
    let columns = [
        ("When", "c-when"),
        ("What", "c-of"),
        ("About", "c-outcome"),
        ("Before and after", ""),
        ("Who, from where", "c-sent"),
    ];
    let table = view! {
        <table class="attempts" aria-labelledby="changes">{head(columns)}<tbody>{rows}</tbody></table>
    };
    card("changes", "Changes", aside("newest first"), table)
}

fn row(entry: AuditEntry, now: Timestamp) -> impl IntoView {
    let at = entry.at;
    let label = entry.label().to_owned();
    let about = match entry.about() {
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

#[cfg(test)]
mod tests;
