//! The results of each interval and of each repository as tables.

use crate::{
    components::{
        card::{aside, card, note, number as cell, stacked},
        pull_requests::share,
    },
    links,
    numbers::grouped,
};
use domain::{GateCounts, GateHistory, GateRow, GatesQuery};
use leptos::prelude::*;

/// The most repositories that are shown.
const MOST_SHOWN: usize = 200;

/// A row for each interval with results, the newest first.
pub(super) fn intervals(history: &GateHistory) -> Option<AnyView> {
    let rows = history.rows.iter().rev();
    let rows: Vec<_> = rows.filter(|row| row.counts.results > 0).collect();
    let columns = [
        ("Interval", ""),
        ("Results", "num"),
        ("Gates passed", "num c-of"),
        ("Unknown or waiting", "num"),
        ("No gate", "num"),
        ("Changed lines covered", "num c-of"),
    ];
    let shown = rows.iter().map(|row| {
        let name = named(row);
        view! { <tr><th scope="row">{name}</th>{cells(&row.counts)}</tr> }
    });
    let shown = shown.collect_view();
    let table = stacked("intervals", "intervals", columns, shown);
    let beside = aside("the newest first");
    (!rows.is_empty()).then(|| card("intervals", "Intervals", beside, table))
}

fn named(row: &GateRow) -> String {
    format!("{} – {}", row.days.from.long(), row.days.to.long())
}

/// A row for each repository, the lowest share of passed gates first; `None` if the page is about one.
pub(super) fn repositories(query: &GatesQuery, history: &GateHistory) -> Option<AnyView> {
    if history.repository.is_some() || history.repositories.is_empty() {
        return None;
    }
    let columns = [
        ("Repository", ""),
        ("Results", "num"),
        ("Gates passed", "num c-of"),
        ("Unknown or waiting", "num"),
        ("No gate", "num"),
        ("Changed lines covered", "num c-of"),
    ];
    let rows = history.repositories.iter().take(MOST_SHOWN);
    let rows = rows.map(|(repository, counts)| {
        let href = links::gates(&GatesQuery {
            org: Some(repository.org.clone()),
            repo: Some(repository.repo.clone()),
            ..query.clone()
        });
        let name = repository.to_string();
        view! { <tr><th scope="row"><a href=href><bdi>{name}</bdi></a></th>{cells(counts)}</tr> }
    });
    let rows = rows.collect_view();
    let table = stacked("repositories", "repositories", columns, rows);
    let others = history.repositories.len().saturating_sub(MOST_SHOWN);
    let others = (others > 0).then(|| {
        let others = grouped(others as u64);
        note(format!("{others} more are not shown."))
    });
    let beside = aside("the lowest share of passed gates first");
    Some(card(
        "repositories",
        "Repositories",
        beside,
        (table, others),
    ))
}

fn cells(counts: &GateCounts) -> impl IntoView + use<> {
    let open = match (counts.unknown, counts.incomplete) {
        (unknown, 0) => grouped(unknown),
        (unknown, waiting) => format!("{} and {}", grouped(unknown), grouped(waiting)),
    };
    let unknown = (counts.changes_unknown > 0).then(|| {
        let unknown = format!("{} not known", grouped(counts.changes_unknown));
        view! { " "<span class="share"><span class="muted small">{unknown}</span></span> }
    });
    let changed = view! { {share(counts.changed, "none")}{unknown} };
    view! {
        {cell("Results", grouped(counts.results))}
        {cell("Gates passed", share(counts.judged(), "none"))}
        {cell("Unknown or waiting", open)}
        {cell("No gate", grouped(counts.without))}
        {cell("Changed lines covered", changed)}
    }
}
