//! The controls: the period, how repositories are combined, and which repositories count. They are links and a form, so
//! that the address holds all choices.

use crate::{components::kept::kept, links};
use domain::{Day, Mean, OrgQuery, Over, Period, TrendRange};
use leptos::prelude::*;

/// The row of controls; errors in the address are shown under it.
#[component]
pub(super) fn Controls(
    query: OrgQuery,
    /// Invalid parameters with their errors.
    wrong: Vec<(&'static str, String)>,
    period: Option<Period>,
) -> impl IntoView {
    let ranges = TrendRange::ALL.iter().map(|range| {
        let chosen = OrgQuery {
            range: *range,
            from: None,
            to: None,
            ..query.clone()
        };
        let is_current = query.range == *range && !query.has_dates();
        choice(range.label(), &chosen, is_current)
    });
    let means = Mean::ALL.iter().map(|mean| {
        let chosen = OrgQuery {
            mean: *mean,
            ..query.clone()
        };
        choice(mean.label(), &chosen, query.mean == *mean)
    });
    let overs = Over::ALL.iter().map(|over| {
        let chosen = OrgQuery {
            over: *over,
            ..query.clone()
        };
        choice(over.label(), &chosen, query.over == *over)
    });
    let wrong = wrong.into_iter().map(
        |(name, message)| view! { <p class="muted small" role="status">{format!("“{name}” in the address {message}.")}</p> },
    );
    view! {
        <div class="controls org-controls">
            <nav class="seg" aria-label="Period">{ranges.collect_view()}</nav>
            <nav class="seg" aria-label="Mean">{means.collect_view()}</nav>
            <nav class="seg" aria-label="Repositories that count">{overs.collect_view()}</nav>
            <Dates query=query.clone() period/>
        </div>
        {wrong.collect_view()}
    }
}

fn choice(label: &'static str, chosen: &OrgQuery, is_current: bool) -> impl IntoView + use<> {
    view! { <a href=links::org_view(chosen) aria-current=is_current.then_some("true")>{label}</a> }
}

/// Two dates with a submit button. A change does not submit the form, because each key typed into a field changes its
/// date.
#[component]
fn Dates(query: OrgQuery, period: Option<Period>) -> impl IntoView {
    let shown = |day: Option<Day>| day.map(|day| day.to_string());
    let from = shown(query.from.or(period.map(|period| period.from)));
    let to = shown(query.to.or(period.map(|period| period.to)));
    view! {
        <form method="get" action=links::orgs(query.org.as_ref()) class="dates">
            {kept(query.parameters(), &["from", "to", "range"])}
            <label>"From"<input type="date" name="from" value=from min="1970-01-01"/></label>
            <label>"To"<input type="date" name="to" value=to min="1970-01-01"/></label>
            <button class="btn" type="submit" aria-current=query.has_dates().then_some("true")>"Apply dates"</button>
        </form>
    }
}
