//! The view of a record's page: its choice, and its numbers beside the whole record.

use super::header::{actions, counts, new_code};
use crate::{
    components::{
        card::{card, note},
        change::Change,
        coverage::{Percent, level},
        view_choice::{shown_view, view_form, view_list},
    },
    links,
    numbers::covered_of,
};
use domain::{Against, Comparison, RecordDetail, RecordQuery, RecordView};
use leptos::prelude::*;

const OF_VIEW: &str = "The coverage, new code, changed lines, the reasons of the change and the files are of this view. Everything else on this page is of the whole record.";

/// A list of views; nothing if the repository has no view.
pub(super) fn choice_of_view(query: &RecordQuery, detail: &RecordDetail) -> Option<AnyView> {
    let shown = detail.view.as_ref().map(|view| &view.name);
    let list = view_list(&detail.views, shown)?;
    let kept = without_view(query).parameters();
    Some(view_form(links::record(query.id), kept, list))
}

/// The shown view with what is of it.
pub(super) fn view(query: &RecordQuery, detail: &RecordDetail) -> Option<AnyView> {
    let name = &detail.view.as_ref()?.name;
    let without = links::record_page(&without_view(query));
    let shown = shown_view(&detail.record.repository, name, without);
    Some(card("view", "View", None::<()>, (shown, note(OF_VIEW))))
}

fn without_view(query: &RecordQuery) -> RecordQuery {
    RecordQuery {
        view: None,
        ..query.clone()
    }
}

/// The numbers of a view, and of the whole record.
pub(super) fn numbers(detail: &RecordDetail, view: &RecordView) -> impl IntoView + use<> {
    let figure = match view.percentage() {
        Some(percentage) => view! {
            <div class=format!("figure {}", level(percentage))>{percentage.to_string()}<small><Percent/></small></div>
        }
        .into_any(),
        None => view! { <div class="figure muted">"–"</div> }.into_any(),
    };
    let none = match view.lines {
        None => {
            Some("The files of this record are not known, so the lines of the view are not either.")
        }
        Some(lines) if lines.total == 0 => Some("The files of the view have no lines to cover."),
        Some(_) => None,
    };
    let none = none.map(|sentence| view! { <li class="muted">{sentence}</li> });
    let whole = view
        .whole
        .map(|lines| format!(", {} lines covered", covered_of(lines)));
    let whole = format!(
        "The whole record: {} %{}.",
        detail.record.percentage,
        whole.unwrap_or_default()
    );
    let has_other = detail.base.is_some() || detail.older.is_some();
    let change = match &detail.comparison {
        Some(comparison) => Some(changed(detail, view, comparison).into_any()),
        None if has_other => Some(
            view! { <li class="muted">"The record to compare with has no lines in this view, or they are not known."</li> }
                .into_any(),
        ),
        None => None,
    };
    view! {
        <section class="hero" aria-label="Coverage" data-testid="headline">
            {figure}
            <ul class="changes">
                {none}
                {change}
                {new_code(detail)}
                <li>{whole}</li>
                {counts(detail)}
            </ul>
            {actions(detail)}
        </section>
    }
}

/// The change of the view.
fn changed(
    detail: &RecordDetail,
    view: &RecordView,
    comparison: &Comparison,
) -> impl IntoView + use<> {
    let base = &comparison.base;
    let which = match (comparison.against, &detail.base) {
        (Against::Base, Some(of)) => {
            format!("its base, {}", of.reason(&detail.record.branch))
        }
        _ => "the previous record on its branch".to_owned(),
    };
    let href = links::record_view(base.id, Some(&view.name));
    view! {
        <li>
            <Change change=Some(comparison.change)/>
            " points against "
            <a class="link mono" href=href>{format!("commit {}", base.commit.short())}</a>
            {format!(" with {} % in this view", base.percentage)}
            <span class="muted">": "<bdi>{which}</bdi></span>
        </li>
    }
}
