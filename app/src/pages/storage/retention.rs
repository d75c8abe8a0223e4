//! What the retention removes next, and a row for each of its rules.

use super::{
    both,
    forecast::{days_in_words, missing},
    reports,
};
use crate::{
    components::{
        card::{card, head, note, with_code},
        measures::size,
    },
    numbers::grouped,
};
use domain::{Pins, Prune, Released, Retention, RetentionRules, Storage};
use leptos::prelude::*;

/// What is removed next, the rules, and why there is no forecast.
pub(super) fn retention(storage: &Storage) -> AnyView {
    let prune = storage.retention.prune();
    let next = match &storage.retention {
        Retention::KeepsAll => {
            "Nothing is removed: every HTML report is kept until its record is deleted.".into_any()
        }
        Retention::Contradicts(how) => {
            format!("The retention rules cannot be used, so nothing is pruned: {how}.").into_any()
        }
        Retention::Rules(prune) => next(*prune, storage.total().reports),
    };
    // Which rules contradict each other is in the sentence above.
    let rules = match storage.retention {
        Retention::Contradicts(_) => Vec::new(),
        _ => rules(prune.map(|prune| prune.rules).unwrap_or_default()),
    };
    let columns = [("Rule", ""), ("Value", "c-value"), ("Effect", "c-effect")];
    let content = view! {
        <p class="note"><strong>{next}</strong></p>
        <table class="rules stacked" aria-labelledby="retention" data-testid="retention">
            {head(columns)}
            <tbody>
                {rules}
                {prune.map(exempt)}
                {pins(&storage.pins)}
                {grace(&storage.released)}
            </tbody>
        </table>
        {missing(storage).map(note)}
    };
    card("retention", "Retention", (), content)
}

fn next(prune: Prune, all: u64) -> AnyView {
    let removed = format!(
        "{} of {}, {}",
        grouped(prune.removed.reports),
        reports(all),
        size(prune.removed.bytes)
    );
    match prune.next {
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
    }
}

/// A row for each setting; for weekly reports only if it is set, since it needs the setting for days.
fn rules(rules: RetentionRules) -> Vec<AnyView> {
    let days = |days: Option<u32>| days.map(|days| days_in_words(days.into()));
    let effect = |value: Option<u32>, set, unset| value.map_or(unset, |_| set);
    let of_all = effect(
        rules.all_days,
        "Every HTML report is kept for this time.",
        "HTML reports of any age are kept.",
    );
    let of_most = effect(
        rules.most,
        "Of each branch and language, the newest ones are kept.",
        "Any number of a branch and language is kept.",
    );
    let weekly = rules.weekly_days.map(|_| {
        let effect =
            "The newest HTML report of each week, branch and language is kept for this time.";
        row(
            "`KEEP_WEEKLY_REPORTS_DAYS`",
            days(rules.weekly_days),
            effect,
        )
    });
    let most = rules.most.map(|most| reports(most.into()));
    let all = row("`KEEP_REPORTS_DAYS`", days(rules.all_days), of_all);
    let most = row("`KEEP_REPORTS_PER_BRANCH`", most, of_most);
    [Some(all), weekly, Some(most)]
        .into_iter()
        .flatten()
        .collect()
}

fn exempt(prune: &Prune) -> AnyView {
    let effect = "Pinned reports, and the newest report of each main branch and language.";
    row("Never removed", Some(both(prune.exempt)), effect)
}

fn pins(pins: &Pins) -> AnyView {
    let value = match pins.newest.is_empty() {
        true => "none".to_owned(),
        false => both(pins.all),
    };
    let effect =
        "`coverage-dashboard pin NUMBER` keeps the HTML report of a record, such as of a release.";
    row("Pinned", Some(value), with_code(effect))
}

/// The grace period, and the reports in it.
fn grace(released: &Released) -> AnyView {
    let effect = match &released.grace {
        Some(_) => "The files of replaced and pruned HTML reports stay for this time.",
        None => "The files of replaced and pruned HTML reports are removed at once.",
    };
    let now = (released.stored.reports > 0).then(|| format!(" Now: {}.", both(released.stored)));
    let end = released.next_end.filter(|_| released.grace.is_some());
    let end = now.as_ref().and(end).map(|end| {
        view! { " The next one ends on "<time datetime=end.machine()>{end.long()}</time>"." }
    });
    let value = released.grace.clone().unwrap_or_else(|| "none".to_owned());
    row("`REPORT_GRACE`", Some(value), (effect, now, end))
}

/// The words between backticks in the name are code.
fn row(name: &str, value: Option<String>, effect: impl IntoView + 'static) -> AnyView {
    let value = match value {
        Some(value) => value.into_any(),
        None => view! { <span class="muted">"not set"</span> }.into_any(),
    };
    view! {
        <tr>
            <th scope="row">{with_code(name)}</th>
            <td class="c-value">{value}</td>
            <td class="c-effect muted small">{effect}</td>
        </tr>
    }
    .into_any()
}
