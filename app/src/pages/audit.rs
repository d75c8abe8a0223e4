//! `/audit`: the audit log, for holders of an admin token.

mod entry_table;
mod filter;

use crate::{
    AppError, AuditAccess, SharedReadModel,
    address::Address,
    components::{answered::answered, page_head::PageHead},
    links,
};
use domain::{AuditPage as Log, AuditQuery, AuditScope};
use entry_table::EntryTable;
use filter::Filter;
use leptos::prelude::*;

/// The audit log; its address holds the filters and the page.
#[component]
pub(crate) fn AuditPage() -> impl IntoView {
    let query = query_of(&Address::current());
    let model: SharedReadModel = expect_context();
    let AuditAccess(scope) = use_context().unwrap_or_default();
    let allowed = scope.clone();
    let answer = async move {
        let scope = allowed.ok_or(AppError::AdminOnly)?;
        model.audit_page(&query, &scope).await
    };
    view! {
        <PageHead title="Audit log" description="Who changed what, when, and from where."/>
        {answered::<Log, _>(answer, |page| view! { <Content page scope/> })}
    }
}

fn query_of(address: &Address) -> AuditQuery {
    AuditQuery {
        action: address.get("action").parse().ok(),
        repository: address.get("repo"),
        before: address.get("before").parse().ok(),
    }
}

#[component]
fn Content(page: Log, scope: Option<AuditScope>) -> impl IntoView {
    let Log {
        now,
        query,
        entries,
        next,
    } = page;
    let to = |before| {
        links::audit(&AuditQuery {
            before,
            ..query.clone()
        })
    };
    let newest = query.before.is_some().then(|| to(None));
    let older = next.map(|next| to(Some(next)));
    let has_older = older.is_some();
    let limit = scope.and_then(|scope| scope.limit());
    let scope_note = limit.map(|limit| format!(" Your token shows only changes in {limit}."));
    view! {
        <div>
            <h1>"Audit log"</h1>
            <p class="muted small">
                "Who changed tokens, main branches and records, when, and from where; newest first. Entries are never changed or removed."
                <bdi>{scope_note}</bdi>" "<a class="link" href=links::SETTINGS>"Settings and tokens"</a>
            </p>
        </div>
        <Filter query=query.clone()/>
        {if entries.is_empty() {
            view! { <Nothing query=query.clone() has_older/> }.into_any()
        } else {
            view! { <EntryTable entries now/> }.into_any()
        }}
        {(newest.is_some() || has_older).then(|| view! {
            <nav class="pager" aria-label="Pages">
                {newest.map(|href| view! { <a class="btn" href=href>"⇤ Newest"</a> })}
                {older.map(|href| view! { <a class="btn" rel="next" href=href>"Older →"</a> })}
            </nav>
        })}
    }
}

#[component]
fn Nothing(query: AuditQuery, has_older: bool) -> impl IntoView {
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
    view! {
        <section class="card message">
            <h2>{heading}</h2>
            <p>{sentence}</p>
            {is_part.then(|| view! { <p><a class="btn" href=links::AUDIT>"Show all"</a></p> })}
        </section>
    }
}

#[cfg(test)]
mod tests;
