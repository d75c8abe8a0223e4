//! Whether an upload has arrived, for a person who has just set it up.

use crate::{
    ServiceFacts,
    components::{
        attempt::{Message, Verdict},
        card::Refresh,
        coverage::Percent,
    },
    links::{self, ReportLinks},
};
use domain::{Arrivals, LedgerQuery, NewestRecord, Outcome, Repository, UploadAttempt};
use leptos::prelude::*;

/// Interval between reloads while the page waits for an upload, in seconds.
const SECONDS: u32 = 3;

/// The age below which an upload is taken as the one that the page waits for, in microseconds.
const NEW: i64 = 3_600_000_000;

/// The last step: what has arrived; the page reloads until an upload is accepted.
///
/// It shows exact times, not ages, so that a reload without news gives the same text and leaves the page alone.
pub(super) fn arrivals_card(
    arrivals: Arrivals,
    repository: Option<&Repository>,
) -> impl IntoView + use<> {
    let is_protected = expect_context::<ServiceFacts>().is_reading_protected;
    let newest = arrivals.newest;
    let is_refused = |attempt: &UploadAttempt| attempt.outcome() == Outcome::Refused;
    let last_was_refused = arrivals.attempts.first().is_some_and(is_refused);
    let is_new = |newest: &NewestRecord| arrivals.now.0 - newest.updated_at.0 < NEW;
    let has_arrived = newest.as_ref().is_some_and(is_new) && !last_was_refused;
    let is_waiting = newest.is_none() || (repository.is_some() && !has_arrived);
    // Only a current record is the newest one. An accepted upload may wait for parts.
    let mut attempts = arrivals.attempts.iter();
    let stored = attempts.find_map(|attempt| attempt.record_id);
    let stored = stored.filter(|_| newest.is_none() && repository.is_some());
    // Refusals before the accepted upload need no fix any more.
    let to_fix = arrivals.attempts.into_iter().take_while(is_refused);
    let to_fix = to_fix.filter(|_| is_waiting).map(|attempt| {
        refusal(if is_protected {
            attempt
        } else {
            attempt.for_everybody()
        })
    });
    let to_fix: Vec<_> = to_fix.collect();
    let name = repository.map(ToString::to_string);
    let heading = if is_waiting && last_was_refused {
        "3. Check: an upload was refused"
    } else if stored.is_some() {
        "3. Check: an upload has arrived"
    } else if is_waiting && newest.is_some() {
        "3. Check: waiting for a new upload"
    } else if is_waiting {
        "3. Check: waiting for the first upload"
    } else if repository.is_some() {
        "3. Check: the upload has arrived"
    } else {
        "Latest upload"
    };
    let all = links::uploads(&LedgerQuery {
        repository: name.clone().unwrap_or_default(),
        ..LedgerQuery::default()
    });
    let whom = match name {
        Some(name) => view! { <b><bdi>{name}</bdi></b> }.into_any(),
        None => view! { "any repository" }.into_any(),
    };
    view! {
        <section class="card arrivals" aria-labelledby="arrivals">
            <div class="head"><h2 id="arrivals" data-announce>{heading}</h2></div>
            <div class="step">
            <div aria-live="polite">
                {match (newest, stored) {
                    (Some(newest), _) => arrived(&newest, repository.is_some(), !is_waiting),
                    (None, Some(record)) => view! {
                        <p>{whom}" has a record, which is not current yet: it waits for parts, or is unconfirmed."</p>
                        <p class="actions"><a class="btn" href=links::record(record)>"Open the record"</a></p>
                    }
                    .into_any(),
                    (None, None) => view! { <p>"No upload was accepted from "{whom}" so far."</p> }.into_any(),
                }}
                {(!to_fix.is_empty()).then(|| view! {
                    <ul class="to-fix">{to_fix}</ul>
                })}
            </div>
            {is_waiting.then(|| view! { <Refresh seconds=SECONDS/> })}
            <p class="small"><a class="more" href=all>"All upload attempts"</a></p>
            </div>
        </section>
    }
}

/// An upload from before the setup does not prove that the setup works.
fn arrived(newest: &NewestRecord, is_named: bool, is_done: bool) -> AnyView {
    let reports: ReportLinks = expect_context();
    let at = newest.updated_at;
    if is_named && !is_done {
        let about = format!("{}\u{202f}% on {}", newest.percentage, newest.branch);
        return view! {
            <p><span aria-hidden="true">"○ "</span>"Nothing new so far. The last accepted upload: "
            <a class="link" href=links::record(newest.record_id)><bdi>{about}</bdi></a>
            ", "<time datetime=at.machine()>{at.long()}</time>"."</p>
        }
        .into_any();
    }
    let report = newest.has_report.then(|| {
        view! { <a class="btn" rel="external" href=reports.report(newest.record_id)>"Open the HTML report"</a>" " }
    });
    let word = match is_named {
        true => view! { <span class="outcome taken"><span aria-hidden="true">"✓ "</span>"Accepted"</span> }.into_any(),
        false => "Last upload".into_any(),
    };
    view! {
        <p>
            {word}": "
            <b><bdi>{newest.repository.to_string()}</bdi></b>" has "<b>{newest.percentage.to_string()}<Percent/></b>
            " on "<bdi>{newest.branch.to_string()}</bdi>" in "{newest.language.to_string()}", uploaded "
            <time datetime=at.machine()>{at.long()}</time>"."
        </p>
        <p class="actions">
            <a class=if is_named { "btn primary" } else { "btn" } href=links::record(newest.record_id)>"Open the record"</a>" "
            {report}
            <a class="btn" href=links::repository(&newest.repository)>"Go to the repository"</a>
        </p>
        {(!is_named).then(|| view! { <p class="muted small">"Enter your repository above to wait for its first upload."</p> })}
    }
    .into_any()
}

fn refusal(attempt: UploadAttempt) -> impl IntoView {
    let at = attempt.received_at;
    let of = attempt.repository().map(|of| of.to_string());
    view! {
        <li>
            <p class="small muted"><time datetime=at.machine()>{at.long()}</time>{of.map(|of| view! { " · "<bdi>{of}</bdi> })}</p>
            <Verdict attempt=attempt.clone()/>
            <Message attempt/>
        </li>
    }
}
