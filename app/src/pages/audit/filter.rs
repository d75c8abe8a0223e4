//! The filter of the audit log.

use crate::links;
use domain::{AuditAction, AuditQuery};
use leptos::prelude::*;

/// Repository and action as fields.
#[component]
pub(super) fn Filter(query: AuditQuery) -> impl IntoView {
    let chosen = query.action;
    let actions = AuditAction::ALL.iter().map(move |action| {
        let is_chosen = chosen == Some(*action);
        view! { <option value=action.word() selected=is_chosen>{action.label()}</option> }
    });
    let is_filtered = query.has_filter();
    view! {
        <form class="controls" method="get" action=links::AUDIT>
            <label>"Repository"
                <input id="of-repository" type="search" name="repo" value=query.repository placeholder="acme/payments" autocomplete="off" data-submit/>
            </label>
            <label>"Action"
                <select id="of-action" name="action" data-submit>
                    <option value="">"Anything"</option>
                    {actions.collect_view()}
                </select>
            </label>
            <button class="btn unscripted" type="submit">"Show"</button>
            {is_filtered.then(|| view! { <a class="btn" href=links::AUDIT>"Show all"</a> })}
        </form>
    }
}
