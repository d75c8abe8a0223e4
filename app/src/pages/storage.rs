//! `/storage`: what HTML reports and the database use, a forecast, and what is removed next.

mod ages;
mod forecast;
mod pins;
mod repositories;
mod retention;
#[cfg(test)]
mod tests;
mod wording;

use crate::{
    SharedStorageModel,
    components::{answered::answered, facts::Fact, measures::size, page_head::PageHead},
    links,
};
use ages::Ages;
use domain::Storage;
use forecast::{ForecastCard, Quotas};
use leptos::prelude::*;
use pins::PinnedReports;
use repositories::Repositories;
use retention::{Grace, NextPrune};
use std::sync::Arc;
use wording::{both, reports, share};

#[component]
pub(crate) fn StoragePage() -> impl IntoView {
    let model: SharedStorageModel = expect_context();
    let answer = async move { model.storage().await };
    answered(answer, |storage: Arc<Storage>| view! { <Content storage/> })
}

#[component]
fn Content(storage: Arc<Storage>) -> impl IntoView {
    let (total, released) = (storage.total(), storage.released.stored);
    let is_empty = total.reports == 0 && released.reports == 0;
    view! {
        <PageHead title="Storage" description="How many bytes HTML reports use, a forecast, and what is removed next."/>
        <div>
            <h1>"Storage"</h1>
            <p class="muted small">
                "Read from the database on "
                <time datetime=storage.at.machine()>{storage.at.long()}</time>
                "; these numbers may be a minute old."
            </p>
        </div>
        <Figures storage=storage.clone()/>
        {if is_empty {
            view! { <Nothing/> }.into_any()
        } else {
            view! {
                <Ages storage=storage.clone()/>
                <ForecastCard storage=storage.clone()/>
                <Quotas quotas=storage.quotas.clone()/>
                <NextPrune storage=storage.clone()/>
                <Grace released=storage.released.clone()/>
                <PinnedReports pins=storage.pins.clone() now=storage.at/>
                <Repositories storage/>
            }
            .into_any()
        }}
    }
}

/// The largest figures.
#[component]
fn Figures(storage: Arc<Storage>) -> impl IntoView {
    let (total, released) = (storage.total(), storage.released.stored);
    let database = storage.database_bytes.map(|bytes| {
        view! { <Fact label="Database" note="all numbers, the uploads and the audit log">{size(bytes)}</Fact> }
    });
    let prune = storage.retention.prune().copied().map(|prune| {
        let when = match prune.next {
            Some(_) => "at the next prune",
            None => "if it is pruned now",
        };
        let note = format!("{} {when}", reports(prune.removed.reports));
        view! { <Fact label="Removed next" note=note>{size(prune.removed.bytes)}</Fact> }
    });
    view! {
        <dl class="facts" aria-label="Bytes in use">
            <Fact label="HTML reports" note=reports(total.reports)>{size(total.bytes)}</Fact>
            <Fact label="In the grace period" note=reports(released.reports)>{size(released.bytes)}</Fact>
            {prune}
            {database}
        </dl>
    }
}

#[component]
fn Nothing() -> impl IntoView {
    view! {
        <section class="card message">
            <h2>"No HTML reports yet"</h2>
            <p>"The first upload with an HTML report appears here."</p>
            <p><a class="btn" href=links::SETUP>"Set up uploads"</a></p>
        </section>
    }
}
