//! The attempts of one page of the ledger.

use crate::{
    components::{
        attempt::{Message, Verdict, accepted, sentence},
        card::{aside, card, head},
        measures::{duration, size},
        name::{Name, slug},
        on_forge::out,
        time::Age,
    },
    links,
    numbers::{counted, grouped},
};
use domain::{Day, LedgerQuery, Outcome, Sender, Timestamp, UploadAttempt};
use leptos::prelude::*;

/// A row for each attempt, the newest first; accepted attempts that follow each other and are of one record share a row. Their
/// details are folded, so an accepted upload is one line.
pub(super) fn attempts(attempts: &[UploadAttempt], query: &LedgerQuery, now: Timestamp) -> AnyView {
    let columns = [
        ("When (UTC)", "c-when"),
        ("Repository", "c-of"),
        ("Commit and branch", "c-names"),
        ("Result", "c-message"),
        ("Details", "c-sent"),
    ];
    let rows: Vec<_> = attempts.chunk_by(is_same_record).collect();
    let is_refused = |attempts: &&&[UploadAttempt]| {
        let newest = attempts.first();
        newest.is_some_and(|newest| newest.outcome() == Outcome::Refused)
    };
    let refused = rows.iter().filter(is_refused).count();
    let refused = (refused > 0 && query.outcome.is_none()).then(|| {
        let to = links::uploads(&LedgerQuery {
            outcome: Some(Outcome::Refused),
            code: String::new(),
            before: None,
            ..query.clone()
        });
        view! { ", "<a class="link" href=to>{format!("{} refused", grouped(refused as u64))}</a> }
    });
    let since = attempts.last().map(|oldest| {
        let since = Day::of(oldest.received_at).long();
        aside((format!("since {since}, newest first"), refused))
    });
    let title = counted(rows.len() as u64, "upload", "uploads");
    let rows = rows.into_iter().map(|attempts| row(attempts, now));
    let table = view! {
        <table class="attempts" aria-labelledby="attempts">{head(columns)}<tbody>{rows.collect_view()}</tbody></table>
    };
    card("attempts", title, since, table)
}

fn is_same_record(one: &UploadAttempt, other: &UploadAttempt) -> bool {
    let is_taken = |attempt: &UploadAttempt| attempt.outcome() == Outcome::Taken;
    one.record_id.is_some() && one.record_id == other.record_id && is_taken(one) && is_taken(other)
}

/// One row. The first attempt is the newest one.
fn row(attempts: &[UploadAttempt], now: Timestamp) -> Option<AnyView> {
    let newest = attempts.first()?;
    let is_taken = newest.outcome() == Outcome::Taken;
    let at = newest.received_at;
    let answer = match is_taken {
        true => accepted(newest).into_any(),
        false => view! {
            <div class="verdict-of"><Verdict attempt=newest.clone() names_code=false/></div>
            <div class="why">
                <Message attempt=newest.clone()/>
                <div class="of small muted">{details(newest)}</div>
            </div>
        }
        .into_any(),
    };
    let sent = match (is_taken, attempts) {
        (false, _) => sent(newest).into_any(),
        (true, [only]) => view! {
            <details><summary>{sent(only)}</summary>{details(only)}</details>
        }
        .into_any(),
        (true, several) => {
            let bytes = size(several.iter().map(|attempt| attempt.bytes).sum());
            let uploads = counted(several.len() as u64, "upload", "uploads");
            let each = several.iter().map(|attempt| {
                let part = attempt.part.clone().unwrap_or_default();
                let sentence = sentence(attempt).map(|sentence| view! { <p>{sentence}</p> });
                view! { <p><b><bdi>{part}</bdi></b>" "{sent(attempt)}</p>{sentence}{details(attempt)} }
            });
            view! {
                <details><summary>{format!("{bytes}, {uploads}")}</summary>{each.collect_view()}</details>
            }
            .into_any()
        }
    };
    let row = view! {
        <tr class=if is_taken { "accepted" } else { "refusal" }>
            <td class="c-when"><span class="on small">{at.day_and_minute()}</span>" "<Age at now/></td>
            <th scope="row" class="c-of">{repository(newest)}</th>
            <td class="c-names small muted">{names(attempts)}</td>
            <td class="c-message">{answer}</td>
            <td class="c-sent small muted">{sent}</td>
        </tr>
    };
    Some(row.into_any())
}

fn repository(attempt: &UploadAttempt) -> AnyView {
    let (org, repo) = match (&attempt.org, &attempt.repo) {
        (None, None) => {
            return view! { <span class="muted">"no repository named"</span> }.into_any();
        }
        (org, repo) => (org, repo),
    };
    let part = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
    let (org, repo) = (part(org), part(repo));
    let title = format!("{org}/{repo}");
    let known = attempt.repository().filter(|_| attempt.record_id.is_some());
    match known {
        Some(known) => {
            let href = links::repository(&known);
            view! { <a class="name slug" href=href title=title>{slug(Some(org), repo)}</a> }
                .into_any()
        }
        None => {
            view! { <span class="name slug" title=title>{slug(Some(org), repo)}</span> }.into_any()
        }
    }
}

/// Commit and branch, then the language and the part of each attempt, the oldest first.
fn names(attempts: &[UploadAttempt]) -> impl IntoView + use<> {
    let newest = attempts.first();
    let branch = newest.and_then(|newest| newest.branch.clone());
    let branch = branch.map(|branch| view! { <Name text=branch class="part mono"/> });
    // The commit of a refused upload may be any text, so it is cut by characters, not by bytes.
    let commit = newest.and_then(|newest| newest.commit.clone());
    let commit = commit.map(|commit| {
        let short: String = commit.chars().take(8).collect();
        view! { <bdi class="part mono" title=commit>{short}</bdi> }
    });
    let language = newest.and_then(|newest| newest.language.clone());
    let chip = |title: &'static str, name: String| view! { <span class="chip" title=title><bdi>{name}</bdi></span> };
    let language = language.map(|language| chip("language", language));
    let parts = attempts.iter().rev();
    let parts = parts.filter_map(|attempt| attempt.part.clone());
    let mut names: Vec<String> = Vec::new();
    for part in parts.filter(|part| !part.is_empty()) {
        // A job can send a part again.
        if !names.contains(&part) {
            names.push(part);
        }
    }
    let parts: Vec<_> = names.into_iter().map(|part| chip("part", part)).collect();
    view! { <span>{commit}</span><span>{branch}</span><span class="chips">{language}{parts}</span> }
}

fn sent(attempt: &UploadAttempt) -> String {
    let (bytes, time) = (size(attempt.bytes), duration(attempt.milliseconds));
    format!("{bytes} in {time}")
}

/// Who sent an attempt, and how the service answered.
fn details(attempt: &UploadAttempt) -> impl IntoView + use<> {
    let code = format!("{} {}", attempt.status, attempt.code);
    let code = view! { <p class="mono">{code}</p> };
    let lines = attempt.changed_lines_sentence();
    let lines = lines.map(|lines| view! { <p>{lines}</p> });
    let token = match (&attempt.token_name, attempt.sender) {
        (Some(name), _) => view! { <p>"token "<bdi>{name.clone()}</bdi></p> }.into_any(),
        (None, Sender::Known) => ().into_any(),
        (None, Sender::Unknown) => view! { <p>"no accepted token"</p> }.into_any(),
    };
    let client = attempt.client.clone();
    let client = client.map(|name| view! { <p>"by "<bdi>{name}</bdi></p> });
    let run = attempt.run_url.as_ref().map(|url| {
        let text = format!("CI run at {}", url.host());
        view! { <p>{out(url.to_string(), text)}</p> }
    });
    let request = attempt.request_id.clone().map(|id| view! { <p title="The request id, which is also in the service's log lines">"request "<bdi class="mono">{id}</bdi></p> });
    view! { {code}{lines}{token}{client}{run}{request} }
}
