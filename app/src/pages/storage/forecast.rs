//! The bytes after some days, and when quotas are reached.

use super::share;
use crate::{
    components::{
        measures::size,
        name::{Name, repository_link},
    },
    links,
    numbers::grouped,
};
use domain::{FORECAST_DAYS, Forecast, Prune, QuotaOf, QuotaUse, Storage, Stored};
use leptos::prelude::*;
use std::sync::Arc;

/// More days than this are not stated as a number.
const TEN_YEARS: u64 = 3_650;

/// The bytes of HTML reports after some days, and what the forecast does not consider.
#[component]
pub(super) fn ForecastCard(storage: Arc<Storage>) -> impl IntoView {
    let content = match storage.forecast {
        None => view! {
            <p class="note">"There is no forecast: it needs the HTML reports of a week, and the service is younger or prunes them earlier."</p>
        }
        .into_any(),
        Some(forecast) => numbers(forecast, &storage).into_any(),
    };
    view! {
        <section class="card" aria-labelledby="forecast">
            <div class="head"><h2 id="forecast">"Forecast"</h2><span class="muted small">"of HTML reports, at the present rate"</span></div>
            {content}
        </section>
    }
}

fn numbers(forecast: Forecast, storage: &Storage) -> impl IntoView + use<> {
    let (growth, now) = (forecast.growth, storage.total().bytes);
    let rows = FORECAST_DAYS.into_iter().zip(forecast.bytes);
    let rows = rows.map(|(days, bytes)| {
        let change = if bytes >= now {
            format!("+{}", size(bytes - now))
        } else {
            format!("−{}", size(now - bytes))
        };
        view! {
            <tr>
                <th scope="row">{format!("In {days} days")}</th>
                <td class="num" data-label="Size">{size(bytes)}</td>
                <td class="num" data-label="Change">{change}</td>
            </tr>
        }
    });
    let rate = format!(
        "Of what was uploaded in the last {}, {} are kept: {} a day.",
        days_in_words(growth.days.into()),
        size(growth.bytes),
        size(growth.after(1)),
    );
    view! {
        <p class="note">{rate}</p>
        <table class="stored stacked" aria-labelledby="forecast" data-testid="forecast">
            <thead>
                <tr>
                    <th scope="col">"When"</th>
                    <th scope="col" class="num">"Size"</th>
                    <th scope="col" class="num">"Change"</th>
                </tr>
            </thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
        <p class="muted small note">{considered(storage.retention.prune())}</p>
    }
}

/// What the forecast considers, and what it does not.
fn considered(prune: Option<&Prune>) -> String {
    let pruned = match prune.filter(|prune| prune.next.is_some()) {
        None => {
            "The forecast adds the same bytes every day and removes nothing, since the service does not prune by itself.".to_owned()
        }
        Some(prune) => {
            let subtracts = "The forecast adds the same bytes every day and subtracts what the service will prune of the reports that exist now.";
            let later = match (prune.rules.all_days, prune.rules.weekly_days) {
                (Some(days), None) => format!("New reports are subtracted after {}.", days_in_words(days.into())),
                _ => "It does not subtract what the service will prune of later uploads, so it may be too high.".to_owned(),
            };
            format!("{subtracts} {later}")
        }
    };
    format!(
        "{pruned} It does not consider new repositories, larger reports, other rules, deleted records, reports in the grace period, or the database."
    )
}

/// A row for each org or repository with a quota, the fullest first; nothing without quotas.
#[component]
pub(super) fn Quotas(quotas: Vec<QuotaUse>) -> impl IntoView {
    (!quotas.is_empty()).then(|| {
        view! {
            <section class="card" aria-labelledby="quotas">
                <div class="head">
                    <h2 id="quotas">"Quotas"</h2>
                    <span class="muted small">"the fullest; HTML reports and stored lines, without what will be pruned"</span>
                </div>
                <table class="stored stacked" aria-labelledby="quotas" data-testid="quotas">
                    <thead>
                        <tr>
                            <th scope="col">"Org or repository"</th>
                            <th scope="col" class="num">"Size"</th>
                            <th scope="col" class="num">"Quota"</th>
                            <th scope="col" class="num">"Share"</th>
                            <th scope="col" class="num">"Reached"</th>
                        </tr>
                    </thead>
                    <tbody>{quotas.into_iter().map(quota).collect_view()}</tbody>
                </table>
            </section>
        }
    })
}

fn quota(quota: QuotaUse) -> impl IntoView {
    let name = match &quota.of {
        QuotaOf::Org(org) => {
            view! { <a class="name" href=links::org(org)><Name text=org.to_string()/></a> }
                .into_any()
        }
        QuotaOf::Repository(repository) => repository_link(repository, true).into_any(),
    };
    let of = |bytes| Stored { reports: 0, bytes };
    let part = of(quota.bytes).share_of(of(quota.limit));
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td class="num" data-label="Size">{size(quota.bytes)}</td>
            <td class="num" data-label="Quota">{size(quota.limit)}</td>
            <td class="num" data-label="Share">{share(part)}</td>
            <td class="num" data-label="Reached">{reached(quota.days_left)}</td>
        </tr>
    }
}

fn reached(days_left: Option<u64>) -> String {
    match days_left {
        None => "not at this rate".to_owned(),
        Some(0) => "now".to_owned(),
        Some(days) if days > TEN_YEARS => "in over 10 years".to_owned(),
        Some(days) => format!("in {}", days_in_words(days)),
    }
}

/// `1 day`, `30 days`.
pub(super) fn days_in_words(days: u64) -> String {
    match days {
        1 => "1 day".to_owned(),
        _ => format!("{} days", grouped(days)),
    }
}
