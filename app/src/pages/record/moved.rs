//! Explains the change since the base record.

use crate::{
    components::{explained::WhyItMoved, what_moved::WhatMoved},
    links,
};
use domain::{Against, CompareQuery, RecordDetail, RecordQuery};
use leptos::prelude::*;

/// A card that explains the change; `None` if there is nothing to compare with.
pub(super) fn moved(query: &RecordQuery, detail: &RecordDetail) -> Option<impl IntoView + use<>> {
    let comparison = detail.comparison.as_ref()?;
    let base = &comparison.base;
    let side_by_side = links::compare(&CompareQuery::between(base.id, query.id));
    Some(view! {
        <section class="card" id="moved" aria-labelledby="moved-title">
            <div class="head">
                <h2 id="moved-title">"What moved"</h2>
                <span class="muted small">
                    "since commit "
                    <a class="link mono" href=links::record(base.id)>{base.commit.short().to_owned()}</a>
                    {format!(" with {} %", base.percentage)}
                </span>
                <span class="grow"></span>
                {choice(query, detail, comparison.against)}
                <a class="btn" href=side_by_side>"Compare…"</a>
            </div>
            {match comparison.explained.clone() {
                Some(explained) => view! { <WhyItMoved head=query.id change=comparison.change explained/> }.into_any(),
                None => view! {
                    <WhatMoved head=query.clone() change=comparison.change moved=comparison.moved.clone()/>
                }
                .into_any(),
            }}
        </section>
    })
}

/// Links to choose the base record, if there are two.
fn choice(
    query: &RecordQuery,
    detail: &RecordDetail,
    shown: Against,
) -> Option<impl IntoView + use<>> {
    let (older, base) = detail.older.as_ref().zip(detail.base.as_ref())?;
    if older.id == base.record.id {
        return None;
    }
    let link = |against: Against, name: String| {
        let query = RecordQuery {
            against,
            ..query.clone()
        };
        let href = format!("{}#moved", links::record_page(&query));
        let current = (against == shown).then_some("true");
        view! { <a href=href aria-current=current><bdi>{name}</bdi></a> }
    };
    Some(view! {
        <nav class="seg" aria-label="Compare with">
            {link(Against::Base, format!("base: {}", base.name(&detail.branch)))}
            {link(Against::Before, "the previous record".to_owned())}
        </nav>
    })
}
