//! The controls: the period, what is counted, how repositories are combined, and which repositories count. They are links and a
//! form, so that the address holds all choices.

use super::within;
use crate::{
    components::form::{choice, choices, compared_since, dates, hidden, quarters},
    links,
};
use domain::{Day, Mean, OrgHistory, OrgQuery, Over, StatedMetric, TrendRange};
use leptos::prelude::*;
use std::collections::BTreeSet;

/// Since when the same repositories are compared, if the range begins earlier.
pub(super) fn compared(query: &OrgQuery, history: &OrgHistory) -> Option<AnyView> {
    let period = history.period?;
    let first = query.range.first_day(period.to);
    let is_cut = first.is_none_or(|first| first < period.from);
    let came = history.series.iter();
    let came = came.filter(|one| one.first == period.from);
    let came = came.map(|one| within(query.org.as_ref(), &one.repository.to_string()));
    let came: BTreeSet<_> = came.collect();
    let came: Vec<_> = came.into_iter().collect();
    (is_cut && query.from.is_none() && query.over == Over::Same)
        .then(|| compared_since(period.from, &came))
}

/// The row of controls. `wrong` are invalid parameters with their errors, which are shown under it.
pub(super) fn controls(
    query: &OrgQuery,
    wrong: Vec<(&'static str, String)>,
    history: &OrgHistory,
) -> impl IntoView + use<> {
    let (period, today) = (history.period, Day::of(history.now));
    let link = |name: &str, is_current: bool, choose: &dyn Fn(&mut OrgQuery)| {
        let mut chosen = query.clone();
        choose(&mut chosen);
        choice(links::org_view(&chosen), is_current, name.to_owned())
    };
    let ranges = TrendRange::ALL.iter().map(|range| {
        let is_current = query.range == *range && !query.has_dates();
        link(range.label(), is_current, &|chosen| {
            (chosen.range, chosen.from, chosen.to) = (*range, None, None);
        })
    });
    let quarters = quarters(today, (query.from, query.to), |period| {
        let mut chosen = query.clone();
        (chosen.from, chosen.to) = (Some(period.from), Some(period.to));
        links::org_view(&chosen)
    });
    let metrics = StatedMetric::ALL.iter().map(|metric| {
        let is_current = query.metric == *metric;
        link(metric.label(), is_current, &|chosen| {
            chosen.metric = *metric
        })
    });
    let means = Mean::ALL.iter().map(|mean| {
        let is_current = query.mean == *mean;
        link(&query.label_of(*mean), is_current, &|chosen| {
            chosen.mean = *mean
        })
    });
    let overs = Over::ALL.iter().map(|over| {
        let is_current = query.over == *over;
        link(over.label(), is_current, &|chosen| chosen.over = *over)
    });
    let shown = |day: Option<Day>| day.map(|day| day.to_string());
    let from = shown(query.from.or(period.map(|period| period.from)));
    let to = shown(query.to.or(period.map(|period| period.to)));
    let action = links::orgs(query.org.as_ref());
    let kept = hidden(query.parameters(), &["from", "to", "range"]);
    let wrong = wrong.into_iter().map(
        |(name, message)| view! { <p class="muted small" role="status">{format!("“{name}” in the address {message}.")}</p> },
    );
    let chosen = format!(
        ": {}, {}, {}",
        query.metric.label(),
        query.label_of(query.mean),
        query.over.label()
    );
    let usual = OrgQuery {
        org: query.org.clone(),
        range: query.range,
        ..OrgQuery::default()
    };
    let is_usual = *query == usual;
    let chosen = (!is_usual).then_some(chosen);
    view! {
        <div class="controls org-controls">
            {choices("Period", ranges.chain(quarters))}
            {compared(query, history)}
            <details open=!is_usual>
                <summary>"More choices"<span class="muted">{chosen}</span></summary>
                <div class="controls">
                    {choices("What is counted", metrics)}
                    {choices("Mean", means)}
                    {choices("Repositories that count", overs)}
                    {dates(action, kept, (from, to), query.has_dates())}
                </div>
            </details>
        </div>
        {wrong.collect_view()}
    }
}
