//! The bytes after some days, and when quotas are reached.

use super::share;
use crate::{
    components::{
        card::{aside, card, note, number, stacked},
        measures::size,
        name::{Name, repository_link},
    },
    links,
    numbers::counted,
};
use domain::{FORECAST_DAYS, Forecast, Named, Prune, QuotaUse, Storage, Stored};
use leptos::prelude::*;

/// More days than this are not stated as a number.
const TEN_YEARS: u64 = 3_650;

/// A forecast needs the uploads of this many days.
const WEEK_DAYS: u32 = 7;

/// The bytes of HTML reports after some days, and what the forecast does not consider; nothing without a forecast.
pub(super) fn forecast(storage: &Storage) -> Option<AnyView> {
    let content = numbers(storage.forecast?, storage);
    let about = aside("of HTML reports, at the present rate");
    Some(card("forecast", "Forecast", about, content))
}

/// Why there is no forecast.
pub(super) fn missing(storage: &Storage) -> Option<&'static str> {
    let prunes = storage.retention.prune().and_then(|prune| {
        prune.next?;
        prune.rules.all_days
    });
    if storage.forecast.is_some() {
        return None;
    }
    Some(match prunes {
        Some(days) if days < WEEK_DAYS => {
            "A forecast needs the HTML reports of a week, and the rules remove them earlier."
        }
        _ => "A forecast needs a week of uploads to this service; imported records do not count.",
    })
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
                {number("Size", size(bytes))}
                {number("Change", change)}
            </tr>
        }
    });
    let rate = format!(
        "Of what was uploaded in the last {}, {} are kept: {} a day.",
        days_in_words(growth.days.into()),
        size(growth.bytes),
        size(growth.after(1)),
    );
    let columns = [("When", ""), ("Size", "num"), ("Change", "num")];
    view! {
        <p class="note">{rate}</p>
        {stacked("forecast", "forecast", columns, rows.collect_view())}
        {note(considered(storage.retention.prune()))}
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
pub(super) fn quotas(quotas: &[QuotaUse]) -> impl IntoView + use<> {
    let columns = [
        ("Org or repository", ""),
        ("Size", "num"),
        ("Quota", "num"),
        ("Share", "num"),
        ("Reached", "num"),
    ];
    (!quotas.is_empty()).then(|| {
        let about = aside(
            "the fullest; HTML reports, stored lines and source text, without what will be pruned",
        );
        let rows = quotas.iter().map(quota).collect_view();
        card(
            "quotas",
            "Quotas",
            about,
            stacked("quotas", "quotas", columns, rows),
        )
    })
}

fn quota(quota: &QuotaUse) -> impl IntoView + use<> {
    let name = match &quota.of {
        Named::Org(org) => {
            view! { <a class="name" href=links::org(org)><Name text=org.to_string()/></a> }
                .into_any()
        }
        Named::Repository(repository) => repository_link(repository, true).into_any(),
    };
    let of = |bytes| Stored { reports: 0, bytes };
    let part = of(quota.bytes).share_of(of(quota.limit));
    view! {
        <tr>
            <th scope="row">{name}</th>
            {number("Size", size(quota.bytes))}
            {number("Quota", size(quota.limit))}
            {number("Share", share(part))}
            {number("Reached", reached(quota.days_left))}
        </tr>
    }
}

pub(super) fn reached(days_left: Option<u64>) -> String {
    match days_left {
        None => "not at this rate".to_owned(),
        Some(0) => "now".to_owned(),
        Some(days) if days > TEN_YEARS => "in over 10 years".to_owned(),
        Some(days) => format!("in {}", days_in_words(days)),
    }
}

/// `1 day`, `30 days`.
pub(super) fn days_in_words(days: u64) -> String {
    counted(days, "day", "days")
}
