//! What the retention removes next, and the reports in their grace period.

use super::{
    both,
    forecast::{days_in_words, missing},
    reports,
};
use crate::{
    components::{
        card::{simple, with_code},
        measures::size,
    },
    numbers::grouped,
};
use domain::{Prune, Released, Retention, RetentionRules, Storage};
use leptos::prelude::*;

/// What is removed next and by which rules, the reports in their grace period, and why there are no pins or no forecast.
pub(super) fn retention(storage: &Storage) -> AnyView {
    let next = match &storage.retention {
        Retention::KeepsAll => {
            view! { <p><strong>"Every HTML report is kept until its record is deleted."</strong></p> }
                .into_any()
        }
        Retention::Contradicts(how) => view! {
            <p>"The retention rules cannot be used, so nothing is pruned: "{how.clone()}"."</p>
        }
        .into_any(),
        Retention::Rules(prune) => {
            rules(*prune, storage.total().reports, storage.released.grace.as_deref()).into_any()
        }
    };
    let is_without_rules = matches!(storage.retention, Retention::KeepsAll);
    let rules = is_without_rules.then_some(
        "The settings `KEEP_REPORTS_DAYS` and `KEEP_REPORTS_PER_BRANCH` limit how long and how many reports are kept.",
    );
    let pins = storage.pins.newest.is_empty().then_some(
        "No report is pinned: `coverage-dashboard pin NUMBER` keeps the HTML report of a record regardless of the rules, for example of a release.",
    );
    let missing: Vec<_> = [rules, pins, missing(storage)]
        .into_iter()
        .flatten()
        .collect();
    let grace = grace(&storage.released);
    let content = view! {
        {next}
        {grace}
        {(!missing.is_empty()).then(|| view! { <p class="muted small">{with_code(&missing.join(" "))}</p> })}
    };
    simple("known", "retention", "Retention", content)
}

fn rules(prune: Prune, all: u64, grace: Option<&str>) -> impl IntoView + use<> {
    let removed = format!(
        "{} of {}, {}",
        grouped(prune.removed.reports),
        reports(all),
        size(prune.removed.bytes)
    );
    let when = match prune.next {
        Some(next) => view! {
            "The service prunes next on "
            <time datetime=next.machine()>{next.long()}</time>
            ". By then the rules remove "
            {removed}
            "."
        }
        .into_any(),
        None => view! {
            "The service does not prune by itself, because "
            <code>"PRUNE_AT"</code>
            " is not set. With the rules of the service, "
            <code>"coverage-dashboard prune"</code>
            " would now remove "
            {removed}
            "."
        }
        .into_any(),
    };
    let exempt = format!(
        "The rules never remove pinned reports, or the newest report of each main branch and language ({}).",
        both(prune.exempt)
    );
    let after = grace.map(|grace| {
        let text = format!("The files of a pruned HTML report stay for a grace period of {grace}; only then is the space free.");
        view! { <li>{text}</li> }
    });
    view! {
        <p>{when}</p>
        <ul class="rules">
            {in_words(prune.rules).into_iter().map(|rule| view! { <li>{rule}</li> }).collect_view()}
            <li>{exempt}</li>
            {after}
        </ul>
    }
}

fn in_words(rules: RetentionRules) -> Vec<String> {
    let days = |days: u32| days_in_words(days.into());
    let all = rules.all_days;
    let all = all.map(|all| format!("Every HTML report is kept for {}.", days(all)));
    let weekly = rules.weekly_days.map(|weekly| {
        let weekly = days(weekly);
        format!("The newest HTML report of each week, branch and language is kept for {weekly}.")
    });
    let most = rules.most.map(|most| {
        let most = reports(most.into());
        format!("At most {most} of each branch and language are kept, the newest.")
    });
    [all, weekly, most].into_iter().flatten().collect()
}

/// The reports in their grace period; nothing without such reports.
fn grace(released: &Released) -> impl IntoView + use<> {
    (released.stored.reports > 0).then(|| {
        let end = released.next_end.filter(|_| released.grace.is_some());
        let end = end.map(|end| {
            view! {
                " The next one ends on "
                <time datetime=end.machine()>{end.long()}</time>
                "."
            }
        });
        let stay = match &released.grace {
            Some(grace) => format!(
                "Their files stay for a grace period of {grace}, for copies of the database."
            ),
            None => "Their files are being removed.".to_owned(),
        };
        let text = format!("Replaced and pruned: {}. {stay}", both(released.stored));
        view! { <p>{text}{end}</p> }
    })
}
