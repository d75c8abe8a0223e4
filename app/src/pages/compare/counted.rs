//! What a comparison counts: the choice of it, and the change.

use crate::{
    components::{
        card::{card, note},
        change::Change,
        form::{choice, choices},
        view_choice::shown_view,
    },
    links,
};
use domain::{Compare, CompareQuery, ComparedRecord, Metric, SideCount};
use leptos::prelude::*;

const METRICS: [Metric; 3] = [Metric::Lines, Metric::Branches, Metric::Functions];

/// Links to what can be counted, and the shown view with a link that leaves it.
pub(super) fn choice_of(
    query: &CompareQuery,
    compare: &Compare,
    head: &ComparedRecord,
) -> impl IntoView + use<> {
    let links = METRICS.map(|metric| {
        let chosen = CompareQuery {
            metric,
            ..query.clone()
        };
        let is_current = metric == query.metric;
        choice(links::compare(&chosen), is_current, metric.label())
    });
    let view = compare.view.as_ref().map(|view| {
        let without = CompareQuery {
            view: None,
            ..query.clone()
        };
        let shown = shown_view(&head.repository, view, links::compare(&without));
        card("view", "View", None::<()>, shown)
    });
    view! {
        <div class="controls">{choices("What is counted", links)}</div>
        {view}
    }
}

/// The change, or why it is not known, and what is compared.
pub(super) fn headline(
    query: &CompareQuery,
    compare: &Compare,
    sides: impl IntoView + 'static,
) -> AnyView {
    let what = match query.metric {
        Metric::Lines | Metric::New => "",
        Metric::Branches => " of branches",
        Metric::Functions => " of functions",
    };
    let sentence = match compare.percentages() {
        Some((base, head)) => {
            format!("percentage points{what}, from {base}\u{202f}% to {head}\u{202f}%")
        }
        None => reasons(query, compare),
    };
    view! {
        <section class="hero" aria-label="Change" data-testid="headline">
            <div class="figure"><Change change=compare.change()/></div>
            <ul class="changes"><li>{sentence}</li>{sides}</ul>
        </section>
    }
    .into_any()
}

/// Why there is no change, for each side.
fn reasons(query: &CompareQuery, compare: &Compare) -> String {
    let Some(counted) = &compare.counted else {
        return String::new();
    };
    let what = query.metric.word();
    let reason = |side: &str, count: SideCount| match count {
        Err(why) => Some(format!("The {what} of the {side} are not known: {why}.")),
        Ok(count) if count.total == 0 && query.view.is_some() => {
            Some(format!("The {side} has no {what} in this view."))
        }
        Ok(count) if count.total == 0 => Some(format!("The {side} has no {what}.")),
        Ok(_) => None,
    };
    let sides = [("base", counted.base), ("head", counted.head)];
    let reasons = sides
        .into_iter()
        .filter_map(|(side, count)| reason(side, count));
    reasons.collect::<Vec<_>>().join(" ")
}

/// What a dash in the table of files means, if it may stand for an unknown count.
pub(super) fn dashes(metric: Metric) -> Option<AnyView> {
    let what = match metric {
        Metric::Lines | Metric::New => return None,
        metric => metric.word(),
    };
    Some(note(format!(
        "A dash: the coverage file states no {what} for this file, so it is in none of these numbers."
    )))
}
