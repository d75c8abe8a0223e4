//! The numbers of a record: the percentage with its changes, and a card for each counter.

use crate::{
    components::{
        change::Change,
        coverage::{Bar, Percent, level},
    },
    links,
    numbers::grouped,
};
use domain::{
    Change as Points, CompareQuery, Counted, RecordBeside, RecordDetail, RecordRef, heading,
};
use leptos::prelude::*;

pub(super) fn numbers(detail: &RecordDetail) -> impl IntoView + use<> {
    let percentage = detail.percentage;
    let base = detail.base.as_ref();
    let older = detail.older.as_ref();
    let older = older.filter(|older| base.is_none_or(|base| base.record.id != older.id));
    let is_first = base.is_none() && older.is_none();
    let base = base.map(|base| {
        let of = format!("against its base, {}", base.reason(&detail.branch));
        against(detail, &base.record, of)
    });
    let before = older.map(|older| {
        let of = "since the previous record on its branch".to_owned();
        against(detail, older, of)
    });
    let counts = detail.counts.iter().map(card).collect_view();
    view! {
        <section class="hero" aria-label="Coverage" data-testid="headline">
            <div class=format!("figure {}", level(percentage))>{percentage.to_string()}<small><Percent/></small></div>
            <ul class="changes">
                {base}
                {before}
                {is_first.then(|| first(detail))}
            </ul>
        </section>
        <section class="stats" aria-label="What was counted">{counts}</section>
    }
}

/// The text for a record with no base and no previous record.
fn first(detail: &RecordDetail) -> impl IntoView + use<> {
    let with_another = links::compare(&CompareQuery {
        head: Some(RecordRef::Id(detail.id)),
        ..CompareQuery::default()
    });
    view! {
        <li class="muted">
            "This is the first record of its branch in its language: there is nothing to compare it with. "
            <a class="link" href=with_another>"Choose a record"</a>
        </li>
    }
}

/// The change against another record, and a link to that record.
fn against(detail: &RecordDetail, base: &RecordBeside, which: String) -> impl IntoView + use<> {
    let change = Points::between(base.percentage, detail.percentage);
    let name = format!("commit {}", base.commit.short());
    // A decrease because parts are missing is not a change of the commit.
    let is_known = detail.parts.missing().is_empty() || change.basis_points() >= 0;
    let change = match is_known {
        true => view! { <Change change=Some(change)/> " points " }.into_any(),
        false => view! { <span class="muted">"Incomplete, so not compared "</span> }.into_any(),
    };
    view! {
        <li>
            {change}
            <bdi>{which}</bdi>
            ", "
            <a class="link mono" href=links::record(base.id)>{name}</a>
            <span class="muted">{format!(" with {} %, {}", base.percentage, base.updated_at.long())}</span>
        </li>
    }
}

fn card(counted: &Counted) -> impl IntoView + use<> {
    let count = counted.count;
    let percentage = count.percentage();
    let of = format!(
        "{} of {} covered",
        grouped(count.covered),
        grouped(count.total)
    );
    view! {
        <div class=format!("card stat {}", level(percentage))>
            <h2>{heading(&counted.counter)}</h2>
            <p class="number">{percentage.to_string()}<Percent/></p>
            <Bar percentage/>
            <p class="muted small">{of}</p>
        </div>
    }
}
